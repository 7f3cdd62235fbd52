package status

// Collectors and stores of metrics, logs and traces.
//
// OpenTelemetry operator: https://github.com/open-telemetry/opentelemetry-operator/tree/main/docs/api
// Loki operator: https://loki-operator.dev/docs/api.md/
// Sloth: https://sloth.dev/usage/kubernetes/
// Datadog operator: https://github.com/DataDog/datadog-operator/tree/main/docs
var hintsTelemetry = hintTable{
	// OpenTelemetry: instrumentation is only read when a Pod is created. A sidecar collector runs
	// nothing of its own.
	{"opentelemetry.io", "OpenTelemetryCollector"}: {
		Required: []string{"status.version"},
		Suspend:  []string{"spec.managementState=unmanaged"},
	},
	{"opentelemetry.io", "Instrumentation"}: {StatusOptional: true},
	// Loki reads its rules from these kinds.
	{"loki.grafana.com", "AlertingRule"}:  {StatusOptional: true},
	{"loki.grafana.com", "RecordingRule"}: {StatusOptional: true},
	{"loki.grafana.com", "RulerConfig"}:   {StatusOptional: true},
	// Sloth generates a PrometheusRule from each.
	{"sloth.slok.dev", "PrometheusServiceLevel"}: {Required: []string{"status.promOpRulesGenerated"}},
	// Datadog: reconciled agents may not run yet.
	{"datadoghq.com", "DatadogAgent"}: {
		Positive: []string{"AgentReconcile", "ClusterAgentReconcile", "ClusterChecksRunnerReconcile"},
		States:   []string{"status.agent.state", "status.clusterAgent.state", "status.clusterChecksRunner.state"},
	},
	// Datadog: a metric without an autoscaler is not active.
	{"datadoghq.com", "DatadogMetric"}: {Neutral: []string{"Active"}},
}

package status

// Collectors and stores of metrics, logs and traces.
//
// OpenTelemetry operator: https://github.com/open-telemetry/opentelemetry-operator/tree/main/docs/api
// Loki operator: https://loki-operator.dev/docs/api.md/
// Sloth: https://sloth.dev/usage/kubernetes/
// Datadog operator: https://github.com/DataDog/datadog-operator/tree/main/docs
var hintsTelemetry = hintTable{
	// OpenTelemetry: how Pods are to be instrumented is only looked at when one is
	// created; a collector beside each Pod runs nothing of its own.
	{"opentelemetry.io", "OpenTelemetryCollector"}: {
		Required: []string{"status.version"},
		Suspend:  []string{"spec.managementState=unmanaged"},
	},
	{"opentelemetry.io", "Instrumentation"}: {Silent: true},
	// Loki reads its rules from these.
	{"loki.grafana.com", "AlertingRule"}:  {Silent: true},
	{"loki.grafana.com", "RecordingRule"}: {Silent: true},
	{"loki.grafana.com", "RulerConfig"}:   {Silent: true},
	// Sloth makes a PrometheusRule of each.
	{"sloth.slok.dev", "PrometheusServiceLevel"}: {Required: []string{"status.promOpRulesGenerated"}},
	// Datadog: that the agents are reconciled does not say that they run.
	{"datadoghq.com", "DatadogAgent"}: {
		Positive: []string{"AgentReconcile", "ClusterAgentReconcile", "ClusterChecksRunnerReconcile"},
		States:   []string{"status.agent.state", "status.clusterAgent.state", "status.clusterChecksRunner.state"},
	},
	// Datadog: a metric that no autoscaler uses is not active.
	{"datadoghq.com", "DatadogMetric"}: {Neutral: []string{"Active"}},
}

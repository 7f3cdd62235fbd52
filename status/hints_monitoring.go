package status

// Monitoring.
//
// Prometheus operator: https://prometheus-operator.dev/docs/api-reference/api/
// Grafana operator: https://grafana.github.io/grafana-operator/docs/api/
// OpenTelemetry operator: https://github.com/open-telemetry/opentelemetry-operator/tree/main/docs/api
// VictoriaMetrics operator: https://docs.victoriametrics.com/operator/api/
// Loki operator: https://loki-operator.dev/docs/api.md/
// Sloth: https://sloth.dev/usage/kubernetes/
// Datadog operator: https://github.com/DataDog/datadog-operator/tree/main/docs
var hintsMonitoring = Hints{
	{"monitoring.coreos.com", "Prometheus"}:   hintPrometheus,
	{"monitoring.coreos.com", "Alertmanager"}: hintPrometheus,
	{"monitoring.coreos.com", "ThanosRuler"}:  hintPrometheus,
	// What is to be scraped, and by which rules, is only looked at by who does so;
	// in late versions that says whether it accepts it.
	{"monitoring.coreos.com", "ServiceMonitor"}:     {Silent: true},
	{"monitoring.coreos.com", "PodMonitor"}:         {Silent: true},
	{"monitoring.coreos.com", "Probe"}:              {Silent: true},
	{"monitoring.coreos.com", "ScrapeConfig"}:       {Silent: true},
	{"monitoring.coreos.com", "PrometheusRule"}:     {Silent: true},
	{"monitoring.coreos.com", "AlertmanagerConfig"}: {Silent: true},
	// Grafana is made in stages; only the last one is the end.
	{"grafana.integreatly.org", "Grafana"}: {
		Also:     []ConditionType{"GrafanaReady"},
		Required: []string{"status.stage"},
		States:   []string{"status.stage"},
		Words: Words{
			"config": busy, "admin user": busy, "pvc": busy, "service account": busy, "service": busy, "ingress": busy, "plugins": busy,
			"deployment": busy,
		},
	},
	// In version 4 of the Grafana operator that it is reconciled all the time is all
	// it says when all is well.
	{Group: "integreatly.org"}: {Words: Words{"reconciling": good}},
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
		Good:   []ConditionType{"AgentReconcile", "ClusterAgentReconcile", "ClusterChecksRunnerReconcile"},
		States: []string{"status.agent.state", "status.clusterAgent.state", "status.clusterChecksRunner.state"},
	},
	// Datadog: a metric that no autoscaler uses is not active.
	{"datadoghq.com", "DatadogMetric"}: {Neutral: []ConditionType{"Active"}},
}

var hintPrometheus = &Hint{Summary: []ConditionType{"Reconciled", "Available"}}

package status

import "kstatus.dev/status/internal/word"

// Prometheus and Grafana.
//
// Prometheus operator: https://prometheus-operator.dev/docs/api-reference/api/
// Grafana operator: https://grafana.github.io/grafana-operator/docs/api/
var hintsMonitoring = hintTable{
	{"monitoring.coreos.com", "Prometheus"}:   hintPrometheus,
	{"monitoring.coreos.com", "Alertmanager"}: hintPrometheus,
	{"monitoring.coreos.com", "ThanosRuler"}:  hintPrometheus,
	// Prometheus reads monitors and rules. Recent versions report whether it accepts them.
	{"monitoring.coreos.com", "ServiceMonitor"}:     {StatusOptional: true},
	{"monitoring.coreos.com", "PodMonitor"}:         {StatusOptional: true},
	{"monitoring.coreos.com", "Probe"}:              {StatusOptional: true},
	{"monitoring.coreos.com", "ScrapeConfig"}:       {StatusOptional: true},
	{"monitoring.coreos.com", "PrometheusRule"}:     {StatusOptional: true},
	{"monitoring.coreos.com", "AlertmanagerConfig"}: {StatusOptional: true},
	// Grafana is deployed in stages; only the last one means completion.
	{"grafana.integreatly.org", "Grafana"}: {
		OptionalSummary: []string{"GrafanaReady"},
		Required:        []string{"status.stage"},
		States:          []string{"status.stage"},
		Words: wordTable{
			"config": word.Progressing, "admin user": word.Progressing, "pvc": word.Progressing, "service account": word.Progressing, "service": word.Progressing, "ingress": word.Progressing, "plugins": word.Progressing,
			"deployment": word.Progressing,
		},
	},
	// Version 4 of the Grafana operator reports the phase "reconciling" also in the normal state.
	{Group: "integreatly.org"}: {Words: wordTable{"reconciling": word.Ready}},
}

var hintPrometheus = &hint{Summary: []string{"Reconciled", "Available"}}

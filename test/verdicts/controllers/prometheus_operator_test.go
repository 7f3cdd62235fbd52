package controllers

import (
	"context"
	"fmt"
)

// prometheusOperator is the operator of Prometheus and Alertmanager.
func prometheusOperator() *controller {
	const hidden = "for a moment, the object reports all replicas as updated and available for the new generation, from the status that its StatefulSet had before"
	const extra = "{apiVersion: v1, kind: Secret, metadata: {name: extra}, stringData: {jobs.yaml: '[]'}}"
	return &controller{
		name: "Prometheus Operator", folder: "prometheusoperator", module: "github.com/prometheus-operator/prometheus-operator", tool: "operator",
		definitions: []string{"github.com/prometheus-operator/prometheus-operator:example/prometheus-operator-crd/*.yaml"},
		arguments: func(s *setting) []string {
			return []string{"--web.listen-address=" + s.address(), "--log-level=error"}
		},
		scenarios: []scenario{
			{it: "is created", target: prometheus, apply: monitor("Prometheus", 1, 2), truth: monitors("prometheus", 1, 2)},
			{it: "is created before its controller runs", late: true, waits: "InProgress", target: prometheus, apply: monitor("Prometheus", 1, 2), truth: monitors("prometheus", 1, 2)},
			{it: "has slow Pods", target: prometheus, apply: monitor("Prometheus", 1, 1, "podMetadata: {annotations: {kstatus.dev/pod: slow}}"), truth: monitors("prometheus", 1, 1)},
			{it: "gets another image", target: prometheus, first: monitor("Prometheus", 1, 2), apply: monitor("Prometheus", 2, 2), truth: monitors("prometheus", 2, 2), hidden: hidden},
			{it: "gets another image while its controller is stopped", late: true, waits: "InProgress", target: prometheus, first: monitor("Prometheus", 1, 2),
				apply: monitor("Prometheus", 2, 2), truth: monitors("prometheus", 2, 2), hidden: hidden},
			{it: "gets more replicas", target: prometheus, first: monitor("Prometheus", 1, 1), apply: monitor("Prometheus", 1, 3), truth: monitors("prometheus", 1, 3)},
			{it: "has Pods whose image cannot be pulled", target: prometheus, apply: unpullable(monitor("Prometheus", 1, 1)), waits: "InProgress containers with unready status", fix: monitor("Prometheus", 2, 1), truth: monitors("prometheus", 2, 1)},
			{it: "has a Secret that does not exist yet", target: prometheus, apply: monitor("Prometheus", 1, 1, "additionalScrapeConfigs: {name: extra, key: jobs.yaml}"),
				waits: "Failed", fix: extra, truth: monitors("prometheus", 1, 1)},
			{it: "is created", target: alertmanager, apply: monitor("Alertmanager", 1, 2), truth: monitors("alertmanager", 1, 2)},
			{it: "is created before its controller runs", late: true, waits: "InProgress", target: alertmanager, apply: monitor("Alertmanager", 1, 2), truth: monitors("alertmanager", 1, 2)},
			{it: "gets another image while its controller is stopped", late: true, waits: "InProgress", target: alertmanager, first: monitor("Alertmanager", 1, 1),
				apply: monitor("Alertmanager", 2, 1), truth: monitors("alertmanager", 2, 1), hidden: hidden},
			{it: "gets slow Pods", target: alertmanager, first: monitor("Alertmanager", 1, 2), apply: monitor("Alertmanager", 2, 2, "podMetadata: {annotations: {kstatus.dev/pod: slow}}"), truth: monitors("alertmanager", 2, 2), hidden: hidden},
		},
	}
}

const (
	prometheus   = "Prometheus.monitoring.coreos.com/shop"
	alertmanager = "Alertmanager.monitoring.coreos.com/shop"
)

func monitor(kind string, tag, replicas int, more ...string) string {
	if kind == "Prometheus" { // otherwise its controller leaves the configuration to the user
		more = append(more, "serviceMonitorSelector: {}")
	}
	return object("monitoring.coreos.com/v1", kind, append([]string{fmt.Sprintf("replicas: %d", replicas), fmt.Sprintf("image: 'registry.example.com/web:%d'", tag)}, more...))
}

// monitors is the truth that a number of ready Pods have an image, and that no other Pods exist.
func monitors(label string, tag, replicas int) func(context.Context, *world) error {
	return func(ctx context.Context, w *world) error {
		return w.onlyPods(ctx, label+"=shop", fmt.Sprintf("image: registry.example.com/web:%d", tag), replicas)
	}
}

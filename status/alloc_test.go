package status_test

import (
	"path/filepath"
	"testing"

	"kstatus.dev/status"
)

// What may cost more to judge Current than its Result and its message, and why.
var costly = map[string]string{
	"horizontalpodautoscaler.cases": "in version 1 the conditions stand as JSON in an annotation",
	"resourceclaim.cases":           "devices that bind late are looked up by what names them",
	"resourcequota.cases":           "amounts that are written differently are calculated with",
}

// Most verdicts in the life of a cluster are Current, so these are cheap: the
// Result and its message.
func TestCurrentAllocatesLittle(t *testing.T) {
	const usual = 2 + forgotten
	seen := map[string]int{}
	for _, c := range allCases(t) {
		e := c.evaluator(t)
		res, err := e.Compute(status.Map(c.obj))
		if err != nil || res.Status != status.CurrentStatus || len(res.Warnings) > 0 {
			continue
		}
		kind, _ := c.obj["kind"].(string)
		seen[kind]++
		obj := status.Object(status.Map(c.obj))
		got := testing.AllocsPerRun(20, func() { _, _ = e.Compute(obj) })
		most := float64(usual)
		if filepath.Base(filepath.Dir(c.file)) == "hints" { // without a rule, where each part of the status stands is written out
			most += 20
		}
		if got > most && costly[filepath.Base(c.file)] == "" && c.expect == "" {
			t.Errorf("%s:%d: it %s: %g allocations, want at most %g", c.file, c.line, c.name, got, most)
		}
	}
	for _, kind := range []string{
		"Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "Pod", "Job", "CronJob", "Service", "PersistentVolumeClaim", "PodDisruptionBudget",
		"CustomResourceDefinition", "ConfigMap", "Secret", "Namespace", "Node", "Ingress", "HorizontalPodAutoscaler", "Widget",
	} {
		if seen[kind] == 0 {
			t.Errorf("no case of a %s is Current, so its allocations are not measured", kind)
		}
	}
}

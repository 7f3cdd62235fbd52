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
	eachCase(t, defaultCases, func(t *testing.T, c testCase) {
		e, obj := c.evaluator(t), status.Object(status.Map(c.obj))
		if !plainlyCurrent(e.Compute(obj)) {
			return
		}
		got := testing.AllocsPerRun(20, func() { _, _ = e.Compute(obj) })
		most := float64(usual)
		if filepath.Base(filepath.Dir(c.file)) == "hints" { // without a rule, where each part of the status stands is written out
			most += 20
		}
		if got > most && costly[filepath.Base(c.file)] == "" && c.expect == "" {
			t.Errorf("%s:%d: %g allocations, want at most %g", c.file, c.line, got, most)
		}
	})
}

// plainlyCurrent reports whether a verdict is Current, without a warning.
func plainlyCurrent(r *status.Result, err error) bool {
	return err == nil && r.Status == status.CurrentStatus && len(r.Warnings) == 0
}

// The kinds that every cluster has are among those whose allocations are measured.
func TestAllocationsOfUsualKindsAreMeasured(t *testing.T) {
	measured := map[any]bool{}
	for _, c := range allCases(t) {
		if plainlyCurrent(c.evaluator(t).Compute(status.Map(c.obj))) {
			measured[c.obj["kind"]] = true
		}
	}
	for _, kind := range []string{
		"Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "Pod", "Job", "CronJob", "Service", "PersistentVolumeClaim", "PodDisruptionBudget",
		"CustomResourceDefinition", "ConfigMap", "Secret", "Namespace", "Node", "Ingress", "HorizontalPodAutoscaler", "Widget",
	} {
		t.Run(kind, func(t *testing.T) {
			if !measured[kind] {
				t.Error("no case is Current, so its allocations are not measured")
			}
		})
	}
}

package status_test

import (
	"path/filepath"
	"testing"

	"kstatus.dev/status"
)

// allocatingCases names the files whose Current verdicts allocate more than the Result and its
// message, with the reason.
var allocatingCases = map[string]string{
	"horizontalpodautoscaler.cases": "in version 1 the conditions stand as JSON in an annotation",
	"resourceclaim.cases":           "devices that bind late are looked up by what names them",
	"resourcequota.cases":           "amounts that are written differently are calculated with",
}

// Most verdicts in a cluster are Current, so they must allocate only the Result and its message.
func TestCurrentAllocatesLittle(t *testing.T) {
	const usual = 2 + forgotten
	eachCase(t, defaultCases, func(t *testing.T, c testCase) {
		e, obj := c.evaluator(t), status.Object(status.Map(c.obj))
		r, err := e.Compute(obj)
		if !isCurrentWithoutWarnings(r, err) {
			return
		}
		got := testing.AllocsPerRun(20, func() { _, _ = e.Compute(obj) })
		most := float64(usual)
		if filepath.Base(filepath.Dir(c.file)) == "hints" { // kinds without a rule: the path of each part of the status is built
			most += 20
		}
		if r.Suspended != "" { // it is judged once more, without its suspension
			most += 20
		}
		if got > most && allocatingCases[filepath.Base(c.file)] == "" && c.expect == "" {
			t.Errorf("%s:%d: %g allocations, want at most %g", c.file, c.line, got, most)
		}
	})
}

// isCurrentWithoutWarnings reports whether a verdict is Current, without a warning.
func isCurrentWithoutWarnings(r *status.Result, err error) bool {
	return err == nil && r.Status == status.CurrentStatus && len(r.Warnings) == 0
}

// The measured cases include the kinds that every cluster has.
func TestAllocationsOfUsualKindsAreMeasured(t *testing.T) {
	measured := map[any]bool{}
	for _, c := range allCases(t) {
		if isCurrentWithoutWarnings(c.evaluator(t).Compute(status.Map(c.obj))) {
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

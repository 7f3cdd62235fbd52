package status_test

import (
	"testing"

	"kstatus.dev/status"
)

// A caveat says why an object that is Current may not do what its user expects.
func TestCaveats(t *testing.T) {
	counts := map[string]any{"observedGeneration": 1, "replicas": 2, "updatedReplicas": 2, "readyReplicas": 2, "availableReplicas": 2}
	manual := map[string]any{"updateStrategy": map[string]any{"type": "OnDelete"}, "replicas": 2}
	for _, row := range []struct {
		it, kind     string
		spec, status map[string]any
		want         string
	}{
		{"a Deployment that was created paused", "Deployment", map[string]any{"paused": true, "replicas": 2}, map[string]any{"observedGeneration": 1},
			"paused: no Pods are created until kubectl rollout resume"},
		{"a Deployment that was paused later", "Deployment", map[string]any{"paused": true, "replicas": 2}, counts, ""},
		{"a Deployment that is paused and scaled to zero", "Deployment", map[string]any{"paused": true, "replicas": 0}, map[string]any{"observedGeneration": 1}, ""},
		{"a Deployment", "Deployment", map[string]any{"replicas": 2}, counts, ""},
		{"a DaemonSet with outdated Pods", "DaemonSet", manual, map[string]any{"observedGeneration": 1, "desiredNumberScheduled": 2,
			"currentNumberScheduled": 2, "numberReady": 2, "numberAvailable": 2}, "Pods of an earlier template stay until they are deleted"},
		{"a StatefulSet with outdated Pods", "StatefulSet", manual, map[string]any{"observedGeneration": 1, "replicas": 2, "readyReplicas": 2,
			"availableReplicas": 2, "currentReplicas": 2, "currentRevision": "a", "updateRevision": "b"}, "Pods of an earlier template stay until they are deleted"},
	} {
		t.Run(row.it, func(t *testing.T) {
			result, err := status.Compute(status.Map{
				"apiVersion": "apps/v1", "kind": row.kind, "metadata": map[string]any{"name": "web", "namespace": "shop", "generation": 1},
				"spec": row.spec, "status": row.status,
			})
			if err != nil || result.Status != status.CurrentStatus || result.Caveat != row.want {
				t.Errorf("have %+v, %v; want Current with %q", result, err, row.want)
			}
		})
	}
}

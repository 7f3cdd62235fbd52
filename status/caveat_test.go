package status_test

import (
	"testing"
	"time"

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
		{"a DaemonSet that matches no node", "DaemonSet", nil, map[string]any{"observedGeneration": 1, "desiredNumberScheduled": 0, "currentNumberScheduled": 0, "numberReady": 0},
			"it runs no Pod, because no node matches"},
		{"a DaemonSet with outdated Pods", "DaemonSet", manual, map[string]any{"observedGeneration": 1, "desiredNumberScheduled": 2,
			"currentNumberScheduled": 2, "numberReady": 2, "numberAvailable": 2}, "Pods of an earlier template stay until they are deleted"},
		{"a StatefulSet with outdated Pods", "StatefulSet", manual, map[string]any{"observedGeneration": 1, "replicas": 2, "readyReplicas": 2,
			"availableReplicas": 2, "currentReplicas": 2, "currentRevision": "a", "updateRevision": "b"}, "Pods of an earlier template stay until they are deleted"},
		{"a DaemonSet that matches no node", "DaemonSet", map[string]any{}, map[string]any{"observedGeneration": 1, "desiredNumberScheduled": 0,
			"currentNumberScheduled": 0, "numberReady": 0}, "it runs no Pod, because no node matches"},
		{"a StatefulSet with a partition", "StatefulSet", map[string]any{"replicas": 2, "updateStrategy": map[string]any{"rollingUpdate": map[string]any{"partition": 1}}},
			map[string]any{"observedGeneration": 1, "replicas": 2, "readyReplicas": 2, "updatedReplicas": 1, "currentRevision": "a", "updateRevision": "b"},
			"its partition keeps Pods at an earlier template"},
		{"a PodDisruptionBudget that allows no eviction", "PodDisruptionBudget", nil, map[string]any{"observedGeneration": 1, "expectedPods": 2, "currentHealthy": 2,
			"desiredHealthy": 2, "disruptionsAllowed": 0}, "it allows no eviction"},
		{"a PodDisruptionBudget without Pods", "PodDisruptionBudget", nil, map[string]any{"observedGeneration": 1, "expectedPods": 0, "disruptionsAllowed": 0}, ""},
		{"a ResourceQuota that is used up", "ResourceQuota", map[string]any{"hard": map[string]any{"pods": "4", "services": "0"}},
			map[string]any{"hard": map[string]any{"pods": "4", "services": "0"}, "used": map[string]any{"pods": "4", "services": "0"}}, "all 4 pods are used"},
	} {
		t.Run(row.it, func(t *testing.T) {
			group := "apps/v1"
			switch row.kind {
			case "PodDisruptionBudget":
				group = "policy/v1"
			case "ResourceQuota":
				group = "v1"
			}
			result, err := status.Compute(status.Map{
				"apiVersion": group, "kind": row.kind, "metadata": map[string]any{"name": "web", "namespace": "shop", "generation": 1},
				"spec": row.spec, "status": row.status,
			})
			if err != nil || result.Status != status.CurrentStatus || result.Caveat != row.want {
				t.Errorf("have %+v, %v; want Current with %q", result, err, row.want)
			}
		})
	}
}

// A suspended object that reports a failure is Current with a caveat that repeats the failure. It is not
// Current in the strict profile.
func TestSuspendedWithFailure(t *testing.T) {
	condition := func(name, value, reason string) map[string]any {
		return map[string]any{"type": name, "status": value, "reason": reason, "message": "no space left", "lastTransitionTime": "2026-01-01T00:00:00Z"}
	}
	exceeded := []any{condition("Available", "False", "MinimumReplicasUnavailable"), condition("Progressing", "False", "ProgressDeadlineExceeded")}
	failed := []any{condition("Ready", "False", "InstallFailed"), condition("Degraded", "True", "InstallFailed")}
	paused := map[string]any{"paused": true}
	annotation := map[string]any{"cluster.x-k8s.io/paused": ""}
	for _, row := range []struct {
		it, apiVersion, kind string
		annotations, spec    map[string]any
		conditions           []any
		observed             int
		caveat               string
	}{
		{"a Deployment that exceeded its deadline", "apps/v1", "Deployment", nil, paused, exceeded, 2, "it is suspended with a failure: ProgressDeadlineExceeded: no space left"},
		{"a custom resource with an earlier generation", "example.com/v1", "Oven", nil, paused, failed, 1, "it is suspended with a failure: ReportsFailure: Ready is False: no space left"},
		{"a paused custom resource", "example.com/v1", "Oven", nil, paused, failed, 2, "it is suspended with a failure: ReportsFailure: Ready is False: no space left"},
		{"a suspended custom resource", "example.com/v1", "Oven", nil, map[string]any{"suspend": true}, failed, 2, "it is suspended with a failure: ReportsFailure: Ready is False: no space left"},
		{"a suspended HelmRelease", "helm.toolkit.fluxcd.io/v2", "HelmRelease", nil, map[string]any{"suspend": true}, failed[:1], 2, "it is suspended with a failure: ReportsFailure: Ready is False: no space left"},
		{"a DeploymentConfig", "apps.openshift.io/v1", "DeploymentConfig", nil, paused, exceeded, 2, "it is suspended with a failure: ProgressDeadlineExceeded: no space left"},
		{"a suspended Job", "batch/v1", "Job", nil, map[string]any{"suspend": true}, []any{condition("Failed", "True", "BackoffLimitExceeded")}, 2, ""},
		{"a paused provider of Cluster API", "infrastructure.cluster.x-k8s.io/v1beta1", "OvenMachine", annotation, nil, failed, 2, ""},
		{"a healthy custom resource", "example.com/v1", "Oven", nil, paused, []any{condition("Ready", "True", "Done")}, 2, "none"},
		{"a custom resource that is not ready because it is paused", "example.com/v1", "Oven", nil, paused, []any{condition("Ready", "False", "Paused")}, 2, "none"},
	} {
		t.Run(row.it, func(t *testing.T) {
			object := status.Map{
				"apiVersion": row.apiVersion, "kind": row.kind, "metadata": map[string]any{"name": "web", "namespace": "shop", "generation": 2, "annotations": row.annotations},
				"spec": row.spec, "status": map[string]any{"observedGeneration": row.observed, "conditions": row.conditions, "replicas": 3, "updatedReplicas": 3},
			}
			now, err := status.Compute(object)
			if err != nil {
				t.Fatal(err)
			}
			strict, err := status.Evaluator{Profile: status.StrictProfile()}.Compute(object)
			if err != nil {
				t.Fatal(err)
			}
			if row.caveat == "none" {
				if now.Status != status.CurrentStatus || now.Caveat != "" || strict.Status != status.CurrentStatus {
					t.Errorf("have %+v, strict %+v; want Current without a caveat", now, strict)
				}
				return
			}
			if row.caveat != "" && (now.Status != status.CurrentStatus || now.Caveat != row.caveat) {
				t.Errorf("have %+v; want Current with %q", now, row.caveat)
			}
			if strict.Status == status.CurrentStatus {
				t.Errorf("in the strict profile it is %+v", strict)
			}
		})
	}
}

// A ready Pod with many restarts has a caveat.
func TestRestartCaveat(t *testing.T) {
	now := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	container := func(name string, restarts int, last time.Duration) map[string]any {
		c := map[string]any{"name": name, "ready": true, "restartCount": restarts, "state": map[string]any{"running": map[string]any{"startedAt": "2026-01-01T11:00:00Z"}}}
		if last > 0 {
			c["lastState"] = map[string]any{"terminated": map[string]any{"exitCode": 137, "reason": "OOMKilled", "finishedAt": now.Add(-last).Format(time.RFC3339)}}
		}
		return c
	}
	for _, row := range []struct {
		it         string
		containers []any
		want       string
	}{
		{"after hundreds of restarts", []any{container("app", 512, 48*time.Hour)}, "container app has restarted 512 times; the last time it exited with code 137 (OOMKilled)"},
		{"after restarts without an exit code", []any{container("app", 512, 0)}, "container app has restarted 512 times"},
		{"after some restarts, the last one recently", []any{container("app", 7, time.Minute)}, "container app has restarted 7 times; the last time it exited with code 137 (OOMKilled)"},
		{"for the container with most restarts", []any{container("app", 120, time.Hour), container("proxy", 512, time.Hour)}, "container proxy has restarted 512 times; the last time it exited with code 137 (OOMKilled)"},
		{"not after some restarts long ago", []any{container("app", 7, 48*time.Hour)}, ""},
		{"not after a few restarts", []any{container("app", 2, time.Minute)}, ""},
	} {
		t.Run(row.it, func(t *testing.T) {
			e := status.Evaluator{Now: func() time.Time { return now }}
			result, err := e.Compute(status.Map{
				"apiVersion": "v1", "kind": "Pod", "metadata": map[string]any{"name": "web", "namespace": "shop"},
				"status": map[string]any{"phase": "Running", "conditions": []any{map[string]any{"type": "Ready", "status": "True"}}, "containerStatuses": row.containers},
			})
			if err != nil || result.Status != status.CurrentStatus || result.Caveat != row.want {
				t.Errorf("have %+v, %v; want Current with %q", result, err, row.want)
			}
		})
	}
}

// A Current object whose controller has not written its status since a recent change of the spec has a
// caveat.
func TestStatusOfFormerSpec(t *testing.T) {
	now := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	for _, row := range []struct {
		it                 string
		generation         int
		specAgo, statusAgo time.Duration
		caveat             bool
	}{
		{"after a change without a report", 2, time.Minute, time.Hour, true},
		{"not after a report", 2, time.Hour, time.Minute, false},
		{"not after a report in the same second", 2, time.Minute, time.Minute, false},
		{"not long after the change", 2, 2 * time.Hour, 3 * time.Hour, false},
		{"not without a change", 1, time.Minute, time.Hour, false},
	} {
		t.Run(row.it, func(t *testing.T) {
			written := func(ago time.Duration) string { return now.Add(-ago).Format(time.RFC3339) }
			e := status.Evaluator{Now: func() time.Time { return now }}
			result, err := e.Compute(status.Map{
				"apiVersion": "example.com/v1", "kind": "Oven",
				"metadata": map[string]any{"name": "o", "namespace": "shop", "generation": row.generation, "managedFields": []any{
					map[string]any{"manager": "kubectl", "time": written(row.specAgo), "fieldsV1": map[string]any{"f:spec": map[string]any{}}},
					map[string]any{"manager": "c", "subresource": "status", "time": written(row.statusAgo), "fieldsV1": map[string]any{"f:status": map[string]any{}}},
				}},
				"status": map[string]any{"conditions": []any{map[string]any{"type": "Ready", "status": "True"}}},
			})
			if err != nil || result.Status != status.CurrentStatus || (result.Caveat != "") != row.caveat {
				t.Errorf("have %+v, %v; want Current, with a caveat: %t", result, err, row.caveat)
			}
		})
	}
}

package explain

import (
	"fmt"
	"testing"
	"time"

	"kstatus.dev/status"
)

// thousandPods returns the facts of a Deployment with 1,000 Pods that fail for three
// causes. Each Pod has one event.
func thousandPods(t testing.TB) (*Facts, status.ID) {
	f := &Facts{Now: caseNow}
	add := func(obj status.Map) status.ID {
		thing := judged(t, obj)
		f.Objects = append(f.Objects, thing)
		return thing.ID
	}
	annotations := map[string]any{"deployment.kubernetes.io/revision": "1"}
	requested := add(status.Map{"apiVersion": "apps/v1", "kind": "Deployment", "metadata": map[string]any{"name": "api", "namespace": "shop", "uid": "d", "annotations": annotations},
		"spec": map[string]any{"replicas": 1000.0}, "status": map[string]any{"replicas": 1000.0, "updatedReplicas": 1000.0}})
	add(status.Map{"apiVersion": "apps/v1", "kind": "ReplicaSet", "metadata": map[string]any{"name": "api-1", "namespace": "shop", "uid": "r", "annotations": annotations,
		"ownerReferences": []any{map[string]any{"uid": "d", "controller": true}}},
		"spec": map[string]any{"replicas": 1000.0}, "status": map[string]any{"replicas": 1000.0}})
	states := []map[string]any{
		{"waiting": map[string]any{"reason": "ImagePullBackOff", "message": `Back-off pulling image "shop/api:9": manifest unknown`}},
		{"waiting": map[string]any{"reason": "CrashLoopBackOff"}},
		{"waiting": map[string]any{"reason": "CreateContainerConfigError", "message": `secret "db-creds" not found`}},
	}
	for i := range 1000 {
		name := fmt.Sprintf("api-1-%04d", i)
		container := map[string]any{"name": "api", "image": "shop/api:9", "restartCount": 5.0, "ready": false, "state": states[i%3]}
		if i%3 == 1 {
			container["lastState"] = map[string]any{"terminated": map[string]any{"exitCode": 1.0, "reason": "Error"}}
		}
		id := add(status.Map{"apiVersion": "v1", "kind": "Pod", "metadata": map[string]any{"name": name, "namespace": "shop", "uid": name,
			"ownerReferences": []any{map[string]any{"uid": "r", "controller": true}}},
			"spec":   map[string]any{"nodeName": "n", "containers": []any{map[string]any{"name": "api", "image": "shop/api:9"}}},
			"status": map[string]any{"phase": "Pending", "conditions": []any{map[string]any{"type": "Ready", "status": "False"}}, "containerStatuses": []any{container}}})
		f.Events = append(f.Events, Event{About: id, UID: name, Type: "Warning", Reason: "BackOff", Message: "Back-off", Count: 3, Last: caseNow.Add(-time.Minute)})
	}
	return f, requested
}

func TestThousandPodsHaveThreeCauses(t *testing.T) {
	f, requested := thousandPods(t)
	e := Explain(f, requested)
	if len(e.Causes) != 3 {
		t.Fatalf("have %d causes, want 3:\n%s", len(e.Causes), e.Text(f.Now))
	}
	for i, want := range []int{334, 333, 333} {
		if have := e.Causes[i].Count; have != want {
			t.Errorf("cause %d is of %d Pods, want %d", i, have, want)
		}
	}
}

func BenchmarkExplain(b *testing.B) {
	f, requested := thousandPods(b)
	for b.Loop() {
		if e := Explain(f, requested); len(e.Causes) != 3 {
			b.Fatalf("have %d causes, want 3", len(e.Causes))
		}
	}
}

func BenchmarkQueries(b *testing.B) {
	f, requested := thousandPods(b)
	for b.Loop() {
		if all := Queries(f, requested); len(all) == 0 {
			b.Fatal("no query, want one for the logs")
		}
	}
}

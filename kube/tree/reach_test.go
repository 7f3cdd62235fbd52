package tree_test

import (
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/explain"
	"kstatus.dev/kube/internal/wiretest"
	"kstatus.dev/kube/tree"
	"kstatus.dev/status"
)

// crashing returns a Pod of namespace vault with a log.
func crashing() map[string]any {
	waiting := map[string]any{"name": "c", "ready": false, "restartCount": int64(9), "state": map[string]any{"waiting": map[string]any{"reason": "CrashLoopBackOff", "message": "back-off"}},
		"lastState": map[string]any{"terminated": map[string]any{"exitCode": int64(1), "reason": "Error", "finishedAt": "2026-01-01T00:00:00Z"}}}
	return map[string]any{
		"apiVersion": "v1", "kind": "Pod", "metadata": map[string]any{"name": "keeper-0", "namespace": "vault", "uid": "k", "creationTimestamp": "2026-01-01T00:00:00Z"},
		"spec":   map[string]any{"nodeName": "n", "containers": []any{map[string]any{"name": "c", "image": "x"}}},
		"status": map[string]any{"phase": "Running", "conditions": []any{map[string]any{"type": "Ready", "status": "False", "reason": "ContainersNotReady"}}, "containerStatuses": []any{waiting}},
	}
}

// naming returns an object of a kind without a rule that names the Pod.
func naming(kind, namespace string) map[string]any {
	meta := map[string]any{"name": "w", "uid": "w", "generation": int64(1), "creationTimestamp": "2026-01-01T00:00:00Z"}
	if namespace != "" {
		meta["namespace"] = namespace
	}
	return map[string]any{
		"apiVersion": "example.com/v1", "kind": kind, "metadata": meta,
		"spec": map[string]any{"podRef": map[string]any{"apiVersion": "v1", "kind": "Pod", "name": "keeper-0", "namespace": "vault"}},
		"status": map[string]any{"observedGeneration": int64(1), "conditions": []any{map[string]any{
			"type": "Ready", "status": "False", "reason": "Waiting", "message": "waiting for Pod vault/keeper-0", "lastTransitionTime": "2026-01-01T00:00:00Z",
		}}},
	}
}

// An object cannot make a reader read the events and logs of a namespace that the user has not requested.
func TestEventsAndLogsOfOtherNamespaces(t *testing.T) {
	pool := status.ID{Kind: status.Kind{Group: "example.com", Kind: "Pool"}, Namespace: "shop", Name: "w"}
	class := status.ID{Kind: status.Kind{Group: "example.com", Kind: "WidgetClass"}, Name: "w"}
	keeper := status.ID{Kind: status.Kind{Kind: "Pod"}, Namespace: "vault", Name: "keeper-0"}
	for _, row := range []struct {
		it         string
		ids        []status.ID
		namespaces []string
		read       bool
	}{
		{"reads only the object that another namespace's object names", []status.ID{pool}, nil, false},
		{"reads more in a namespace of the call", []status.ID{pool, keeper}, nil, true},
		{"reads more in a namespace of the Reader", []status.ID{pool}, []string{"shop", "vault"}, true},
		{"reads more in all namespaces", []status.ID{pool}, []string{""}, true},
		{"reads only the objects of a call outside of the Reader's namespaces", []status.ID{keeper}, []string{"shop"}, false},
		{"reads more where a cluster-scoped object of the call names an object", []status.ID{class}, nil, true},
	} {
		t.Run(row.it, func(t *testing.T) {
			server := wiretest.New(t, followed...)
			for _, o := range []map[string]any{crashing(), naming("Pool", "shop"), naming("WidgetClass", "")} {
				server.Put(&unstructured.Unstructured{Object: o})
			}
			reader := tree.Reader{Config: server.Config(), Mapper: followedMapper(), Discovery: followedKinds{}, Logs: true, Namespaces: row.namespaces}
			facts, err := reader.Collect(t.Context(), row.ids)
			if err != nil {
				t.Fatal(err)
			}
			var object, events, logs bool
			for _, r := range server.Requests() {
				text := r.String()
				object = object || strings.Contains(text, "pods") && strings.Contains(text, "vault")
				events = events || r.Resource == "events" && strings.Contains(text, "vault")
			}
			logs = len(facts.Logs) > 0
			if !object {
				t.Error("the object is not read")
			}
			if events != row.read || logs != row.read {
				t.Errorf("events are read: %t; logs are read: %t; want %t", events, logs, row.read)
			}
			gap := explain.Gap{Subject: "events and logs in namespace vault", Reason: "not read: only those of requested namespaces are"}
			if slices.Contains(facts.Gaps, gap) == row.read {
				t.Errorf("the gaps are %v", facts.Gaps)
			}
		})
	}
}

package wait_test

import (
	"context"
	"encoding/base64"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/kube/internal/wiretest"
	"kstatus.dev/kube/sets"
	"kstatus.dev/kube/sets/follow"
	"kstatus.dev/kube/wait"
	"kstatus.dev/observe"
	"kstatus.dev/observe/goal"
	"kstatus.dev/status"
)

// A wait for a release has its objects as targets, and fails with the release.
func TestSets(t *testing.T) {
	object := func(name string, labels, data map[string]any) *unstructured.Unstructured {
		return &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "v1", "kind": "ConfigMap", "metadata": map[string]any{"namespace": "shop", "name": name, "uid": name, "labels": labels}, "data": data,
		}}
	}
	for _, row := range []struct {
		it, status string
		goals      []observe.Goal
		want       string // in the error; empty for a success
	}{
		{"succeeds with the objects of a release", "deployed", nil, ""},
		{"applies other goals to the objects only", "deployed", []observe.Goal{goal.Created()}, ""},
		{"fails with the revision", "failed", nil, "helm/shop/web Failed: revision 1 failed"},
		{"waits while Helm is at work", "pending-upgrade", nil, "Helm is not done with it"},
	} {
		t.Run(row.it, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				server := wiretest.New(t, wiretest.Resource{Version: "v1", Kind: "ConfigMap", Name: "configmaps"}, wiretest.Resource{Version: "v1", Kind: "Secret", Name: "secrets"})
				mapper := meta.NewDefaultRESTMapper([]schema.GroupVersion{{Version: "v1"}})
				mapper.Add(schema.GroupVersionKind{Version: "v1", Kind: "ConfigMap"}, meta.RESTScopeNamespace)
				document := `{"name": "web", "namespace": "shop", "version": 1, "info": {"status": "` + row.status + `"}, "manifest": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"}`
				server.Put(object("sh.helm.release.v1.web.v1", map[string]any{"owner": "helm", "name": "web", "status": row.status, "version": "1"},
					map[string]any{"release": base64.StdEncoding.EncodeToString([]byte(document))}))
				server.Put(object("a", nil, nil))
				r := wait.Resolver{
					Config: server.Config(), Requirements: observe.Requirements{Goals: row.goals},
					Sets: []follow.Set{{
						Cluster: &sets.Cluster{Config: server.Config(), Mapper: mapper, Namespace: "shop"},
						Owner:   sets.Owner{Type: sets.TypeHelm, Namespace: "shop", Name: "web"},
					}},
				}
				ctx, stop := context.WithTimeout(t.Context(), time.Minute)
				defer stop()
				var last wait.Event
				have := ""
				for e, err := range r.WaitForStatus(ctx) {
					if err != nil {
						have = err.Error()
						if _, ok := errors.AsType[*wait.Unfinished](err); !ok {
							t.Errorf("have the error %v", err)
						}
						break
					}
					last = e
				}
				if (have == "") != (row.want == "") || !strings.Contains(have, row.want) {
					t.Errorf("have the error %q, want %q", have, row.want)
				}
				a := observe.Target{Kind: status.Kind{Kind: "ConfigMap"}, Namespace: "shop", Name: "a"}
				if row.want == "" && (last.Target != a || last.Aggregate != status.CurrentStatus) {
					t.Errorf("have %s last, and %s together", last.Target, last.Aggregate)
				}
			})
		})
	}
}

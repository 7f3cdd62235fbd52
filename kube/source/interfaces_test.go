package source_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/fake"

	"kstatus.dev/internal/bubble"
	"kstatus.dev/kube/source"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

var (
	widgetResource     = schema.GroupVersionResource{Group: "example.com", Version: "v1", Resource: "widgets"}
	deploymentResource = schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}
)

// fakeCluster returns a fake dynamic client with these objects.
func fakeCluster(objects ...runtime.Object) *fake.FakeDynamicClient {
	return fake.NewSimpleDynamicClientWithCustomListKinds(runtime.NewScheme(), map[schema.GroupVersionResource]string{
		widgetResource: "WidgetList", deploymentResource: "DeploymentList", {Version: "v1", Resource: "secrets"}: "SecretList",
		{Version: "v1", Resource: "pods"}: "PodList", {Group: "apps", Version: "v1", Resource: "replicasets"}: "ReplicaSetList",
	}, objects...)
}

func write(t *testing.T, to dynamic.ResourceInterface, u *unstructured.Unstructured) {
	t.Helper()
	if _, err := to.Update(t.Context(), u, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
}

// A fake dynamic client is enough to wait for built-in and custom kinds.
func TestFakeClients(t *testing.T) {
	widgetMapper := meta.NewDefaultRESTMapper([]schema.GroupVersion{widgetResource.GroupVersion()})
	widgetMapper.Add(widgetResource.GroupVersion().WithKind("Widget"), meta.RESTScopeNamespace)
	promised := definition("v1", "observedGeneration")
	promised["spec"].(map[string]any)["scope"] = "Namespaced"
	for _, row := range []struct {
		it      string
		options source.Options
		more    []runtime.Object
		kind    status.Kind
		before  map[string]any // the status at first
		first   string         // the reason of the first verdict
		after   map[string]any // the status at last
	}{
		{
			it: "finds a built-in kind", kind: status.Kind{Group: "apps", Kind: "Deployment"},
			first: "NotObserved",
			after: map[string]any{"observedGeneration": int64(1), "replicas": int64(1), "updatedReplicas": int64(1), "readyReplicas": int64(1), "availableReplicas": int64(1),
				"conditions": []any{map[string]any{"type": "Available", "status": "True"}, map[string]any{"type": "Progressing", "status": "True"}}},
		},
		{
			it: "finds a custom kind by the mapper", kind: widget, options: source.Options{Mapper: widgetMapper},
			before: map[string]any{"conditions": []any{map[string]any{"type": "Ready", "status": "False", "reason": "Busy"}}}, first: "SummaryConditionNotTrue",
			after: map[string]any{"conditions": []any{map[string]any{"type": "Ready", "status": "True"}}},
		},
		{
			it: "finds a custom kind by its definition, with its expectation", kind: widget,
			more:   []runtime.Object{&unstructured.Unstructured{Object: promised}},
			before: map[string]any{"conditions": []any{map[string]any{"type": "Ready", "status": "True"}}}, first: "NotObserved",
			after: map[string]any{"observedGeneration": int64(1), "conditions": []any{map[string]any{"type": "Ready", "status": "True"}}},
		},
	} {
		t.Run(row.it, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				u := object(row.kind, "shop", "x")
				u.SetGeneration(1)
				u.Object["spec"] = map[string]any{"replicas": int64(1)}
				if row.before != nil {
					u.Object["status"] = row.before
				}
				dynamic := fakeCluster(append(row.more, u)...)
				other := object(row.kind, "shop", "y") // in the same watch, but not a target
				client := source.NewClientFor(source.Interfaces{Dynamic: dynamic}, row.options)
				w := observe.Watcher{Source: &source.Cluster{Client: client}}
				resource := widgetResource
				if row.kind != widget {
					resource = deploymentResource
				}
				var reasons []string
				ctx, stop := context.WithTimeout(t.Context(), 10*time.Minute)
				defer stop()
				for e, err := range w.Updates(ctx, named(row.kind, "shop", "x")...) {
					if err != nil {
						t.Fatal(err)
					}
					if reasons = append(reasons, e.Result.Reason+" "+e.Result.Message); e.Progress == observe.ProgressReached {
						break
					}
					if len(reasons) > 1 {
						continue
					}
					bubble.Sleep(time.Second)
					in := dynamic.Resource(resource).Namespace("shop")
					if _, err := in.Create(t.Context(), other, metav1.CreateOptions{}); err != nil {
						t.Fatal(err)
					}
					u.Object["status"] = row.after
					write(t, in, u)
				}
				if ctx.Err() != nil || !strings.HasPrefix(reasons[0], row.first+" ") {
					t.Errorf("have %q, want %q at first", reasons, row.first)
				}
			})
		})
	}
}

// Without a client for metadata, the values of Secrets are dropped before any caller
// receives them.
func TestSecretsOfFakes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		u := object(secret, "shop", "s")
		u.Object["data"] = map[string]any{"password": "c2VjcmV0"}
		c := source.Cluster{Client: source.NewClientFor(source.Interfaces{Dynamic: fakeCluster(u)}, source.Options{})}
		var seen status.Object
		ctx, stop := context.WithCancel(t.Context())
		if err := c.Observe(ctx, named(secret, "shop", "s"), func(e observe.Event) bool {
			seen = e.Object
			stop()
			return false
		}); err != nil {
			t.Fatal(err)
		}
		if seen == nil || seen.UnstructuredContent()["data"] != nil {
			t.Errorf("seen %v", seen)
		}
	})
}

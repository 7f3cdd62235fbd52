package tree_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"

	"kstatus.dev/explain"
	"kstatus.dev/kube/internal/wiretest"
	"kstatus.dev/kube/tree"
	"kstatus.dev/status"
)

// The kinds that the tests of followed objects serve, in addition to those of all tests.
var followed = append(slices.Clone(resources),
	wiretest.Resource{Group: "external-secrets.io", Version: "v1", Kind: "ExternalSecret", Name: "externalsecrets"},
	wiretest.Resource{Group: "example.com", Version: "v1", Kind: "Pool", Name: "pools"},
	wiretest.Resource{Group: "example.com", Version: "v1", Kind: "WidgetClass", Name: "widgetclasses", ClusterScoped: true})

// followedKinds is what discovery reports of these kinds.
type followedKinds struct {
	discovery.ServerResourcesInterface
}

func (followedKinds) ServerPreferredResources() (all []*metav1.APIResourceList, err error) {
	for _, r := range followed {
		all = append(all, &metav1.APIResourceList{GroupVersion: r.GroupVersionResource().GroupVersion().String(), APIResources: []metav1.APIResource{
			{Name: r.Name, Kind: r.Kind, Namespaced: !r.ClusterScoped, Verbs: []string{"get", "list", "watch"}},
		}})
	}
	return all, nil
}

func followedMapper() meta.RESTMapper {
	var versions []schema.GroupVersion
	for _, r := range followed {
		versions = append(versions, r.GroupVersionResource().GroupVersion())
	}
	m := meta.NewDefaultRESTMapper(versions)
	for _, r := range followed {
		scope := meta.RESTScopeNamespace
		if r.ClusterScoped {
			scope = meta.RESTScopeRoot
		}
		m.AddSpecific(schema.GroupVersionKind{Group: r.Group, Version: r.Version, Kind: r.Kind}, r.GroupVersionResource(), r.GroupVersionResource(), scope)
	}
	return m
}

// collected returns the facts about an object, and the requests for objects of some resources.
func collected(t *testing.T, id status.ID, of string, objects ...map[string]any) (*explain.Facts, []string) {
	t.Helper()
	server := wiretest.New(t, followed...)
	for _, o := range objects {
		server.Put(&unstructured.Unstructured{Object: o})
	}
	facts, err := tree.Reader{Config: server.Config(), Mapper: followedMapper(), Discovery: followedKinds{}}.Collect(t.Context(), []status.ID{id})
	if err != nil {
		t.Fatal(err)
	}
	var requests []string
	for _, r := range server.Requests() {
		isPartSearch := r.Verb == "list" && r.Metadata
		if slices.Contains(strings.Fields(of), r.Resource) && !isPartSearch {
			requests = append(requests, r.String())
		}
	}
	slices.Sort(requests)
	return facts, requests
}

func waitingPod(spec, status map[string]any) map[string]any {
	return map[string]any{"apiVersion": "v1", "kind": "Pod", "metadata": map[string]any{"name": "web", "namespace": "shop", "uid": "p"}, "spec": spec, "status": status}
}

var webPod = status.ID{Kind: status.Kind{Kind: "Pod"}, Namespace: "shop", Name: "web"}

// Of the kinds that may create a missing Secret, the served ones are listed once. Their values are
// not read.
func TestProducersOfMissingSecretsAreListed(t *testing.T) {
	env := []any{map[string]any{"secretRef": map[string]any{"name": "keys"}}, map[string]any{"secretRef": map[string]any{"name": "more"}}}
	pod := waitingPod(map[string]any{"nodeName": "n1", "containers": []any{map[string]any{"name": "app", "image": "x", "envFrom": env}}},
		map[string]any{"phase": "Pending", "startTime": "2026-01-01T00:00:00Z", "conditions": []any{map[string]any{"type": "PodScheduled", "status": "True"}}})
	external := map[string]any{
		"apiVersion": "external-secrets.io/v1", "kind": "ExternalSecret", "metadata": map[string]any{"name": "keys", "namespace": "shop", "uid": "e"},
		"status": map[string]any{"conditions": []any{map[string]any{"type": "Ready", "status": "False", "reason": "SecretSyncedError", "message": "the vault is sealed"}}},
	}
	facts, have := collected(t, webPod, "secrets externalsecrets", pod, external)
	want := []string{"get secrets in shop named keys", "get secrets in shop named more", "list externalsecrets in shop"}
	if !slices.Equal(have, want) {
		t.Errorf("requested %q\nwant %q", have, want)
	}
	isSealed := func(c explain.Cause) bool { return c.Text == "the vault is sealed" }
	if e := explain.Explain(facts, webPod); !slices.ContainsFunc(e.Causes, isSealed) || len(e.Causes) != 2 || len(facts.Gaps) > 0 {
		t.Errorf("have causes %+v and gaps %v", e.Causes, facts.Gaps)
	}
}

// Nodes are listed only if the scheduler hides their taints, and then as one page of those that the
// Pod selects.
func TestNodesAreListedForHiddenTaints(t *testing.T) {
	node := map[string]any{
		"apiVersion": "v1", "kind": "Node", "metadata": map[string]any{"name": "n1", "uid": "n", "labels": map[string]any{"pool": "big"}},
		"spec":   map[string]any{"taints": []any{map[string]any{"key": "team", "value": "data", "effect": "NoSchedule"}}},
		"status": map[string]any{"conditions": []any{map[string]any{"type": "Ready", "status": "True"}}},
	}
	for message, want := range map[string]string{
		"0/1 nodes are available: 1 node(s) had untolerated taint(s).":                  "[list nodes with pool=big]",
		"0/1 nodes are available: 1 node(s) had untolerated taint {team: data}.":        "[]",
		"0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector.": "[]",
	} {
		pod := waitingPod(map[string]any{"nodeSelector": map[string]any{"pool": "big"}, "containers": []any{map[string]any{"name": "app", "image": "x"}}},
			map[string]any{"phase": "Pending", "conditions": []any{map[string]any{"type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": message}}})
		if _, have := collected(t, webPod, "nodes", pod, node); fmt.Sprint(have) != want {
			t.Errorf("%s: requested %q, want %s", message, have, want)
		}
	}
}

// A reference without a kind is to the kind of its API group that the name of the field means.
// Other words of a message are no objects.
func TestSimilarKindsAreRead(t *testing.T) {
	widget := map[string]any{
		"apiVersion": "example.com/v1", "kind": "Widget", "metadata": map[string]any{"name": "w", "namespace": "shop", "uid": "w"},
		"spec":   map[string]any{"poolRef": map[string]any{"name": "blue"}, "classRef": "large", "ownerNameRef": "x"},
		"status": map[string]any{"conditions": []any{map[string]any{"type": "Ready", "status": "False", "reason": "Waiting", "message": "Failed: Reconciler w1 is not done, Pool \"green\" not found"}}},
	}
	id := status.ID{Kind: status.Kind{Group: "example.com", Kind: "Widget"}, Namespace: "shop", Name: "w"}
	facts, have := collected(t, id, "pools widgetclasses", widget)
	want := []string{"get pools in shop named blue", "get pools in shop named green", "get widgetclasses named large", "list pools", "list widgetclasses"} // lists of the missing names elsewhere
	if !slices.Equal(have, want) {
		t.Errorf("requested %q\nwant %q", have, want)
	}
	if e := explain.Explain(facts, id); len(e.Causes) == 0 || e.Causes[0].Text != "pool shop/green not found" || len(facts.Gaps) > 0 {
		t.Errorf("have causes %+v and gaps %v", e.Causes, facts.Gaps)
	}
}

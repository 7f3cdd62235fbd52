package clusterapitest

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"

	"kstatus.dev/clusterapi/internal/management"
	"kstatus.dev/internal/decoded"
	"kstatus.dev/kube/wiretest"
)

// NewServer returns a management cluster in memory. It serves Secret, ConfigMap, Lease, Namespace
// and some of [Kinds], or all of them if none are named. The UID is that of the namespace
// kube-system.
func NewServer(t testing.TB, uid string, names ...string) *wiretest.Server {
	all := []string{"get", "list", "watch", "create", "update", "patch", "delete"}
	s := wiretest.New(t,
		wiretest.Resource{Version: "v1", Kind: "Namespace", Name: "namespaces", ClusterScoped: true, Verbs: all},
		wiretest.Resource{Group: "apiextensions.k8s.io", Version: "v1", Kind: "CustomResourceDefinition", Name: "customresourcedefinitions", ClusterScoped: true, Verbs: all},
		wiretest.Resource{Group: "coordination.k8s.io", Version: "v1", Kind: "Lease", Name: "leases", Verbs: all},
	)
	for _, namespace := range []string{metav1.NamespaceSystem, metav1.NamespaceDefault} {
		s.Put(NewNamespace(namespace, uid+"-"+namespace))
	}
	for _, k := range Kinds() {
		if k.Definition != "" && len(names) > 0 && !slices.Contains(names, k.Kind) {
			continue
		}
		s.Serve(wiretest.Resource{Group: k.Group, Version: k.Version, Kind: k.Kind, Name: k.Resource, ClusterScoped: !k.Namespaced, Status: k.HasStatus, Verbs: all})
		if k.Definition != "" {
			s.Put(definition(k))
		}
	}
	return s
}

// NewNamespace returns a namespace.
func NewNamespace(name, uid string) *unstructured.Unstructured {
	u := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": "Namespace"}}
	u.SetName(name)
	u.SetUID(types.UID(uid))
	return u
}

// definition returns the definition of a kind.
func definition(k *management.Kind) *unstructured.Unstructured {
	version := map[string]any{"name": k.Version, "served": true, "storage": true}
	if k.HasStatus {
		version["subresources"] = map[string]any{"status": map[string]any{}}
	}
	scope := "Cluster"
	if k.Namespaced {
		scope = "Namespaced"
	}
	u := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
		"spec": map[string]any{
			"group": k.Group, "scope": scope, "versions": []any{version},
			"names": map[string]any{"kind": k.Kind, "plural": k.Resource},
		},
	}}
	u.SetName(k.Definition)
	u.SetLabels(k.Labels)
	return u
}

// A Core is the controllers of Cluster API on a server. They do one thing: each object with a status
// gets the condition Paused, for its own pause or that of its Cluster.
type Core struct {
	server *wiretest.Server

	mu      sync.Mutex // guards ignored
	ignored []string
}

// RunCore runs the controllers on a server until the test ends, except for those of some kinds.
func RunCore(s *wiretest.Server, ignored ...string) *Core {
	c := &Core{server: s, ignored: ignored}
	s.Follow(func(e wiretest.Event) {
		if e.Type == watch.Deleted {
			return
		}
		c.report(e.Object)
		if e.Object.GroupVersionKind().GroupKind() != management.Cluster {
			return
		}
		for _, u := range s.Objects() {
			if u.GetNamespace() == e.Object.GetNamespace() && u.GetLabels()[management.ClusterNameLabel] == e.Object.GetName() {
				c.report(u)
			}
		}
	})
	return c
}

// Ignore stops the controllers of some kinds, and runs all others.
func (c *Core) Ignore(kinds ...string) {
	c.mu.Lock()
	c.ignored = kinds
	c.mu.Unlock()
	for _, u := range c.server.Objects() {
		c.report(u)
	}
}

// reports reports whether a controller works on the objects of a kind.
func (c *Core) reports(gk schema.GroupKind) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	k := management.Find(Kinds(), gk)
	return k != nil && k.HasStatus && !slices.Contains(c.ignored, k.Kind)
}

// report sets the condition Paused of an object, unless it is as it should be.
func (c *Core) report(u *unstructured.Unstructured) {
	if !c.reports(u.GroupVersionKind().GroupKind()) {
		return
	}
	cluster := u
	if name := u.GetLabels()[management.ClusterNameLabel]; name != "" {
		cluster = c.server.Find(management.Cluster, u.GetNamespace(), name)
	}
	isPaused := IsPaused(u) || cluster != nil && IsPaused(cluster)
	if want := fmt.Sprint(map[bool]string{true: "True", false: "False"}[isPaused], u.GetGeneration()); paused(u) != want {
		c.server.Edit("capi-manager", "status", u, func(u *unstructured.Unstructured) { SetPaused(u, isPaused) })
	}
}

// paused returns the status and the generation of the condition Paused.
func paused(u *unstructured.Unstructured) string {
	for _, c := range decoded.Maps(u.Object, "status", "conditions") {
		if c["type"] == "Paused" {
			return fmt.Sprint(c["status"], c["observedGeneration"])
		}
	}
	return ""
}

// IsPaused reports whether an object pauses its controllers itself.
func IsPaused(u *unstructured.Unstructured) bool {
	_, annotated := u.GetAnnotations()[management.PausedAnnotation]
	return annotated || decoded.Bool(u.Object, "spec", "paused") && u.GroupVersionKind().GroupKind() == management.Cluster
}

// SetPaused sets the condition Paused of an object.
func SetPaused(u *unstructured.Unstructured, paused bool) {
	want := map[string]any{
		"type": "Paused", "status": "False", "reason": "NotPaused", "observedGeneration": u.GetGeneration(),
		"lastTransitionTime": time.Now().UTC().Format(time.RFC3339),
	}
	if paused {
		want["status"], want["reason"] = "True", "Paused"
	}
	conditions, _, _ := unstructured.NestedSlice(u.Object, "status", "conditions")
	i := slices.IndexFunc(conditions, func(c any) bool { m, _ := c.(map[string]any); return m["type"] == "Paused" })
	if i < 0 {
		conditions, i = append(conditions, want), len(conditions)
	}
	if before, _ := conditions[i].(map[string]any); before["status"] == want["status"] {
		want["lastTransitionTime"] = before["lastTransitionTime"]
	}
	conditions[i] = want
	if u.Object["status"] == nil {
		u.Object["status"] = map[string]any{}
	}
	_ = unstructured.SetNestedSlice(u.Object, conditions, "status", "conditions") // the status is a map
}

package clusterapitest

import (
	"slices"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"

	"kstatus.dev/kube/internal/clusterapi"
	"kstatus.dev/kube/internal/wiretest"
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
func definition(k *clusterapi.Kind) *unstructured.Unstructured {
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

// RunCore runs the controllers of Cluster API on a server until the test ends. They do one thing:
// each object with a status gets the condition Paused, for its own pause or that of its Cluster.
// Objects of the silent kinds do not.
func RunCore(s *wiretest.Server, silent ...string) {
	var reporting []*clusterapi.Kind
	for _, k := range Kinds() {
		if k.HasStatus && !slices.Contains(silent, k.Kind) {
			reporting = append(reporting, k)
		}
	}
	c := &core{s, reporting}
	s.Follow(func(e wiretest.Event) {
		if e.Type == watch.Deleted {
			return
		}
		c.report(e.Object)
		if e.Object.GroupVersionKind().GroupKind() != clusterapi.Cluster {
			return
		}
		for _, u := range s.Objects() {
			if u.GetNamespace() == e.Object.GetNamespace() && u.GetLabels()[clusterapi.ClusterNameLabel] == e.Object.GetName() {
				c.report(u)
			}
		}
	})
}

// A core is the controllers of a server.
type core struct {
	server *wiretest.Server
	kinds  []*clusterapi.Kind // that report Paused
}

// report sets the condition Paused of an object, unless it is as it should be.
func (c *core) report(u *unstructured.Unstructured) {
	if clusterapi.Find(c.kinds, u.GroupVersionKind().GroupKind()) == nil {
		return
	}
	cluster := u
	if name := u.GetLabels()[clusterapi.ClusterNameLabel]; name != "" {
		cluster = c.server.Find(clusterapi.Cluster, u.GetNamespace(), name)
	}
	c.server.Edit("capi-manager", "status", u, func(u *unstructured.Unstructured) {
		SetPaused(u, IsPaused(u) || cluster != nil && IsPaused(cluster))
	})
}

// IsPaused reports whether an object pauses its controllers itself.
func IsPaused(u *unstructured.Unstructured) bool {
	_, annotated := u.GetAnnotations()[clusterapi.PausedAnnotation]
	paused, _, _ := unstructured.NestedBool(u.Object, "spec", "paused")
	return annotated || paused && u.GroupVersionKind().GroupKind() == clusterapi.Cluster
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

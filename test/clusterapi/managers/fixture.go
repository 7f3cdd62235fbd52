package managers

import (
	"context"
	"strings"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"

	"kstatus.dev/test/lib/cluster"
)

// The kinds of the core manager of Cluster API.
var (
	Clusters = Resource("cluster.x-k8s.io", "v1beta2", "clusters")
	Machines = Resource("cluster.x-k8s.io", "v1beta2", "machines")
)

// Resource returns a kind by the name of its resource.
func Resource(group, version, name string) schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: group, Version: version, Resource: name}
}

// A Fixture is a namespace of a cluster with the core manager of Cluster API, for one test. Its
// methods act as a user, and end the test if they fail.
type Fixture struct {
	T         *testing.T
	Cluster   *cluster.Cluster
	Namespace string
	Dynamic   dynamic.Interface
	Patience  time.Duration // the timeout of any step on a busy machine
}

// NewFixture returns a fixture for a namespace, which need not exist yet.
func NewFixture(t *testing.T, c *cluster.Cluster, namespace string) *Fixture {
	t.Helper()
	client, err := dynamic.NewForConfig(c.Config())
	if err != nil {
		t.Fatal(err)
	}
	return &Fixture{T: t, Cluster: c, Namespace: namespace, Dynamic: client, Patience: 3 * time.Minute}
}

// Apply applies manifests into the namespace.
func (f *Fixture) Apply(manifest string) {
	f.T.Helper()
	f.Cluster.Apply(f.T, f.Namespace, manifest)
}

// Client returns the client for a kind in the namespace.
func (f *Fixture) Client(r schema.GroupVersionResource) dynamic.ResourceInterface {
	return f.Dynamic.Resource(r).Namespace(f.Namespace)
}

// Get returns an object, and nil if it does not exist.
func (f *Fixture) Get(r schema.GroupVersionResource, name string) *unstructured.Unstructured {
	obj, err := f.Client(r).Get(f.T.Context(), name, metav1.GetOptions{})
	if err != nil {
		return nil
	}
	return obj
}

// Names returns the names of the objects of a kind.
func (f *Fixture) Names(r schema.GroupVersionResource) (names []string) {
	f.T.Helper()
	list, err := f.Client(r).List(f.T.Context(), metav1.ListOptions{})
	if err != nil {
		f.T.Fatal(err)
	}
	for i := range list.Items {
		names = append(names, list.Items[i].GetName())
	}
	return names
}

// Until waits for a state, which what describes.
func (f *Fixture) Until(what string, is func() bool) {
	f.T.Helper()
	ctx, cancel := context.WithTimeout(f.T.Context(), f.Patience)
	defer cancel()
	if Until(ctx, is) != nil {
		f.T.Fatalf("not within %s: %s", f.Patience, what)
	}
}

// WaitUntil waits for an object in an expected state, and returns it.
func (f *Fixture) WaitUntil(r schema.GroupVersionResource, name, what string, is func(*unstructured.Unstructured) bool) (last *unstructured.Unstructured) {
	f.T.Helper()
	ctx, cancel := context.WithTimeout(f.T.Context(), f.Patience)
	defer cancel()
	err := Until(ctx, func() bool {
		last = f.Get(r, name)
		return last != nil && is(last)
	})
	if err != nil {
		f.T.Fatalf("%s %s is not %s after %s; it is %s", r.Resource, name, what, f.Patience, Text(last))
	}
	return last
}

// WaitFor waits for conditions of an object, such as "Ready=True".
func (f *Fixture) WaitFor(r schema.GroupVersionResource, name string, conditions ...string) *unstructured.Unstructured {
	f.T.Helper()
	var all []func(*unstructured.Unstructured) bool
	for _, c := range conditions {
		all = append(all, HasCondition(c))
	}
	return f.WaitUntil(r, name, strings.Join(conditions, ", "), AllOf(all...))
}

// WaitForDeletion waits until an object does not exist.
func (f *Fixture) WaitForDeletion(r schema.GroupVersionResource, name string) {
	f.T.Helper()
	f.Until(r.Resource+" "+name+" is deleted", func() bool {
		_, err := f.Client(r).Get(f.T.Context(), name, metav1.GetOptions{})
		return apierrors.IsNotFound(err)
	})
}

// Patch merges changes into an object, or into a subresource.
func (f *Fixture) Patch(r schema.GroupVersionResource, name, patch string, subresources ...string) *unstructured.Unstructured {
	f.T.Helper()
	obj, err := f.Client(r).Patch(f.T.Context(), name, types.MergePatchType, []byte(patch), metav1.PatchOptions{FieldManager: "user"}, subresources...)
	if err != nil {
		f.T.Fatal(err)
	}
	return obj
}

// Remove deletes an object.
func (f *Fixture) Remove(r schema.GroupVersionResource, name string) {
	f.T.Helper()
	if err := f.Client(r).Delete(f.T.Context(), name, metav1.DeleteOptions{}); err != nil {
		f.T.Fatal(err)
	}
}

package cluster

import (
	"context"
	"testing"

	"kstatus.dev/test/lib/apply"
)

// Apply applies the objects of a manifest. Namespaced objects without a namespace go to the
// given one.
func (c *Cluster) Apply(t testing.TB, namespace, manifest string) {
	t.Helper()
	objects, err := apply.Parse([]byte(manifest))
	if err == nil {
		err = apply.To(t.Context(), c.Config(), namespace, objects, nil)
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, manifest)
	}
}

// Delete deletes the objects of a manifest. It ignores missing objects, and does not wait for
// the end of the deletions. Any goroutine may call it, even after the test.
func (c *Cluster) Delete(t testing.TB, namespace, manifest string) {
	t.Helper()
	objects, err := apply.Parse([]byte(manifest))
	if err == nil {
		err = apply.Delete(context.WithoutCancel(t.Context()), c.Config(), namespace, objects, nil)
	}
	if err != nil {
		t.Errorf("%v\n%s", err, manifest)
	}
}

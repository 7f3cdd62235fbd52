package cluster

import (
	"context"
	"testing"

	"kstatus.dev/test/apply"
)

// Apply brings what a manifest names into the cluster. What names no namespace and needs one
// goes to the one that is given.
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

// Delete deletes what a manifest names. What is gone already is fine, and the end of the rest
// is not waited for. It may be called from any goroutine, and once the test is over.
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

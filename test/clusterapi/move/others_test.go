package move

import (
	"context"
	"errors"
	"fmt"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/clusterapi/move"
)

// An otherWriter writes on a side while a move is in a phase, and says which error stops the move.
type otherWriter struct {
	it    string
	do    func(y *yard)
	stops func(error) bool
}

// is returns a check of the type of an error.
func is[E error]() func(error) bool {
	return func(err error) bool {
		_, ok := errors.AsType[E](err)
		return ok
	}
}

// otherWriters are what others do to the objects of the yard in TestOtherWriters.
var otherWriters = []otherWriter{
	{"unpauses the source", func(y *yard) {
		y.merge(y.from, clusters, "a", `{"spec":{"paused":false}}`)
	}, func(err error) bool { return is[*move.NotPausedError]()(err) || is[*move.StatusError]()(err) }},
	{"creates a Secret again", func(y *yard) { y.again(secrets, "a-ca") },
		func(err error) bool { return is[*move.CollisionError]()(err) || is[*move.LastCopyError]()(err) }},
	{"creates a custom object again", func(y *yard) { y.again(crates, "c") },
		func(err error) bool { return is[*move.CollisionError]()(err) || is[*move.LastCopyError]()(err) }},
	{"writes a status", func(y *yard) {
		y.merge(y.from, tanks, "t", `{"status":{"power":"on"}}`, "status")
	}, is[*move.StatusError]()},
	{"deletes a copy", func(y *yard) {
		if err := y.in(y.to, secrets).Delete(context.Background(), "a-ca", metav1.DeleteOptions{}); err != nil {
			y.t.Error(err)
		}
	}, func(err error) bool { return err != nil }},
}

// again creates an object of the source again, with another content.
func (y *yard) again(r schema.GroupVersionResource, name string) {
	u := y.find(y.to, r, name)
	if u == nil {
		y.t.Errorf("%s has no copy", name)
		return
	}
	_ = y.in(y.from, r).Delete(context.Background(), name, metav1.DeleteOptions{}) // the move may have deleted it
	next := &unstructured.Unstructured{Object: map[string]any{"apiVersion": u.GetAPIVersion(), "kind": u.GetKind()}}
	next.SetName(name)
	next.SetLabels(map[string]string{"cluster.x-k8s.io/cluster-name": "a"})
	if _, err := y.in(y.from, r).Create(context.Background(), next, metav1.CreateOptions{FieldManager: "external-secrets"}); err != nil {
		y.t.Error(err)
	}
}

// Others write on both sides while a move is under way. It stops, and what existed at the beginning
// is on one of the sides. No Cluster is active on both.
func TestOtherWriters(t *testing.T) {
	phases := []move.Phase{move.Verifying, move.Deleting}
	writers := otherWriters
	if testing.Short() {
		phases, writers = phases[1:], writers[:2]
	}
	for _, phase := range phases {
		for _, row := range writers {
			t.Run(fmt.Sprintf("%s while %s", row.it, phase), func(t *testing.T) {
				t.Parallel()
				y := newYard(t)
				y.create("Cluster a : " + bare + "\nTank t < Cluster a\nCrate c < Cluster a : {spec: {size: the-first}}\nSecret a-ca : {stringData: {tls.key: THE-ONLY-CA-KEY}}")
				o := begin(y.options(), phase, func() { row.do(y) })
				r, err := y.run(t.Context(), o)
				if !row.stops(err) {
					t.Fatalf("it %s: the move ends with %+v, %v", row.it, r, err)
				}
				y.wantContents()
			})
		}
	}
}

// wantContents checks that no content of TestOtherWriters is lost, and that the Cluster is active on
// at most one side.
func (y *yard) wantContents() {
	y.t.Helper()
	key, crate, active := false, false, 0
	for _, s := range []*site{y.from, y.to} {
		if u := y.find(s, secrets, "a-ca"); u != nil && field(u, "data", "tls.key") == "VEhFLU9OTFktQ0EtS0VZ" {
			key = true
		}
		if u := y.find(s, crates, "c"); u != nil && field(u, "spec", "size") == "the-first" {
			crate = true
		}
		if u := y.find(s, clusters, "a"); u != nil && field(u, "spec", "paused") != true {
			active++
		}
	}
	if !key || !crate || active > 1 {
		y.t.Errorf("the key exists: %t, the Crate exists: %t, and the Cluster is active on %d sides", key, crate, active)
	}
}

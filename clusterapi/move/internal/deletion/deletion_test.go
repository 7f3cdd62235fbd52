package deletion

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/dynamic"

	"kstatus.dev/clusterapi/internal/management"
	"kstatus.dev/kube/wiretest"
)

// boxes is the kind of the object to delete.
var boxes = wiretest.Resource{Group: "infrastructure.cluster.x-k8s.io", Version: "v1", Kind: "Box", Name: "boxes"}

// conflicts answers writes as if somebody else was faster.
func conflicts(times int) func(*wiretest.Server, *unstructured.Unstructured) {
	return func(s *wiretest.Server, _ *unstructured.Unstructured) {
		s.On(wiretest.Rule{Match: wiretest.Match{Verbs: []string{"patch", "delete"}}, Times: times, Reply: wiretest.Reply{Code: 409, Reason: metav1.StatusReasonConflict}})
	}
}

// change stores another version of the object.
func change(f func(*unstructured.Unstructured)) func(*wiretest.Server, *unstructured.Unstructured) {
	return func(s *wiretest.Server, u *unstructured.Unstructured) {
		u = u.DeepCopy()
		f(u)
		s.Put(u)
	}
}

// A Box with the UID mine, a finalizer and the annotation policy is deleted. No version of it that
// is being deleted lacks an annotation or has that finalizer.
func TestDelete(t *testing.T) {
	const safe = "policy delete-for-move [orphan]"
	for _, row := range []struct {
		it          string
		prepare     func(*wiretest.Server, *unstructured.Unstructured)
		unprotected bool
		before      error
		want        string // the annotations and the finalizers while it is deleted; empty: it stays
		err         string // in the error; empty: none
		calls       int    // of before
		ownsNothing bool
		known       bool // it was read before prepare
		reads       int  // after that, if it is known
	}{
		{it: "is marked, loses its finalizers and is deleted", want: safe, calls: 1},
		{it: "owns nothing, and does not wait for the garbage collector", ownsNothing: true, want: "", calls: 1},
		{it: "is marked without being read again", known: true, want: safe, calls: 1},
		{it: "has changed since it was read", known: true, prepare: change(func(u *unstructured.Unstructured) { u.SetLabels(map[string]string{"a": "b"}) }), want: safe, calls: 2, reads: 1},
		{it: "was replaced since it was read", known: true, prepare: change(func(u *unstructured.Unstructured) { u.SetUID("yours") }), err: ErrReplaced.Error(), calls: 1, reads: 1},
		{it: "is gone since it was read", known: true, prepare: func(s *wiretest.Server, u *unstructured.Unstructured) { s.Delete(u) }, calls: 1},
		{it: "is not protected, and has changed since it was read", unprotected: true, known: true, prepare: change(func(u *unstructured.Unstructured) {
			u.SetFinalizers(nil)
			u.SetLabels(map[string]string{"a": "b"})
		}), want: "policy [orphan]", calls: 2, reads: 1},
		{it: "is not protected, and is not marked", unprotected: true, want: "policy [orphan]", calls: 1},
		{it: "does not exist", prepare: func(s *wiretest.Server, u *unstructured.Unstructured) { s.Delete(u) }},
		{it: "is another object", prepare: change(func(u *unstructured.Unstructured) { u.SetUID("yours") }), err: ErrReplaced.Error()},
		{it: "has the mark already", prepare: change(func(u *unstructured.Unstructured) {
			u.SetAnnotations(map[string]string{"policy": "skip", management.DeleteForMoveAnnotation: ""})
		}), want: safe, calls: 1},
		{it: "has no annotations and no finalizers", prepare: change(func(u *unstructured.Unstructured) {
			u.SetAnnotations(nil)
			u.SetFinalizers(nil)
		}), want: "delete-for-move [orphan]", calls: 1},
		{it: "loses an annotation to a webhook", prepare: func(s *wiretest.Server, _ *unstructured.Unstructured) {
			s.Admit(func(_ wiretest.Request, u *unstructured.Unstructured) error {
				unstructured.RemoveNestedField(u.Object, "metadata", "annotations", "policy")
				return nil
			})
		}, err: "its annotations changed when " + management.DeleteForMoveAnnotation + " was added, so it is not deleted", calls: 1},
		{it: "is not ready to be deleted", before: errors.New("wait"), err: "wait", calls: 1},
		{it: "is written by others meanwhile", prepare: conflicts(3), want: safe, calls: 4},
		{it: "is written by others all the time", prepare: conflicts(0), err: "conflict", calls: 11},
		{it: "is deleted by somebody else", prepare: change(func(u *unstructured.Unstructured) {
			u.SetDeletionTimestamp(&metav1.Time{Time: time.Now()})
			u.SetFinalizers([]string{"box", "orphan"})
		}), want: "policy [orphan]"},
		{it: "waits for its orphans only", prepare: change(func(u *unstructured.Unstructured) {
			u.SetDeletionTimestamp(&metav1.Time{Time: time.Now()})
			u.SetFinalizers([]string{"orphan"})
		}), want: "policy [orphan]"},
	} {
		t.Run("an object that "+row.it, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := wiretest.New(t, boxes)
				u := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "infrastructure.cluster.x-k8s.io/v1", "kind": "Box"}}
				u.SetNamespace("shop")
				u.SetName("a")
				u.SetUID("mine")
				u.SetFinalizers([]string{"box"})
				u.SetAnnotations(map[string]string{"policy": "skip"})
				s.Put(u)
				var known *unstructured.Unstructured
				if row.known {
					known = s.Find(u.GroupVersionKind().GroupKind(), "shop", "a")
				}
				if row.prepare != nil {
					row.prepare(s, u)
				}
				client, err := dynamic.NewForConfig(s.Config())
				if err != nil {
					t.Fatal(err)
				}
				o := Object{Client: client.Resource(boxes.GroupVersionResource()).Namespace("shop"), Name: "a", UID: "mine", Unprotected: row.unprotected, Known: known, OwnsNothing: row.ownsNothing}
				calls := 0
				err = o.Delete(t.Context(), func(_ context.Context, live *unstructured.Unstructured) error {
					calls++
					return row.before
				})
				if row.err == "" && err != nil || row.err != "" && (err == nil || !strings.Contains(err.Error(), row.err)) {
					t.Errorf("have the error %v, want %q in it", err, row.err)
				}
				reads := slices.DeleteFunc(s.Requests(), func(r wiretest.Request) bool { return r.Verb != "get" })
				if row.known && len(reads) != row.reads {
					t.Errorf("it is read %d times, want %d", len(reads), row.reads)
				}
				if row.ownsNothing && s.Find(u.GroupVersionKind().GroupKind(), "shop", "a") != nil {
					t.Error("it is still there")
				}
				if have := going(s); have != row.want || calls != row.calls {
					t.Errorf("have %q and %d calls, want %q and %d", have, calls, row.want, row.calls)
				}
			})
		})
	}
}

// going returns the names of the annotations and the finalizers of an object that is being deleted.
func going(s *wiretest.Server) string {
	for _, u := range s.Objects() {
		if u.GetDeletionTimestamp() == nil {
			continue
		}
		text := ""
		for _, name := range []string{"policy", management.DeleteForMoveAnnotation} {
			if _, has := u.GetAnnotations()[name]; has {
				text += name[strings.LastIndex(name, "/")+1:] + " "
			}
		}
		return text + fmt.Sprint(u.GetFinalizers())
	}
	return ""
}

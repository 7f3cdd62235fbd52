package wiretest_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"

	"kstatus.dev/kube/internal/wiretest"
)

// A store is a server of widgets with a status, and a client of them.
type store struct {
	dynamic.ResourceInterface
	server  *wiretest.Server
	context func() context.Context
}

func newStore(t *testing.T) store {
	resource := widgets
	resource.Status = true
	server := wiretest.New(t, resource)
	client, err := dynamic.NewForConfig(server.Config())
	if err != nil {
		t.Fatal(err)
	}
	return store{client.Resource(resource.GroupVersionResource()).Namespace("shop"), server, t.Context}
}

// names returns the names of the widgets, with a mark at each that is being deleted.
func (s store) names() (names []string) {
	for _, u := range s.server.Objects() {
		name := u.GetName()
		if u.GetDeletionTimestamp() != nil {
			name += "!"
		}
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// edit changes a widget.
func (s store) edit(name string, edit func(*unstructured.Unstructured)) {
	s.server.Edit("tester", "", widget(name, ""), edit)
}

func (s store) get(name string) *unstructured.Unstructured {
	return s.server.Find(widget(name, "").GroupVersionKind().GroupKind(), "shop", name)
}

// Requests that change the widget a, which has a finalizer and the status 1, and what they answer.
func TestWrites(t *testing.T) {
	orphan, wrong := metav1.DeletePropagationOrphan, "7"
	dry := []string{metav1.DryRunAll}
	isNil := func(err error) bool { return err == nil }
	patch := func(s store, text string, parts ...string) error {
		_, err := s.Patch(s.context(), "a", types.MergePatchType, []byte(text), metav1.PatchOptions{FieldManager: "me"}, parts...)
		return err
	}
	create := func(name string, o metav1.CreateOptions) func(store) error {
		return func(s store) error { _, err := s.Create(s.context(), widget(name, "web"), o); return err }
	}
	remove := func(o metav1.DeleteOptions) func(store) error {
		return func(s store) error { return s.ResourceInterface.Delete(s.context(), "a", o) }
	}
	for _, row := range []struct {
		it   string
		do   func(store) error
		is   func(error) bool
		want string // the names, the generation, the status and the finalizers of a
	}{
		{"creates an object", create("b", metav1.CreateOptions{}), isNil, "[a b] 1 1 [f]"},
		{"creates nothing as a dry run", create("b", metav1.CreateOptions{DryRun: dry}), isNil, "[a] 1 1 [f]"},
		{"does not create an object twice", create("a", metav1.CreateOptions{}), apierrors.IsAlreadyExists, "[a] 1 1 [f]"},
		{"patches a label", func(s store) error { return patch(s, `{"metadata": {"labels": {"app": "db"}}}`) }, isNil, "[a] 1 1 [f]"},
		{"counts generations of the spec", func(s store) error { return patch(s, `{"spec": {"size": 2}}`) }, isNil, "[a] 2 1 [f]"},
		{"patches another version", func(s store) error { return patch(s, `{"metadata": {"resourceVersion": "7"}}`) }, apierrors.IsConflict, "[a] 1 1 [f]"},
		{"patches another object", func(s store) error { return patch(s, `{"metadata": {"uid": "7"}}`) }, apierrors.IsConflict, "[a] 1 1 [f]"},
		{"does not patch the status with the object", func(s store) error { return patch(s, `{"status": {"n": "2"}}`) }, isNil, "[a] 1 1 [f]"},
		{"patches the status only", func(s store) error { return patch(s, `{"status": {"n": "2"}, "spec": {"size": 2}}`, "status") }, isNil, "[a] 1 2 [f]"},
		{"replaces an object", func(s store) error {
			u := widget("a", "web")
			u.SetResourceVersion(s.get("a").GetResourceVersion())
			_, err := s.Update(s.context(), u, metav1.UpdateOptions{})
			return err
		}, isNil, "[a] 1 1 []"},
		{"replaces another version", func(s store) error {
			u := widget("a", "web")
			u.SetResourceVersion("7")
			_, err := s.Update(s.context(), u, metav1.UpdateOptions{})
			return err
		}, apierrors.IsConflict, "[a] 1 1 [f]"},
		{"waits for finalizers", remove(metav1.DeleteOptions{}), isNil, "[a!] 1 1 [f]"},
		{"deletes with the last finalizer", func(s store) error {
			return errors.Join(remove(metav1.DeleteOptions{})(s), patch(s, `{"metadata": {"finalizers": null}}`))
		}, isNil, "[] 0  []"},
		{"deletes nothing as a dry run", remove(metav1.DeleteOptions{DryRun: dry}), isNil, "[a] 1 1 [f]"},
		{"deletes another version", remove(metav1.DeleteOptions{Preconditions: &metav1.Preconditions{ResourceVersion: &wrong}}), apierrors.IsConflict, "[a] 1 1 [f]"},
		{"orphans what an object owns", remove(metav1.DeleteOptions{PropagationPolicy: &orphan}), isNil, "[a!] 1 1 [f orphan]"},
		{"refuses what a webhook refuses", func(s store) error {
			s.server.Admit(func(r wiretest.Request, u *unstructured.Unstructured) error {
				return fmt.Errorf("no room for %s", u.GetName())
			})
			return create("b", metav1.CreateOptions{})(s)
		}, func(err error) bool {
			return apierrors.IsForbidden(err) && strings.Contains(err.Error(), "no room for b")
		}, "[a] 1 1 [f]"},
	} {
		t.Run(row.it, func(t *testing.T) {
			s := newStore(t)
			a := widget("a", "web")
			a.SetFinalizers([]string{"f"})
			a.SetGeneration(1)
			a.Object["status"] = map[string]any{"n": "1"}
			s.server.Put(a)
			if err := row.do(s); !row.is(err) {
				t.Errorf("have the error %v", err)
			}
			u, status := s.get("a"), ""
			if u == nil {
				u = &unstructured.Unstructured{}
			} else {
				status, _, _ = unstructured.NestedString(u.Object, "status", "n")
			}
			if have := fmt.Sprint(s.names(), u.GetGeneration(), " ", status, " ", u.GetFinalizers()); have != row.want {
				t.Errorf("have %s, want %s", have, row.want)
			}
		})
	}
}

// The garbage collector removes references to owners that are orphaned, and deletes objects whose
// owner is gone.
func TestGarbage(t *testing.T) {
	for _, row := range []struct {
		it     string
		policy metav1.DeletionPropagation
		want   string
	}{
		{"keeps what is orphaned", metav1.DeletePropagationOrphan, "[both owned]"},
		{"deletes what has no owner left", metav1.DeletePropagationBackground, "[both]"},
	} {
		t.Run(row.it, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newStore(t)
				s.server.Put(widget("owner", ""))
				owner := metav1.OwnerReference{APIVersion: "example.com/v1", Kind: "Widget", Name: "owner", UID: s.get("owner").GetUID()}
				other := owner
				other.UID = "other"
				for name, owners := range map[string][]metav1.OwnerReference{"owned": {owner}, "both": {owner, other}} {
					u := widget(name, "")
					u.SetOwnerReferences(owners)
					s.server.Put(u)
				}
				s.server.CollectGarbage()
				if err := s.ResourceInterface.Delete(t.Context(), "owner", metav1.DeleteOptions{PropagationPolicy: &row.policy}); err != nil {
					t.Fatal(err)
				}
				synctest.Wait()
				if have := fmt.Sprint(s.names()); have != row.want || len(s.get("both").GetOwnerReferences()) != 1 {
					t.Errorf("have %s and the owners %v", have, s.get("both").GetOwnerReferences())
				}
			})
		})
	}
}

// A client may do what no rule forbids.
func TestReviews(t *testing.T) {
	server := wiretest.New(t, widgets)
	server.On(wiretest.Rule{Match: wiretest.Match{Verbs: []string{"delete"}, Resource: "widgets"}, Reply: wiretest.Forbidden})
	client, err := dynamic.NewForConfig(server.Config())
	if err != nil {
		t.Fatal(err)
	}
	reviews := client.Resource(wiretest.Resource{Group: "authorization.k8s.io", Version: "v1", Name: "selfsubjectaccessreviews"}.GroupVersionResource())
	for verb, want := range map[string]bool{"get": true, "delete": false} {
		review := &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "authorization.k8s.io/v1", "kind": "SelfSubjectAccessReview",
			"spec": map[string]any{"resourceAttributes": map[string]any{"verb": verb, "group": "example.com", "resource": "widgets"}},
		}}
		answer, err := reviews.Create(t.Context(), review, metav1.CreateOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if have, _, _ := unstructured.NestedBool(answer.Object, "status", "allowed"); have != want {
			t.Errorf("to %s is allowed: %t", verb, have)
		}
	}
}

// A server that loads the objects of another one has their versions.
func TestLoad(t *testing.T) {
	s := newStore(t)
	var seen []string
	s.server.Observe(func(before, after *unstructured.Unstructured) {
		seen = append(seen, fmt.Sprint(before != nil, after != nil))
	})
	s.server.Put(widget("a", "web"))
	s.edit("a", func(u *unstructured.Unstructured) { u.SetLabels(nil) })
	again := newStore(t)
	again.server.Load(s.server.Objects())
	if have, want := again.get("a").GetResourceVersion(), s.get("a").GetResourceVersion(); have != want {
		t.Errorf("have the version %s, want %s", have, want)
	}
	if version := again.server.Put(widget("b", "web")); version <= s.get("a").GetResourceVersion() {
		t.Errorf("the next version is %s", version)
	}
	s.server.Delete(widget("a", ""))
	if want := []string{"false true", "true true", "true false"}; !slices.Equal(seen, want) {
		t.Errorf("have the changes %v, want %v", seen, want)
	}
}

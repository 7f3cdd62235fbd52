package kit

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"kstatus.dev/author/conditions"
	"kstatus.dev/author/conditions/conditionstest"
	"kstatus.dev/author/conditions/ctrl"
	"kstatus.dev/author/conditions/wellknown"
)

// The results of a commit if the object is missing or has changed.
func TestCommitResults(t *testing.T) {
	applied := servers.WithOptions(conditions.Options{Kind: version.WithKind("Server"), ServerSideApply: &conditions.ServerSideApply{FieldOwner: "kit"}})
	again := func(ctx context.Context, b *fixture) error {
		if err := b.Delete(ctx, &Server{ObjectMeta: metav1.ObjectMeta{Namespace: b.obj.Namespace, Name: b.obj.Name}}); err != nil {
			return err
		}
		return b.Create(ctx, &Server{ObjectMeta: metav1.ObjectMeta{Namespace: b.obj.Namespace, Name: b.obj.Name}})
	}
	// The finalizer is removed, and the object is deleted.
	gone := func(ctx context.Context, b *fixture) error {
		s, err := b.read(ctx)
		if err != nil {
			return err
		}
		before := s.DeepCopyObject().(*Server)
		s.Finalizers = nil
		return b.Patch(ctx, s, client.MergeFrom(before))
	}
	for name, c := range map[string]struct {
		set       *conditions.Set
		finalizer bool
		meanwhile func(context.Context, *fixture) error
		want      error
	}{
		"it does not patch another object of the same name":    {servers, false, again, conditions.ErrReplaced},
		"it does not apply to another object of the same name": {applied, false, again, conditions.ErrReplaced},
		"it lets a deleted object go":                          {servers, true, gone, nil},
		"it lets a deleted object go that it would apply to":   {applied, true, gone, nil},
	} {
		t.Run(name, func(t *testing.T) {
			b := newFixture(t)
			if c.finalizer {
				before := b.obj.DeepCopyObject().(*Server)
				b.obj.Finalizers = []string{"kit.example.com/server"}
				if err := errors.Join(b.Patch(t.Context(), b.obj, client.MergeFrom(before)), b.Delete(t.Context(), b.obj)); err != nil {
					t.Fatal(err)
				}
				deleted, err := b.read(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				b.obj = deleted
			}
			pass, err := c.set.Begin(b.obj)
			if err != nil {
				t.Fatal(err)
			}
			if err := c.meanwhile(t.Context(), b); err != nil {
				t.Fatal(err)
			}
			changed, err := pass.Commit(t.Context(), b.writer())
			if changed || !errors.Is(err, c.want) {
				t.Errorf("changed %t, %v; want no change and %v", changed, err, c.want)
			}
		})
	}
}

// incompleteDefinition defines a kind with a common mistake: without a status subresource, or
// without the field.
func incompleteDefinition(kind, subresources, status string) string {
	return fmt.Sprintf(`
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: %[2]ss.kit.example.com
spec:
  group: kit.example.com
  scope: Namespaced
  names: {plural: %[2]ss, singular: %[2]s, kind: %[1]s, listKind: %[1]sList}
  versions:
  - name: v1
    served: true
    storage: true
    subresources: %[3]s
    schema:
      openAPIV3Schema:
        type: object
        properties:
          status:
            type: object
            properties: %[4]s
`, kind, strings.ToLower(kind), subresources, status)
}

func TestKindsThatLackFields(t *testing.T) {
	const list = `conditions: {type: array, items: {type: object, x-kubernetes-preserve-unknown-fields: true}}`
	kinds := map[string]struct{ subresources, status, field string }{
		"Whole":  {"{}", "{observedGeneration: {type: integer}, " + list + "}", "status subresource"},
		"Blind":  {"{status: {}}", "{" + list + "}", "status.observedGeneration"},
		"Silent": {"{status: {}}", "{observedGeneration: {type: integer}}", "status.conditions"},
	}
	b := newFixture(t)
	cluster := live.Cluster(t)
	for kind, c := range kinds {
		cluster.Apply(t, "", incompleteDefinition(kind, c.subresources, c.status))
	}
	api, err := client.New(cluster.Config(), client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for kind, c := range kinds {
		t.Run(kind, func(t *testing.T) {
			obj := &unstructured.Unstructured{}
			obj.SetGroupVersionKind(version.WithKind(kind))
			obj.SetNamespace(b.obj.Namespace)
			obj.SetName("web")
			waitUntilServed(t, func() error { return api.Create(t.Context(), obj) })
			pass, err := conditions.MustSet(conditions.Positive(wellknown.TypeReady)).Begin(obj)
			if err != nil {
				t.Fatal(err)
			}
			_, err = pass.Commit(t.Context(), ctrl.NewWriter(api, api))
			if missing := (*conditions.MissingError)(nil); !errors.As(err, &missing) || missing.Field != c.field {
				t.Errorf("error is %v, want a MissingError about %s", err, c.field)
			}
		})
	}
}

// lossyTransport drops the response to one write: the API server has done the write, and the
// controller does not know it.
type lossyTransport struct {
	next http.RoundTripper
	lose *bool
}

func (l lossyTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := l.next.RoundTrip(r)
	if err == nil && r.Method == http.MethodPatch && *l.lose {
		*l.lose = false
		answer.Body.Close()
		return nil, errors.New("connection reset by the test")
	}
	return answer, err
}

func TestLostAnswer(t *testing.T) {
	b := newFixture(t)
	lose := true
	config := rest.CopyConfig(live.Cluster(t).Config())
	config.Wrap(func(next http.RoundTripper) http.RoundTripper { return lossyTransport{next, &lose} })
	api, err := client.New(config, client.Options{Scheme: b.Scheme(), Mapper: b.RESTMapper()})
	if err != nil {
		t.Fatal(err)
	}
	stale := b.obj.DeepCopyObject().(*Server) // as a stale cache may return it
	report := func() (bool, error) {
		pass, err := servers.Begin(stale.DeepCopyObject().(*Server))
		if err != nil {
			return false, err
		}
		reportReady(pass)
		return pass.Commit(t.Context(), ctrl.NewWriter(api, api))
	}
	if _, err := report(); err == nil {
		t.Fatal("the answer was not lost")
	}
	first, err := b.read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if changed, err := report(); changed || err != nil {
		t.Errorf("the second commit: changed %t, %v; want no change, since the first was done", changed, err)
	}
	now, err := b.read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if now.ResourceVersion != first.ResourceVersion {
		t.Errorf("the second commit made version %s of %s", now.ResourceVersion, first.ResourceVersion)
	}
	conditionstest.Assert(t, now.Status.Conditions, metav1.Condition{Type: wellknown.TypeReady, Status: metav1.ConditionTrue})
}

// The longest messages that fit into one request also fit into etcd.
func TestLongMessages(t *testing.T) {
	var all []conditions.Declaration
	for i := range 31 {
		all = append(all, conditions.Negative(fmt.Sprintf("Part%d", i)))
	}
	b := newFixture(t)
	pass, err := conditions.MustSet(all...).Begin(b.obj)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range all {
		pass.True(d.Type, "Verbose", strings.Repeat("x", 1<<20))
	}
	if changed, err := pass.Commit(t.Context(), b.writer()); !changed || err != nil {
		t.Errorf("changed %t, %v", changed, err)
	}
	if n := len(b.obj.Status.Conditions[30].Message); n != 32768 {
		t.Errorf("the last message has %d bytes, want 32768", n)
	}
}

package move

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"

	"kstatus.dev/clusterapi/move"
	"kstatus.dev/clusterapi/move/plan"
	"kstatus.dev/test/clusterapi/managers"
	"kstatus.dev/test/lib/apply"
)

// The kinds of plainDefinitions, and other kinds that tests without a cloud use.
var (
	crates     = resource("depot.example.com", "v1", "crates")
	yardCrates = resource("yard.example.com", "v1", "crates")
	classes    = resource("cluster.x-k8s.io", "v1beta2", "clusterclasses")
	barrels    = resource("depot.example.com", "v1", "barrels")
	tanks      = resource("depot.example.com", "v1", "tanks")
	depots     = resource("depot.example.com", "v1", "depots")
	strays     = resource("depot.example.com", "v1", "strays")
	configMaps = resource("", "v1", "configmaps")
)

// definition is the definition of a kind. The fields of its spec are texts.
func definition(group, kind, plural, scope string, labeled bool, fields ...string) string {
	text := fmt.Sprintf(`
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: %[3]s.%[1]s, labels: {LABEL: ""}}
spec:
  group: %[1]s
  scope: %[4]s
  names: {kind: %[2]s, plural: %[3]s}
  versions:
  - name: v1
    served: true
    storage: true
    SUBRESOURCES
    schema:
      openAPIV3Schema:
        type: object
        properties:
          status: {type: object, x-kubernetes-preserve-unknown-fields: true}
          spec:
            type: object
            properties:
              identityRef: {type: object, properties: {kind: {type: string}, name: {type: string}, namespace: {type: string}}}
`, group, kind, plural, scope)
	label, status := "other", ""
	if labeled {
		label = "clusterctl.cluster.x-k8s.io"
	}
	if kind == "Tank" {
		status = "subresources: {status: {}}"
	}
	text = strings.NewReplacer("LABEL", label, "SUBRESOURCES", status).Replace(text)
	for _, f := range fields {
		text += "              " + f + ": {type: string}\n"
	}
	return text
}

// plainDefinitions have no controllers. A Barrel has a colour in the source only, and a Stray has no
// label of Cluster API.
func plainDefinitions(s *site) string {
	barrel := []string{"size"}
	if s.name == "source" {
		barrel = append(barrel, "colour")
	}
	return definition("depot.example.com", "Crate", "crates", "Namespaced", true, "size") +
		definition("yard.example.com", "Crate", "crates", "Namespaced", true, "size") +
		definition("depot.example.com", "Barrel", "barrels", "Namespaced", true, barrel...) +
		definition("depot.example.com", "Tank", "tanks", "Namespaced", true, "size") +
		definition("depot.example.com", "Depot", "depots", "Cluster", true, "size") +
		definition("depot.example.com", "Stray", "strays", "Namespaced", false, "size")
}

// A yard is a namespace of the source for objects without a provider and without a cloud.
type yard struct{ *fixture }

// newYard creates the namespace and the definitions.
func newYard(t *testing.T) *yard {
	t.Helper()
	from, to := sites(t)
	y := &yard{&fixture{t: t, from: from, to: to, ns: from.Namespace(t)}}
	y.classNS = y.ns
	for _, s := range []*site{from, to} {
		once, _ := installed.LoadOrStore(s.name+" plain", sync.OnceValue(func() error {
			objects, err := apply.Parse([]byte(plainDefinitions(s)))
			if err != nil {
				return err
			}
			if err := apply.To(context.Background(), s.Config(), "default", objects, nil); err != nil {
				return err
			}
			return served(s, crates, yardCrates, barrels, tanks, depots, strays)
		}))
		if err := once.(func() error)(); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() {
		y.wipe(from)
		y.wipe(to)
	})
	return y
}

// served waits until a site serves kinds.
func served(s *site, kinds ...schema.GroupVersionResource) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	return managers.Until(ctx, func() bool {
		return !slices.ContainsFunc(kinds, func(k schema.GroupVersionResource) bool {
			_, err := s.dynamic.Resource(k).List(ctx, metav1.ListOptions{})
			return err != nil
		})
	})
}

// options returns the options of a move. Nothing in a yard becomes ready.
func (y *yard) options() move.Options {
	o := y.fixture.options()
	o.Accept = []string{"not-ready"}
	return o
}

// create creates objects in the source, and returns the first. Each line is KIND NAME [< KIND NAME…]
// [: YAML]. The YAML is merged into the object.
func (y *yard) create(lines string) *unstructured.Unstructured {
	y.t.Helper()
	var first *unstructured.Unstructured
	for line := range strings.Lines(lines) {
		head, text, _ := strings.Cut(strings.TrimSpace(line), " : ")
		words := strings.Fields(head)
		if len(words) < 2 {
			continue
		}
		r := yardKinds[words[0]]
		objects, err := apply.Parse([]byte("apiVersion: " + r.GroupVersion().String() + "\nkind: " + strings.TrimPrefix(words[0], "Yard") + "\nmetadata: {name: \"" + words[1] + "\"}\n"))
		if err != nil {
			y.t.Fatal(err)
		}
		o := objects[0]
		if text != "" {
			extra, err := apply.Parse([]byte("{apiVersion: v1, kind: X, metadata: {name: x}, " + strings.TrimPrefix(text, "{")))
			if err != nil {
				y.t.Fatal(err)
			}
			for name, value := range extra[0].Object {
				if name != "apiVersion" && name != "kind" && name != "metadata" {
					o.Object[name] = value
				}
			}
			if meta, is := o.Object["meta"].(map[string]any); is {
				delete(o.Object, "meta")
				for name, value := range meta {
					o.Object["metadata"].(map[string]any)[name] = value
				}
			}
		}
		for rest := words[2:]; len(rest) >= 3; rest = rest[3:] {
			owner := y.get(y.from, yardKinds[rest[1]], rest[2])
			o.SetOwnerReferences(append(o.GetOwnerReferences(), metav1.OwnerReference{
				APIVersion: owner.GetAPIVersion(), Kind: owner.GetKind(), Name: owner.GetName(), UID: owner.GetUID(),
			}))
		}
		created, err := y.of(y.from, r).Create(y.t.Context(), o, metav1.CreateOptions{FieldManager: "tester"})
		if err != nil {
			y.t.Fatalf("%s: %v", line, err)
		}
		if first == nil {
			first = created
		}
	}
	return first
}

var yardKinds = map[string]schema.GroupVersionResource{
	"Crate": crates, "YardCrate": yardCrates, "Barrel": barrels, "Tank": tanks, "Depot": depots, "Stray": strays,
	"Secret": secrets, "ConfigMap": configMaps, "Cluster": clusters, "Machine": machines, "ClusterClass": classes,
}

// of returns the client for the objects of a kind.
func (y *yard) of(s *site, r schema.GroupVersionResource) dynamic.ResourceInterface {
	if r == depots {
		return s.dynamic.Resource(r)
	}
	return y.in(s, r)
}

// find returns an object, and nil if it does not exist.
func (y *yard) find(s *site, r schema.GroupVersionResource, name string) *unstructured.Unstructured {
	y.t.Helper()
	o, err := y.of(s, r).Get(y.t.Context(), name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		y.t.Fatal(err)
	}
	return o
}

// get returns an object that must exist.
func (y *yard) get(s *site, r schema.GroupVersionResource, name string) *unstructured.Unstructured {
	y.t.Helper()
	o := y.find(s, r, name)
	if o == nil {
		y.t.Fatalf("the %s has no %s %s", s.name, r.Resource, name)
	}
	return o
}

// merge changes an object. It may run in an event, so it does not end the test.
func (y *yard) merge(s *site, r schema.GroupVersionResource, name, patch string, subresources ...string) {
	y.t.Helper()
	_, err := y.of(s, r).Patch(context.Background(), name, types.MergePatchType, []byte(patch), metav1.PatchOptions{FieldManager: "tester"}, subresources...)
	if err != nil {
		y.t.Errorf("changing %s %s in the %s: %v", r.Resource, name, s.name, err)
	}
}

// dryCreate creates an object in the namespace of the yard as a dry run.
func (y *yard) dryCreate(s *site, r schema.GroupVersionResource, text string) error {
	objects, err := apply.Parse([]byte(text))
	if err != nil {
		return err
	}
	_, err = y.of(s, r).Create(context.Background(), objects[0], metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
	return err
}

// begin returns the options of a move that calls do when a phase begins for the first time.
func begin(o move.Options, phase move.Phase, do func()) move.Options {
	print, once := o.OnEvent, sync.OnceFunc(do)
	o.OnEvent = func(e move.Event) {
		print(e)
		if e.Phase == phase {
			once()
		}
	}
	return o
}

// mustRun moves, and fails the test if that fails.
func (y *yard) mustRun(o move.Options) *move.Result {
	y.t.Helper()
	r, err := y.run(y.t.Context(), o)
	if err != nil {
		y.t.Fatal(err)
	}
	return r
}

// mustFail moves, and fails the test unless the error contains a text.
func (y *yard) mustFail(o move.Options, want string) {
	y.t.Helper()
	_, err := y.run(y.t.Context(), o)
	if err == nil || !strings.Contains(err.Error(), want) {
		y.t.Fatalf("the error of the move is %v, want %q in it", err, want)
	}
}

// rollback undoes a move.
func (y *yard) rollback(o move.Options) {
	y.t.Helper()
	if _, err := y.mover(o).Rollback(y.t.Context()); err != nil {
		y.t.Fatal(err)
	}
}

// wantNames checks which objects of a kind a site has.
func (y *yard) wantNames(s *site, r schema.GroupVersionResource, want ...string) {
	y.t.Helper()
	have := y.names(s, r)
	if slices.Sort(have); !slices.Equal(have, want) {
		y.t.Errorf("the %s has the %s %v, want %v", s.name, r.Resource, have, want)
	}
}

// wantActive checks that an object is not paused, and has nothing of a pause or a move.
func (y *yard) wantActive(s *site, r schema.GroupVersionResource, name string) {
	y.t.Helper()
	o := y.get(s, r, name)
	if paused, _ := field(o, "spec", "paused").(bool); paused {
		y.t.Errorf("%s %s in the %s is paused", r.Resource, name, s.name)
	}
	for a := range o.GetAnnotations() {
		if slices.Contains([]string{"cluster.x-k8s.io/paused", "kstatus.dev/pause-before", "kstatus.dev/move", "clusterctl.cluster.x-k8s.io/delete-for-move"}, a) {
			y.t.Errorf("%s %s in the %s has the annotation %s", r.Resource, name, s.name, a)
		}
	}
}

// wantOwners checks the owners of an object: their names, and that their UIDs are those of the site.
func (y *yard) wantOwners(s *site, r schema.GroupVersionResource, name string, want ...string) {
	y.t.Helper()
	var have []string
	for _, ref := range y.get(s, r, name).GetOwnerReferences() {
		have = append(have, ref.Name)
		if owner := y.find(s, yardKinds[ref.Kind], ref.Name); owner == nil || owner.GetUID() != ref.UID {
			y.t.Errorf("the owner %s of %s %s is not in the %s", ref.Name, r.Resource, name, s.name)
		}
	}
	if slices.Sort(have); !slices.Equal(have, want) {
		y.t.Errorf("in the %s, %s %s has the owners %v, want %v", s.name, r.Resource, name, have, want)
	}
}

// problems returns the problems of a move of the namespace, one line each. It moves nothing.
func (y *yard) problems(o move.Options) []string {
	y.t.Helper()
	m := y.mover(o)
	p, err := m.Plan(y.t.Context())
	if err != nil {
		y.t.Fatal(err)
	}
	all, err := m.Preflight(y.t.Context(), p)
	if err != nil {
		y.t.Fatal(err)
	}
	var lines []string
	for _, problem := range all {
		lines = append(lines, problem.String())
	}
	return lines
}

// wantProblem checks that one of some problems has a text.
func wantProblem(t *testing.T, problems []string, want string) {
	t.Helper()
	if !slices.ContainsFunc(problems, func(p string) bool { return strings.Contains(p, want) }) {
		t.Errorf("no problem has %q: %s", want, strings.Join(problems, "\n"))
	}
}

// versions returns the versions of all objects of the yard's kinds, one line each. Core writes the
// status of Clusters, so these have what others may change instead.
func (y *yard) versions(s *site) string {
	y.t.Helper()
	var lines []string
	for kind, r := range yardKinds {
		list, err := y.of(s, r).List(y.t.Context(), metav1.ListOptions{})
		if err != nil {
			y.t.Fatal(err)
		}
		for _, o := range list.Items {
			version := o.GetResourceVersion()
			if r == clusters {
				version = fmt.Sprint(o.GetGeneration(), o.GetLabels(), o.GetAnnotations(), o.GetFinalizers())
			}
			lines = append(lines, kind+" "+o.GetName()+" "+version)
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// bare is the spec of a Cluster without infrastructure. Core acknowledges its pause.
const bare = "{spec: {infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: ShelfCluster, name: none}, controlPlaneEndpoint: {host: a.example, port: 6443}}}"

// only selects Clusters of the yard.
func (y *yard) only(names ...string) move.Options {
	o := y.options()
	o.Scope = plan.Scope{Namespaces: []string{y.ns}, Clusters: names}
	return o
}

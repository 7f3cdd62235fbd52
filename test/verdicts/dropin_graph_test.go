package test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/cli-utils/pkg/object/dependson"
	"sigs.k8s.io/cli-utils/pkg/object/graph"
	"sigs.k8s.io/cli-utils/pkg/object/mutation"
	"sigs.k8s.io/cli-utils/pkg/object/validation"

	facadedependson "kstatus.dev/dropin/sigs/pkg/object/dependson"
	facadegraph "kstatus.dev/dropin/sigs/pkg/object/graph"
	facademutation "kstatus.dev/dropin/sigs/pkg/object/mutation"
	facadevalidation "kstatus.dev/dropin/sigs/pkg/object/validation"
)

// references are the values of annotations. Some name objects that are in a set, others do not.
var references = []string{
	"apps/namespaces/a/Deployment/x", "/namespaces/a/ConfigMap/x", "/Namespace/a", "example.test/namespaces/a/Thing/x",
	"apiextensions.k8s.io/CustomResourceDefinition/things.example.test", "apps/namespaces/b/Deployment/gone",
	"apps/Deployment", "apps/namespace/a/Deployment/x", " /Namespace/b ", "",
}

// graphKinds are the kinds of generated objects.
var graphKinds = []schema.GroupVersionKind{
	{Group: "apps", Version: "v1", Kind: "Deployment"}, {Version: "v1", Kind: "ConfigMap"}, {Version: "v1", Kind: "Namespace"},
	{Group: "example.test", Version: "v1", Kind: "Thing"}, {Version: "v1"},
	{Group: "apiextensions.k8s.io", Version: "v1", Kind: "CustomResourceDefinition"},
}

// graphObjects returns a set of objects that depend on each other.
func graphObjects(r *rand.Rand) (objs []*unstructured.Unstructured) {
	seen := map[string]bool{}
	for range r.IntN(6) {
		u := &unstructured.Unstructured{Object: map[string]any{}}
		u.SetGroupVersionKind(graphKinds[r.IntN(len(graphKinds))])
		u.SetName([]string{"x", "y", "a", ""}[r.IntN(4)])
		u.SetNamespace([]string{"a", "b", ""}[r.IntN(3)])
		if u.GetKind() == "CustomResourceDefinition" {
			u.Object["spec"] = map[string]any{
				"group": "example.test", "scope": []any{"Namespaced", "Cluster", "Other"}[r.IntN(3)],
				"names": map[string]any{"kind": "Thing"}, "versions": []any{map[string]any{"name": "v1"}},
			}
		}
		annotations := map[string]string{}
		if r.IntN(2) == 0 {
			annotations[dependson.Annotation] = references[r.IntN(len(references))] + "," + references[r.IntN(len(references))]
		}
		if r.IntN(4) == 0 {
			annotations[mutation.Annotation] = "- sourceRef: {kind: ConfigMap, name: x, namespace: a}\n- sourceRef: {kind: Namespace, name: " + u.GetName() + "}"
		}
		u.SetAnnotations(annotations)
		if id := fmt.Sprint(u.GroupVersionKind(), u.GetNamespace(), u.GetName()); !seen[id] {
			seen[id] = true
			objs = append(objs, u)
		}
	}
	return objs
}

// sortedSets returns the objects of each set, and the error.
func sortedSets[S ~[]*unstructured.Unstructured](sets []S, err error) string {
	var b strings.Builder
	for _, set := range sets {
		for _, u := range set {
			fmt.Fprintf(&b, "%s/%s/%s ", u.GetKind(), u.GetNamespace(), u.GetName())
		}
		b.WriteString("| ")
	}
	return fmt.Sprintf("%s error %v", b.String(), err)
}

// The packages of dependencies return what the original returns.
func TestDropInSortsAndValidatesTheSame(t *testing.T) {
	mapper := meta.NewDefaultRESTMapper([]schema.GroupVersion{{Version: "v1"}, {Group: "apps", Version: "v1"}})
	mapper.Add(graphKinds[0], meta.RESTScopeNamespace)
	mapper.Add(graphKinds[1], meta.RESTScopeNamespace)
	mapper.Add(graphKinds[2], meta.RESTScopeRoot)
	for seed := range uint64(5_000) {
		objs := graphObjects(rand.New(rand.NewPCG(seed, 1)))
		compareTexts(t, seed, "SortObjs", sortedSets(graph.SortObjs(objs)), sortedSets(facadegraph.SortObjs(objs)))
		compareTexts(t, seed, "ReverseSortObjs", sortedSets(graph.ReverseSortObjs(objs)), sortedSets(facadegraph.ReverseSortObjs(objs)))

		theirs, ours := &validation.Collector{}, &facadevalidation.Collector{}
		(&validation.Validator{Mapper: mapper, Collector: theirs}).Validate(objs)
		(&facadevalidation.Validator{Mapper: mapper, Collector: ours}).Validate(objs)
		compareTexts(t, seed, "Validate", fmt.Sprint(theirs.ToError(), theirs.InvalidIds), fmt.Sprint(ours.ToError(), ours.InvalidIds))
		compareTexts(t, seed, "FilterInvalidObjects", sortedSets([][]*unstructured.Unstructured{theirs.FilterInvalidObjects(objs)}, nil),
			sortedSets([][]*unstructured.Unstructured{ours.FilterInvalidObjects(objs)}, nil))
		if t.Failed() {
			return
		}
	}
}

func compareTexts(t *testing.T, seed uint64, what, want, have string) {
	t.Helper()
	if have != want {
		t.Errorf("%s of the set %d: the original returns\n%s\nthe façade\n%s", what, seed, want, have)
	}
}

func FuzzDropInAnnotations(f *testing.F) {
	for _, text := range slices.Concat(references, []string{"a/b/c,d/e/f", "- sourceRef: {kind: A}", "{"}) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		u := &unstructured.Unstructured{Object: map[string]any{}}
		u.SetAnnotations(map[string]string{dependson.Annotation: text, mutation.Annotation: text})
		theirs, err := dependson.ReadAnnotation(u)
		ours, ourErr := facadedependson.ReadAnnotation(u)
		compareParsed(t, text, parsed(theirs, err), parsed(ours, ourErr))
		theirs2, err := dependson.FormatDependencySet(theirs)
		ours2, ourErr := facadedependson.FormatDependencySet(ours)
		compareParsed(t, text, parsed(theirs2, err), parsed(ours2, ourErr))
		theirs3, err := mutation.ReadAnnotation(u)
		ours3, ourErr := facademutation.ReadAnnotation(u)
		compareParsed(t, text, parsed(theirs3, err), parsed(ours3, ourErr))
	})
}

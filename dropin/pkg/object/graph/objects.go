package graph

import (
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/dropin/pkg/object"
	"kstatus.dev/dropin/pkg/object/dependson"
	"kstatus.dev/dropin/pkg/object/internal/multierror"
	"kstatus.dev/dropin/pkg/object/internal/ordering"
	"kstatus.dev/dropin/pkg/object/mutation"
	"kstatus.dev/dropin/pkg/object/validation"
)

// DependencyGraph returns the objects with their dependencies: those in their annotations, on
// their namespace, and on the definition of their kind. With an error, the graph lacks the
// dependencies that the error names.
func DependencyGraph(objs object.UnstructuredSet) (*Graph, error) {
	g := New()
	ids := object.UnstructuredSetToObjMetadataSet(objs)
	for _, id := range ids {
		g.AddVertex(id)
	}
	addImplicit(g, objs, ids)
	var errs []error
	errs = append(errs, addAnnotated(g, objs, ids, readDependsOn)...)
	errs = append(errs, addAnnotated(g, objs, ids, readMutation)...)
	return g, multierror.Wrap(errs...)
}

// addImplicit adds the dependencies on namespaces and definitions.
func addImplicit(g *Graph, objs object.UnstructuredSet, ids object.ObjMetadataSet) {
	namespaces := map[string]object.ObjMetadata{}
	definitions := map[schema.GroupKind]object.ObjMetadata{}
	for i, obj := range objs {
		if object.IsKindNamespace(obj) {
			namespaces[obj.GetName()] = ids[i]
		}
		if kind, ok := object.GetCRDGroupKind(obj); ok && object.IsCRD(obj) {
			definitions[kind] = ids[i]
		}
	}
	for _, id := range ids {
		if to, ok := definitions[id.GroupKind]; ok {
			g.AddEdge(id, to)
		}
		if to, ok := namespaces[id.Namespace]; ok && id.Namespace != "" {
			g.AddEdge(id, to)
		}
	}
}

// A reader returns the objects in the annotation of an object. The annotation may have an object
// twice only if unique is false.
type reader func(obj *unstructured.Unstructured) (deps object.ObjMetadataSet, annotation string, unique bool, err error)

func readDependsOn(obj *unstructured.Unstructured) (object.ObjMetadataSet, string, bool, error) {
	deps, err := dependson.ReadAnnotation(obj)
	return object.ObjMetadataSet(deps), dependson.Annotation, true, err
}

func readMutation(obj *unstructured.Unstructured) (object.ObjMetadataSet, string, bool, error) {
	subs, err := mutation.ReadAnnotation(obj)
	deps := make(object.ObjMetadataSet, 0, len(subs))
	for _, sub := range subs {
		deps = append(deps, sub.SourceRef.ToObjMetadata())
	}
	return deps, mutation.Annotation, false, err
}

// addAnnotated adds the dependencies in annotations. It returns one error for each object with
// errors.
func addAnnotated(g *Graph, objs object.UnstructuredSet, ids object.ObjMetadataSet, read reader) (errs []error) {
	members := ids.ToMap()
	for i, obj := range objs {
		id := ids[i]
		deps, annotation, unique, err := read(obj)
		if err != nil {
			errs = append(errs, validation.NewError(err, id))
			continue
		}
		var invalid []error
		seen := map[object.ObjMetadata]bool{}
		for _, to := range deps {
			edge := Edge{From: id, To: to}
			_, member := members[to]
			var cause error
			switch {
			case seen[to] && unique:
				cause = DuplicateDependencyError{edge}
			case !seen[to] && !member:
				cause = ExternalDependencyError{edge}
			case !seen[to]:
				g.AddEdge(id, to)
			}
			seen[to] = true
			if cause != nil {
				invalid = append(invalid, object.InvalidAnnotationError{Annotation: annotation, Cause: cause})
			}
		}
		if len(invalid) > 0 {
			errs = append(errs, validation.NewError(multierror.Wrap(invalid...), id))
		}
	}
	return errs
}

// HydrateSetList replaces identifiers by their objects, and sorts each set in the order in which
// objects are applied. Identifiers without an object and empty sets are left out.
func HydrateSetList(idSetList []object.ObjMetadataSet, objs object.UnstructuredSet) []object.UnstructuredSet {
	byID := make(map[object.ObjMetadata]*unstructured.Unstructured, len(objs))
	for _, obj := range objs {
		byID[object.UnstructuredToObjMetadata(obj)] = obj
	}
	var sets []object.UnstructuredSet
	for _, ids := range idSetList {
		set := object.UnstructuredSet{}
		for _, id := range slices.SortedStableFunc(slices.Values(ids), ordering.Compare) {
			if obj, ok := byID[id]; ok {
				set = append(set, obj)
			}
		}
		if len(set) > 0 {
			sets = append(sets, set)
		}
	}
	return sets
}

// SortObjs returns the objects in sets, in the order in which they are applied: an object is in a
// later set than its dependencies. With an error, it returns what it could sort.
func SortObjs(objs object.UnstructuredSet) ([]object.UnstructuredSet, error) {
	if len(objs) == 0 {
		return nil, nil
	}
	g, graphErr := DependencyGraph(objs)
	var errs []error
	if graphErr != nil {
		errs = append(errs, graphErr)
	}
	ids, err := g.Sort()
	if err != nil {
		errs = append(errs, err)
	}
	return HydrateSetList(ids, objs), multierror.Wrap(errs...)
}

// ReverseSortObjs is [SortObjs] in the order in which objects are deleted.
func ReverseSortObjs(objs object.UnstructuredSet) ([]object.UnstructuredSet, error) {
	sets, err := SortObjs(objs)
	if err == nil {
		ReverseSetList(sets)
	}
	return sets, err
}

// ReverseSetList reverses the sets and the objects in each.
func ReverseSetList(setList []object.UnstructuredSet) {
	slices.Reverse(setList)
	for _, set := range setList {
		slices.Reverse(set)
	}
}

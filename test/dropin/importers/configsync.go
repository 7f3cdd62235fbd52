package importers

import (
	"context"
	"errors"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/dynamic"
	"sigs.k8s.io/cli-utils/pkg/kstatus/polling/event"
	"sigs.k8s.io/cli-utils/pkg/kstatus/watcher"
	"sigs.k8s.io/cli-utils/pkg/object"
	"sigs.k8s.io/cli-utils/pkg/object/dependson"
	"sigs.k8s.io/cli-utils/pkg/object/graph"
	"sigs.k8s.io/cli-utils/pkg/object/mutation"
	"sigs.k8s.io/cli-utils/pkg/object/validation"
)

// watchLabelled watches objects with a label, as config-sync does to save memory.
func watchLabelled(ctx context.Context, c dynamic.Interface, mapper meta.RESTMapper, ids object.ObjMetadataSet) <-chan event.Event {
	w := watcher.NewDefaultStatusWatcher(c, mapper)
	w.Filters = &watcher.Filters{Labels: labels.Everything(), Fields: fields.Everything()}
	w.Indexers = watcher.DefaultIndexers()
	var chosen watcher.StatusWatcher = w
	return chosen.Watch(ctx, ids, watcher.Options{RESTScopeStrategy: watcher.RESTScopeRoot})
}

// dependOn adds a dependency to the annotation of an object.
func dependOn(objs object.UnstructuredSet, on object.ObjMetadata) error {
	u := objs[0]
	set := dependson.DependencySet{}
	if dependson.HasAnnotation(u) {
		var err error
		if set, err = dependson.ReadAnnotation(u); err != nil {
			return err
		}
	}
	set = append(set, on)
	if _, err := dependson.FormatDependencySet(set); err != nil {
		return err
	}
	if mutation.HasAnnotation(u) {
		read, err := mutation.ReadAnnotation(u)
		if err != nil {
			return err
		}
		read = append(read, mutation.FieldSubstitution{
			SourceRef: mutation.ResourceReferenceFromObjMetadata(on), SourcePath: "$.status.address", TargetPath: "$.spec.address", Token: "${address}",
		})
		if err := mutation.WriteAnnotation(u, read); err != nil {
			return err
		}
	}
	u.SetAnnotations(map[string]string{dependson.Annotation: "", mutation.Annotation: ""})
	return dependson.WriteAnnotation(u, set)
}

// order returns the objects in the order of their dependencies.
func order(objs object.UnstructuredSet, mapper meta.RESTMapper) (object.ObjMetadataSet, error) {
	collector := &validation.Collector{}
	(&validation.Validator{Collector: collector, Mapper: mapper}).Validate(objs)
	if err := collector.ToError(); err != nil {
		return collector.InvalidIds, err
	}
	sets, err := graph.SortObjs(collector.FilterInvalidObjects(objs))
	var cycle graph.CyclicDependencyError
	if errors.As(err, &cycle) {
		return nil, validation.NewError(cycle, cycle.Edges[0].From, cycle.Edges[0].To)
	} else if err != nil {
		return nil, err
	}
	graph.ReverseSetList(sets)
	var ids object.ObjMetadataSet
	for _, set := range sets {
		ids = ids.Union(object.UnstructuredSetToObjMetadataSet(set))
	}
	return ids, nil
}

var _ = []any{watchLabelled, dependOn, order, validation.ExitEarly, validation.SkipInvalid}

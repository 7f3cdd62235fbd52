package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/cli-runtime/pkg/resource"
	"k8s.io/client-go/rest"

	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// A selected object is one that was asked for, or a selection of objects.
type selected struct {
	target observe.Target
	from   *source       // the file that names it, if one does
	object status.Object // as the cluster has just listed it, if it was listed
	floor  observe.Floor // the version that the file tells of, if it comes from a server
}

// listed finds out which objects of a cluster are meant. Those of files and
// those that are named need not exist; those of a TYPE are listed, and those of
// a set looked up. Of Secrets only the metadata are read.
func (s *selection) listed(ctx context.Context, c *connected, r request) ([]selected, error) {
	all, err := s.inSets(ctx, c, r)
	named, unnamed := inFiles(c, r), error(nil)
	if len(r.args) > 0 {
		named, unnamed = s.byName(c, r.args)
	}
	all, err = once(append(all, named...), utilerrors.NewAggregate([]error{err, unnamed}))
	if s.expand {
		return expanded(ctx, c, all, err)
	}
	return all, err
}

// live finds out which objects of a cluster are meant, as listed does, but
// leaves those of a TYPE to who follows them, unless they are to be expanded.
func (s *selection) live(ctx context.Context, c *connected, r request) ([]selected, error) {
	if r.byType() && !s.expand {
		return once(s.selections(c, r.args[0]))
	}
	return s.listed(ctx, c, r)
}

// once leaves out what has been named before.
func once(all []selected, err error) ([]selected, error) {
	seen := map[observe.Target]bool{}
	return slices.DeleteFunc(all, func(o selected) bool {
		twice := seen[o.target]
		seen[o.target] = true
		return twice
	}), err
}

// byName asks cli-runtime what the arguments mean, so that they mean what they
// mean to kubectl.
func (s *selection) byName(c *connected, args []string) (all []selected, err error) {
	b := resource.NewBuilder(c.flags).
		Unstructured().
		ContinueOnError().
		NamespaceParam(c.namespace).DefaultNamespace().AllNamespaces(s.allNamespaces).
		LabelSelectorParam(s.selector).
		FieldSelectorParam(s.fieldSelector).
		RequestChunksOf(500).
		RequireObject(false).
		TransformRequests(func(r *rest.Request) {
			if strings.HasSuffix(r.URL().Path, "/secrets") {
				r.SetHeader("Accept", "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1")
			}
		}).
		ResourceTypeOrNameArgs(true, args...)
	err = b.Do().Visit(func(info *resource.Info, err error) error {
		if err != nil {
			return err
		}
		kind := status.Kind{Group: info.Mapping.GroupVersionKind.Group, Kind: info.Mapping.GroupVersionKind.Kind}
		if info.Object == nil {
			t := observe.Target{Kind: kind, Namespace: info.Namespace, Name: info.Name, Cluster: c.name}
			if info.Mapping.Scope.Name() != meta.RESTScopeNameNamespace {
				t.Namespace = ""
			}
			all = append(all, selected{target: t})
			return nil
		}
		return meta.EachListItem(info.Object, func(item runtime.Object) error {
			u, ok := item.(*unstructured.Unstructured)
			if !ok {
				return fmt.Errorf("list %s: want objects, have %T", kind, item)
			}
			u.SetGroupVersionKind(info.Mapping.GroupVersionKind)
			t := observe.Target{Kind: kind, Namespace: u.GetNamespace(), Name: u.GetName(), Cluster: c.name}
			all = append(all, selected{target: t, object: u})
			return nil
		})
	})
	return all, err
}

// inFiles returns which objects of the cluster files name. It does not matter
// what else the files say of them; definitions of custom resources teach what
// their kinds promise, though. A kind that the cluster does not know yet is
// taken as it stands; its namespace is settled when it is known.
func inFiles(c *connected, r request) []selected {
	for _, definition := range r.definitions {
		c.learn(definition)
	}
	all := make([]selected, len(r.items))
	for i, it := range r.items {
		id := identityOf(it.object)
		t := observe.Target{
			Kind: status.Kind{Group: id.Group, Kind: id.Kind}, Namespace: id.Namespace, Name: id.Name, Cluster: c.name,
		}
		mapping, err := c.mapper.RESTMapping(schema.GroupKind{Group: id.Group, Kind: id.Kind})
		switch {
		case err != nil:
		case mapping.Scope.Name() != meta.RESTScopeNameNamespace:
			t.Namespace = ""
		case t.Namespace == "":
			t.Namespace = c.namespace
		}
		all[i] = selected{target: t, from: &it.from, floor: floorOf(it.object)}
	}
	all, _ = once(all, nil)
	return all
}

// floorOf returns the version that a document speaks of: only what a server
// has written has one, such as the output of kubectl apply -o yaml.
func floorOf(root map[string]any) observe.Floor {
	f := observe.Floor{
		UID:             textAt(root, "metadata", "uid"),
		ResourceVersion: textAt(root, "metadata", "resourceVersion"),
	}
	if n := wholeAt(root, "metadata", "generation"); n != nil {
		f.Generation = *n
	}
	return f
}

// targetsOf returns the targets of what was selected.
func targetsOf(all []selected) []observe.Target {
	targets := make([]observe.Target, len(all))
	for i, o := range all {
		targets[i] = o.target
	}
	return targets
}

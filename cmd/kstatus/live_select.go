package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/cli-runtime/pkg/resource"
	"k8s.io/client-go/rest"

	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// A selected object is one that was asked for.
type selected struct {
	target observe.Target
	from   *source       // the file that names it, if one does
	object status.Object // as the cluster has just listed it, if it was listed whole
}

// selectLive finds out which objects are meant. Those of files and those that
// are named need not exist; those of a TYPE are listed. Of a listed object
// only the metadata are read unless whole is set, and of Secrets in any case.
func (s *selection) selectLive(ctx context.Context, c *connected, args []string, whole bool) ([]selected, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	files := len(s.files) > 0 || s.kustomize != ""
	switch {
	case files && len(args) > 0:
		return nil, usagef("%s: want either files or names, have both", args[0])
	case !files && len(args) == 0:
		return nil, usagef("want TYPE/NAME, TYPE, -f FILE or -k DIR")
	case files && s.fieldSelector != "":
		return nil, usagef("--field-selector: want a TYPE with it")
	}
	if byName := len(args) > 1 || len(args) == 1 && strings.Contains(args[0], "/"); byName {
		switch {
		case s.allNamespaces:
			return nil, usagef("-A: want a TYPE with it, have names")
		case s.selector != "" || s.fieldSelector != "":
			return nil, usagef("-l and --field-selector: want a TYPE with them, have names")
		}
	}
	var all []selected
	var err error
	if files {
		all, err = s.inFiles(ctx, c)
	} else {
		all, err = s.byName(c, args, whole)
	}
	seen := map[observe.Target]bool{}
	return slices.DeleteFunc(all, func(o selected) bool {
		twice := seen[o.target]
		seen[o.target] = true
		return twice
	}), err
}

// byName asks cli-runtime what the arguments mean, so that they mean what they
// mean to kubectl.
func (s *selection) byName(c *connected, args []string, whole bool) (all []selected, err error) {
	b := resource.NewBuilder(c.flags).
		Unstructured().
		ContinueOnError().
		NamespaceParam(c.namespace).DefaultNamespace().AllNamespaces(s.allNamespaces).
		LabelSelectorParam(s.selector).
		FieldSelectorParam(s.fieldSelector).
		RequestChunksOf(500).
		RequireObject(false).
		TransformRequests(func(r *rest.Request) {
			path := r.URL().Path
			if !whole || strings.HasSuffix(path, "/secrets") {
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
			t := observe.Target{Kind: kind, Namespace: info.Namespace, Name: info.Name}
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
			o := selected{target: observe.Target{Kind: kind, Namespace: u.GetNamespace(), Name: u.GetName()}}
			if whole {
				o.object = u
			}
			all = append(all, o)
			return nil
		})
	})
	return all, err
}

// inFiles reads which objects files name. It does not matter what else the
// files say of them; definitions of custom resources teach what their kinds
// promise, though. All that cannot be read is named in the error.
func (s *selection) inFiles(ctx context.Context, c *connected) (all []selected, err error) {
	read := newReader(ctx, c.in)
	var pieces []piece
	for _, name := range s.files {
		pieces = append(pieces, read.named(name, s.recursive)...)
	}
	if s.kustomize != "" {
		pieces = append(pieces, kustomized(s.kustomize)...)
	}
	wanted, err := s.labels()
	if err != nil {
		return nil, usageError(err)
	}
	var errs []error
	for _, p := range pieces {
		for _, it := range p.decoded() {
			o, err := c.named(it)
			if err != nil {
				errs = append(errs, fmt.Errorf("%s: %w", it.from, err))
				continue
			}
			if obj := status.Map(it.object); status.IsCRD(obj) {
				c.promises.Learn(obj)
			}
			if wanted.Matches(labelsOf(it.object)) {
				all = append(all, o)
			}
		}
	}
	return all, errors.Join(errs...)
}

// named returns which object of the cluster a document names. A kind that the
// cluster does not know yet is taken as it stands; its namespace is settled
// when it is known.
func (c *connected) named(it item) (selected, error) {
	if it.err != nil {
		return selected{}, it.err
	}
	id := identityOf(it.object)
	switch {
	case id.Kind == "":
		return selected{}, errors.New("kind: want a string, have none")
	case id.Name == "":
		return selected{}, fmt.Errorf("%s: metadata.name: want a name, have none", id.Kind)
	}
	t := observe.Target{Kind: status.Kind{Group: id.Group, Kind: id.Kind}, Namespace: id.Namespace, Name: id.Name}
	mapping, err := c.mapper.RESTMapping(schema.GroupKind{Group: id.Group, Kind: id.Kind})
	switch {
	case err != nil:
	case mapping.Scope.Name() != meta.RESTScopeNameNamespace:
		t.Namespace = ""
	case t.Namespace == "":
		t.Namespace = c.namespace
	}
	return selected{target: t, from: &it.from}, nil
}

func labelsOf(root map[string]any) labels.Set {
	set := labels.Set{}
	m, _ := at(root, "metadata", "labels").(map[string]any)
	for key, value := range m {
		set[key], _ = value.(string)
	}
	return set
}

// targetsOf returns the targets of what was selected.
func targetsOf(all []selected) []observe.Target {
	targets := make([]observe.Target, len(all))
	for i, o := range all {
		targets[i] = o.target
	}
	return targets
}

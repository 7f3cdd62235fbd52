package sets

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/observe"
)

// These are the labels and annotations of ApplySets (KEP-3659).
const (
	applySetID         = "applyset.kubernetes.io/id"
	applySetPart       = "applyset.kubernetes.io/part-of"
	applySetParentType = "applyset.kubernetes.io/is-parent-type"
	applySetKinds      = "applyset.kubernetes.io/contains-group-kinds"
	applySetResources  = "applyset.kubernetes.io/contains-group-resources" // its former name
	applySetNamespaces = "applyset.kubernetes.io/additional-namespaces"
)

// A parent is the parent object of an ApplySet.
type parent struct {
	resource
	*metav1.PartialObjectMetadata
}

// applySet finds the objects that have the ID of an ApplySet in their labels. A
// parent that is a custom resource is included, because it has a status.
func (f *finder) applySet(ctx context.Context, o Owner) ([]observe.Target, error) {
	p, err := f.parent(ctx, o)
	if err != nil {
		return nil, err
	}
	s := search{labels: labels.Set{applySetPart: p.Labels[applySetID]}.String(), owned: true}
	s.namespaces = splitList(p.Annotations[applySetNamespaces])
	if p.Namespace != "" {
		s.namespaces = append(s.namespaces, p.Namespace)
	}
	slices.Sort(s.namespaces)
	s.namespaces = slices.Compact(s.namespaces)
	if s.kinds, err = f.kindsIn(ctx, o, p); err != nil {
		return nil, err
	}
	all, err := f.members(ctx, s)
	if p.kind.Group != "" {
		all = append([]observe.Target{{Kind: p.kind, Namespace: p.Namespace, Name: p.Name}}, all...)
	}
	return all, err
}

// parent finds the parent of an ApplySet: a Secret, else a ConfigMap, else an
// object of a custom kind with the label for parents.
func (f *finder) parent(ctx context.Context, o Owner) (*parent, error) {
	var others otherTypes
	p, err := f.parentAmong(ctx, o, []resource{{secrets, kindOf("", "Secret"), true}, {configMaps, kindOf("", "ConfigMap"), true}}, &others)
	if p != nil || err != nil {
		return p, err
	}
	custom, err := f.parentTypes(ctx)
	if err != nil {
		return nil, err
	}
	p, err = f.parentAmong(ctx, o, custom, &others)
	switch {
	case p != nil || err != nil:
		return p, err
	case others.denied != nil:
		return nil, others.denied
	case len(others.unlabelled) > 0:
		return nil, &NotFoundError{fmt.Sprintf("%s in namespace %s: metadata.labels[%s]: want the ID of an ApplySet, have none",
			strings.Join(others.unlabelled, " and "), o.Namespace, applySetID)}
	}
	return nil, &NotFoundError{fmt.Sprintf("no ApplySet with that name in namespace %s (searched Secrets, ConfigMaps and kinds with the label %s)",
		o.Namespace, applySetParentType)}
}

// otherTypes are objects with the name of an ApplySet that are not its parent.
type otherTypes struct {
	unlabelled []string // their kinds
	denied     error    // the error for the first that may not be read
}

// parentAmong finds the parent among objects of some kinds; nil if none is.
func (f *finder) parentAmong(ctx context.Context, o Owner, kinds []resource, others *otherTypes) (*parent, error) {
	for _, r := range kinds {
		namespace := ""
		if r.namespaced {
			namespace = o.Namespace
		}
		m, err := f.getMetadata(ctx, r.GroupVersionResource, namespace, o.Name)
		switch {
		case apierrors.IsForbidden(err):
			others.denied = cmp.Or(others.denied, err)
		case apierrors.IsNotFound(err):
		case err != nil:
			return nil, err
		case m.Labels[applySetID] == "":
			others.unlabelled = append(others.unlabelled, r.kind.Kind)
		default:
			return &parent{r, m}, nil
		}
	}
	return nil, nil
}

// parentTypes returns the custom kinds whose objects may be parents. If
// definitions may not be read, it adds a note.
func (f *finder) parentTypes(ctx context.Context) (all []resource, err error) {
	types, err := f.list(ctx, definitions, "", applySetParentType)
	if apierrors.IsForbidden(err) {
		f.note("custom resources were not searched: %v", err)
		return nil, nil
	}
	for _, t := range types {
		plural, group, _ := strings.Cut(t.Name, ".")
		kind, err := f.Mapper.KindFor(schema.GroupVersionResource{Group: group, Resource: plural})
		if err != nil {
			continue // not served yet
		}
		m, err := f.Mapper.RESTMapping(kind.GroupKind())
		if err != nil {
			continue
		}
		all = append(all, resourceOf(m))
	}
	return all, err
}

// kindsIn returns the kinds of an ApplySet's objects: those that its parent
// names, or all kinds.
func (f *finder) kindsIn(ctx context.Context, o Owner, p *parent) ([]resource, error) {
	var kinds []schema.GroupKind
	if named, ok := p.Annotations[applySetKinds]; ok {
		for _, word := range splitList(named) {
			kinds = append(kinds, schema.ParseGroupKind(word))
		}
		return f.kindsNamed(o.String(), kinds)
	}
	named, ok := p.Annotations[applySetResources]
	if !ok {
		return f.everyKind(ctx, o.String())
	}
	for _, word := range splitList(named) {
		r := schema.ParseGroupResource(word)
		kind, err := f.Mapper.KindFor(r.WithVersion(""))
		switch {
		case meta.IsNoMatchError(err):
			f.note("%s: %s is not served, so it has no objects of that kind", o, word)
		case err != nil:
			return nil, fmt.Errorf("look up %s: %w", word, err)
		default:
			kinds = append(kinds, kind.GroupKind())
		}
	}
	return f.kindsNamed(o.String(), kinds)
}

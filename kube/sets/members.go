package sets

import (
	"context"
	"fmt"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// A resource is a served kind.
type resource struct {
	schema.GroupVersionResource
	kind       status.Kind
	namespaced bool
}

func resourceOf(m *meta.RESTMapping) resource {
	return resource{
		GroupVersionResource: m.Resource,
		kind:                 status.Kind(m.GroupVersionKind.GroupKind()),
		namespaced:           m.Scope.Name() == meta.RESTScopeNameNamespace,
	}
}

// maxLists limits the number of kinds times namespaces.
const maxLists = 2000

// A search selects objects by labels, kinds and namespaces.
type search struct {
	kinds      []resource
	namespaces []string
	labels     string
	owned      bool // include objects that a controller has created for another object
}

// members lists the objects of a search, sorted. It lists each kind once per
// namespace, or once if it is cluster-scoped.
func (f *finder) members(ctx context.Context, s search) ([]observe.Target, error) {
	type place struct {
		resource
		namespace string
	}
	var places []place
	for _, r := range s.kinds {
		if !r.namespaced {
			places = append(places, place{r, ""})
			continue
		}
		for _, namespace := range s.namespaces {
			places = append(places, place{r, namespace})
		}
	}
	if len(places) > maxLists {
		return nil, fmt.Errorf("want at most %d lists of kinds and namespaces, have %d", maxLists, len(places))
	}
	found := make([][]observe.Target, len(places))
	err := parallel(len(places), func(i int) error {
		p := places[i]
		all, err := f.list(ctx, p.GroupVersionResource, p.namespace, s.labels)
		for _, m := range all {
			if s.owned || metav1.GetControllerOfNoCopy(&m) == nil {
				found[i] = append(found[i], observe.Target{Kind: p.kind, Namespace: m.Namespace, Name: m.Name})
			}
		}
		if apierrors.IsNotFound(err) || apierrors.IsMethodNotSupported(err) {
			return nil // the kind no longer exists, or cannot be listed
		}
		return err
	})
	all := slices.Concat(found...)
	slices.SortFunc(all, observe.Target.Compare)
	return all, err
}

// kindsNamed returns the resources of kinds, and notes kinds without a
// resource.
func (f *finder) kindsNamed(of string, kinds []schema.GroupKind) (all []resource, err error) {
	for _, kind := range kinds {
		m, err := f.Mapper.RESTMapping(kind)
		switch {
		case meta.IsNoMatchError(err):
			f.note("%s: %s is not served, so it has no objects of that kind", of, kind)
			continue
		case err != nil:
			return nil, fmt.Errorf("look up %s: %w", kind, err)
		}
		if r := resourceOf(m); !slices.Contains(all, r) {
			all = append(all, r)
		}
	}
	return all, nil
}

// splitList splits a text at commas, and omits empty parts.
func splitList(text string) (all []string) {
	for word := range strings.SplitSeq(text, ",") {
		if word = strings.TrimSpace(word); word != "" {
			all = append(all, word)
		}
	}
	return all
}

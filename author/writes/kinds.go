package writes

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/kube/connection"
)

// A watchedKind is a kind that is watched.
type watchedKind struct {
	resource   schema.GroupVersionResource
	kind       string
	namespaced bool
	related    bool // not requested, but its objects affect the requested ones
}

// String returns the name of the kind as kubectl does.
func (s watchedKind) String() string { return s.resource.GroupResource().String() }

// relatedKinds are kinds whose objects affect objects of other groups: a paused
// Cluster pauses all its objects.
var relatedKinds = []struct {
	suffix string // of the groups
	to     schema.GroupResource
}{
	{"cluster.x-k8s.io", schema.GroupResource{Group: "cluster.x-k8s.io", Resource: "clusters"}},
}

// findKinds finds kinds by their names in what a server serves, and adds their related kinds. broken
// is the error of groups that could not be read.
func findKinds(lists []*metav1.APIResourceList, broken error, names []string) ([]watchedKind, error) {
	served := watchable(lists)
	var all []watchedKind
	var errs []error
	for _, name := range names {
		found, err := kindsByName(served, name)
		errs = append(errs, err)
		all = append(all, found...)
	}
	if len(names) == 0 {
		errs = append(errs, errors.New("want at least one kind, have none"))
	}
	if err := errors.Join(errs...); err != nil {
		return nil, errors.Join(err, broken)
	}
	for _, r := range relatedKinds {
		needed := slices.ContainsFunc(all, func(s watchedKind) bool { return strings.HasSuffix(s.resource.Group, r.suffix) })
		i := slices.IndexFunc(served, func(s servedKind) bool { return s.resource.GroupResource() == r.to })
		if needed && i >= 0 {
			related := served[i].watchedKind
			related.related = true
			all = append(all, related)
		}
	}
	return slices.CompactFunc(sortKinds(all), func(a, b watchedKind) bool { return a.resource == b.resource }), nil
}

// Mappings returns the mappings of the kinds that Watch watches.
func (c *Cluster) Mappings(ctx context.Context) ([]*meta.RESTMapping, error) {
	server, err := connection.New(c.Config)
	if err != nil {
		return nil, err
	}
	defer server.Close()
	lists, broken := connection.ServedResources(ctx, c.Config, server.Discovery)
	kinds, err := findKinds(lists, broken, c.Kinds)
	if err != nil {
		return nil, fmt.Errorf("find the kinds to watch: %w", err)
	}
	all := make([]*meta.RESTMapping, len(kinds))
	for i, k := range kinds {
		all[i] = &meta.RESTMapping{Resource: k.resource, GroupVersionKind: k.resource.GroupVersion().WithKind(k.kind), Scope: meta.RESTScopeRoot}
		if k.namespaced {
			all[i].Scope = meta.RESTScopeNamespace
		}
	}
	return all, nil
}

// sortKinds sorts kinds by name. A requested kind comes before the same kind as
// a related one.
func sortKinds(all []watchedKind) []watchedKind {
	slices.SortStableFunc(all, func(a, b watchedKind) int {
		if c := strings.Compare(a.String(), b.String()); c != 0 || a.related == b.related {
			return c
		}
		if b.related {
			return -1
		}
		return 1
	})
	return all
}

// A servedKind is a served kind, with the names that kubectl accepts for it.
type servedKind struct {
	watchedKind
	names []string
}

// watchable returns the kinds that can be listed and watched.
func watchable(lists []*metav1.APIResourceList) (all []servedKind) {
	for _, list := range lists {
		gv, err := schema.ParseGroupVersion(list.GroupVersion)
		if err != nil {
			continue // it has no name to request it by
		}
		for _, r := range list.APIResources {
			if strings.Contains(r.Name, "/") || !slices.Contains(r.Verbs, "list") || !slices.Contains(r.Verbs, "watch") {
				continue
			}
			all = append(all, servedKind{
				watchedKind: watchedKind{resource: gv.WithResource(r.Name), kind: r.Kind, namespaced: r.Namespaced},
				names:       append([]string{r.Name, r.SingularName, strings.ToLower(r.Kind)}, r.ShortNames...),
			})
		}
	}
	return all
}

// kindsByName returns the kinds that a name selects. Like kubectl, a name
// without a group selects the first kind.
func kindsByName(served []servedKind, name string) ([]watchedKind, error) {
	kind, group, grouped := strings.Cut(strings.ToLower(name), ".")
	var all []watchedKind
	for _, s := range served {
		of := s.resource
		secret := isWithheld(of.GroupResource())
		switch {
		case grouped && group != of.Group && group != of.Version+"."+of.Group:
		case kind == "*" && grouped && !secret:
			all = append(all, s.watchedKind)
		case !slices.Contains(s.names, kind):
		case secret:
			return nil, fmt.Errorf("%s: want another kind; its objects are confidential and never read", s)
		default:
			return []watchedKind{s.watchedKind}, nil
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s: want a kind that the cluster serves and that can be watched, such as lamps.example.com, or *.example.com", name)
	}
	return all, nil
}

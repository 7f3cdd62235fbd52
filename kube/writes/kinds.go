package writes

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
)

// A subject is a kind that is watched.
type subject struct {
	resource   schema.GroupVersionResource
	kind       string
	namespaced bool
	related    bool // it is watched for what it says of others
}

// String names the subject as kubectl would.
func (s subject) String() string { return s.resource.GroupResource().String() }

// relations are the kinds that say something of objects of other groups:
// a Cluster that is paused has everything paused that belongs to it.
var relations = []struct {
	suffix string // of the groups
	to     schema.GroupResource
}{
	{"cluster.x-k8s.io", schema.GroupResource{Group: "cluster.x-k8s.io", Resource: "clusters"}},
}

// find looks up kinds by their names, and adds those that say something of them.
func find(server discovery.DiscoveryInterface, names []string) ([]subject, error) {
	lists, broken := server.ServerPreferredResources()
	served := watchable(lists)
	var all []subject
	var errs []error
	for _, name := range names {
		found, err := called(served, name)
		errs = append(errs, err)
		all = append(all, found...)
	}
	if len(names) == 0 {
		errs = append(errs, errors.New("want at least one kind, have none"))
	}
	if err := errors.Join(errs...); err != nil {
		return nil, errors.Join(err, broken)
	}
	for _, r := range relations {
		needed := slices.ContainsFunc(all, func(s subject) bool { return strings.HasSuffix(s.resource.Group, r.suffix) })
		i := slices.IndexFunc(served, func(s offer) bool { return s.resource.GroupResource() == r.to })
		if needed && i >= 0 {
			related := served[i].subject
			related.related = true
			all = append(all, related)
		}
	}
	return slices.CompactFunc(ordered(all), func(a, b subject) bool { return a.resource == b.resource }), nil
}

// ordered puts subjects into one order; of one that is asked for and related
// the former is first.
func ordered(all []subject) []subject {
	slices.SortStableFunc(all, func(a, b subject) int {
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

// An offer is a kind that the server has, with the names that people use for it.
type offer struct {
	subject
	names []string
}

// watchable returns the kinds that can be listed and watched.
func watchable(lists []*metav1.APIResourceList) (all []offer) {
	for _, list := range lists {
		gv, err := schema.ParseGroupVersion(list.GroupVersion)
		if err != nil {
			continue // nobody can ask for it
		}
		for _, r := range list.APIResources {
			if strings.Contains(r.Name, "/") || !slices.Contains(r.Verbs, "list") || !slices.Contains(r.Verbs, "watch") {
				continue
			}
			all = append(all, offer{
				subject: subject{resource: gv.WithResource(r.Name), kind: r.Kind, namespaced: r.Namespaced},
				names:   append([]string{r.Name, r.SingularName, strings.ToLower(r.Kind)}, r.ShortNames...),
			})
		}
	}
	return all
}

// called returns what a name stands for: the first kind of that name where no
// group is named, as with kubectl.
func called(served []offer, name string) ([]subject, error) {
	kind, group, grouped := strings.Cut(strings.ToLower(name), ".")
	var all []subject
	for _, s := range served {
		of := s.resource
		secret := withheld(of.GroupResource())
		switch {
		case grouped && group != of.Group && group != of.Version+"."+of.Group:
		case kind == "*" && grouped && !secret:
			all = append(all, s.subject)
		case !slices.Contains(s.names, kind):
		case secret:
			return nil, fmt.Errorf("%s: want another kind, since what these hold is never read", s)
		default:
			return []subject{s.subject}, nil
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s: want a kind that the cluster serves and lets watch, such as lamps.example.com, or *.example.com", name)
	}
	return all, nil
}

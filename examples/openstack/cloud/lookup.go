package cloud

import (
	"context"
	"slices"
	"strings"

	"github.com/gophercloud/gophercloud/v2/openstack/networking/v2/extensions/attributestags"
	"github.com/gophercloud/gophercloud/v2/pagination"

	"kstatus.dev/clusterapi/openstack/classify"
	"kstatus.dev/clusterapi/openstack/failure"
)

// A Filter selects one existing resource, by its ID or by the other fields. Each field that is set must
// match.
type Filter struct {
	ID, Name string
	Tags     []string // not of subnets, flavors and server groups
	CIDR     string   // of subnets
}

// String describes the filter for messages.
func (f Filter) String() string {
	var parts []string
	for _, p := range [][2]string{{"ID", f.ID}, {"name", f.Name}, {"CIDR", f.CIDR}, {"tags", strings.Join(f.Tags, ",")}} {
		if p[1] != "" {
			parts = append(parts, p[0]+" "+p[1])
		}
	}
	return "with " + strings.Join(parts, " and ")
}

// empty reports whether the filter would match everything.
func (f Filter) empty() bool { return f.ID == "" && f.Name == "" && f.CIDR == "" && len(f.Tags) == 0 }

// A Ref is a resource that exists.
type Ref struct{ ID, Name string }

// pick returns the only resource that a filter selects. A service may ignore a parameter that it does
// not know, so matches compares again.
func pick[T any](kind string, f Filter, list []T, matches func(*T) bool) (*T, error) {
	if f.empty() {
		return nil, classify.Invalid("a reference to a " + kind + " has no ID and no filter")
	}
	list = slices.DeleteFunc(list, func(t T) bool { return !matches(&t) })
	found, err := atMostOne(kind, f.String(), list)
	if err == nil && found == nil {
		return nil, classify.NotFound(kind, f.String())
	}
	return found, err
}

// match reports whether a resource with these properties is selected.
func (f Filter) match(id, name string, tags []string) bool {
	return (f.ID == "" || f.ID == id) && (f.Name == "" || f.Name == name) &&
		!slices.ContainsFunc(f.Tags, func(tag string) bool { return !slices.Contains(tags, tag) })
}

// all returns all items of a list.
func all[T any](ctx context.Context, pager pagination.Pager, extract func(pagination.Page) ([]T, error)) ([]T, error) {
	pages, err := pager.AllPages(ctx)
	if err != nil {
		return nil, err
	}
	return extract(pages)
}

// atMostOne returns the only item of a list, or nil for an empty list.
func atMostOne[T any](kind, name string, list []T) (*T, error) {
	switch len(list) {
	case 0:
		return nil, nil
	case 1:
		return &list[0], nil
	}
	return nil, classify.Ambiguous(kind, name, len(list))
}

// owns reports whether a resource with a description and tags belongs to the owner. The network service
// sets tags in a second request, which may never come. So the description has the mark from the start.
func (o Owner) owns(description string, tags []string) bool {
	return description == o.Tag() || slices.Contains(tags, o.Tag())
}

// mark adds the tags of a resource of the network service that it does not have.
func (c *Cloud) mark(ctx context.Context, kind, id string, have, want []string) error {
	together := unique(append(slices.Clone(have), want...))
	if len(together) == len(unique(have)) {
		return nil
	}
	_, err := attributestags.ReplaceAll(ctx, c.network.Client, kind, id, attributestags.ReplaceAllOpts{Tags: together}).Extract()
	return c.network.Explain(err, "set the tags of %s %s", kind, id)
}

// ignoreNotFound returns nil for a failure DependencyNotFound.
func ignoreNotFound(err error) error {
	if f := failure.As(err); f != nil && f.Class == failure.DependencyNotFound {
		return nil
	}
	return err
}

// sameSet reports whether two lists have the same strings.
func sameSet(a, b []string) bool {
	a, b = slices.Clone(a), slices.Clone(b)
	slices.Sort(a)
	slices.Sort(b)
	return slices.Equal(slices.Compact(a), slices.Compact(b))
}

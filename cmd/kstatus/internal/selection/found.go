package selection

import (
	"context"
	"maps"
	"slices"

	"kstatus.dev/cmd/kstatus/internal/connection"
	"kstatus.dev/kube/sets"
	"kstatus.dev/observe"
)

// A Found is what a request selects in a cluster, and what the search for it has read.
type Found struct {
	Cluster  *connection.Cluster
	Objects  []Object
	Releases []Release                         // the Helm releases among the named sets, with Flags.FollowReleases
	Owners   map[observe.Target]observe.Target // the owner of each object that was found by its owner
	homes    map[observe.Target]string         // the namespace of the named set of each object of one
	Reads    []sets.Permission                 // the requests of the search for sets
	hints    map[sets.Owner]string             // where sets that were not found may be
}

// newFound returns an empty Found for a request.
func newFound(c *connection.Cluster, r Request) *Found {
	f := &Found{Cluster: c, Owners: map[observe.Target]observe.Target{}, homes: map[observe.Target]string{}, hints: map[sets.Owner]string{}}
	maps.Copy(f.hints, r.hints)
	return f
}

// ObjectsOf returns the objects of all clusters.
func ObjectsOf(found []Found) (all []Object) {
	for _, f := range found {
		all = append(all, f.Objects...)
	}
	return all
}

// With returns what f and a later search in the same cluster have found. It changes neither.
func (f Found) With(later Found) Found {
	f.Objects = slices.Concat(f.Objects, later.Objects)
	f.Releases = slices.Concat(f.Releases, later.Releases)
	f.Reads = slices.Concat(f.Reads, later.Reads)
	f.Owners, f.homes, f.hints = joined(f.Owners, later.Owners), joined(f.homes, later.homes), joined(f.hints, later.hints)
	return f
}

// joined returns the entries of two maps. Those of the second count.
func joined[K comparable, V any](a, b map[K]V) map[K]V {
	both := make(map[K]V, len(a)+len(b))
	maps.Copy(both, a)
	maps.Copy(both, b)
	return both
}

// Homes returns the namespaces that the user requested the objects of sets in.
func (f Found) Homes() map[observe.Target]string {
	all := make(map[observe.Target]string, len(f.Owners)+len(f.homes))
	for t := range f.Owners {
		all[t] = f.home(t)
	}
	for t := range f.homes {
		all[t] = f.home(t)
	}
	return all
}

// home returns the namespace that the user requested an object in. For an object of a set it is
// that of the set. For an object that another one owns, it is that of the topmost owner. Its
// authors choose the namespaces of such objects.
func (f Found) home(t observe.Target) string {
	for range len(f.Owners) {
		owner, owned := f.Owners[t]
		if !owned {
			break
		}
		t = owner
	}
	if home, ok := f.homes[t]; ok {
		return home
	}
	return t.Namespace
}

// add prints the notes about a set, records its owners and requests, and returns its objects.
func (f *Found) add(set sets.Set) []Object {
	for _, note := range set.Notes {
		f.Cluster.Note(note)
	}
	f.Reads = append(f.Reads, set.Permissions...)
	for owned, owner := range set.Owners {
		owned.Cluster, owner.Cluster = f.Cluster.Name, f.Cluster.Name
		f.Owners[owned] = owner
	}
	objects := make([]Object, len(set.Objects))
	for i, t := range set.Objects {
		t.Cluster = f.Cluster.Name
		objects[i] = Object{Target: t}
	}
	return objects
}

// elsewhere returns where a set that was not found may be, or an empty text. It searches once
// per set.
func (f *Found) elsewhere(ctx context.Context, o sets.Owner) string {
	hint, known := f.hints[o]
	if !known && o.Type == sets.TypeHelm {
		hint = f.Cluster.Sets().DescribeMissing(ctx, o)
	}
	f.hints[o] = hint
	return hint
}

package setsource

import (
	"slices"

	"kstatus.dev/cmd/kstatus/internal/connection"
	"kstatus.dev/cmd/kstatus/internal/goals"
	"kstatus.dev/cmd/kstatus/internal/selection"
	"kstatus.dev/kube/sets"
	"kstatus.dev/kube/sets/follow"
	"kstatus.dev/observe"
)

// A Followed holds the targets of a wait at its start.
type Followed struct {
	Shown    []selection.Object // the objects for views
	Watched  []observe.Target   // targets that represent releases, and objects without a release
	Ignored  []observe.Target   // ignored releases
	releases []release
}

// A release is a Helm release to follow in a cluster.
type release struct {
	in  *connection.Cluster
	set follow.Set
}

// Follow returns the targets for the objects and releases that were found in clusters. It prints a note about ignored
// releases, and does not follow them.
func Follow(p *goals.Plan, found []selection.Found) (f Followed) {
	all := selection.ObjectsOf(found)
	owner := map[observe.Target]follow.State{} // the states of the releases of objects
	for _, in := range found {
		for _, r := range in.Releases {
			set := follow.Set{
				Owner: r.Owner, Target: selection.SetTarget(in.Cluster, r.Owner), Revision: p.Revision,
				Found: &sets.Set{Objects: withOwned(r.Objects, in.Owners, all), Revision: &r.Revision},
			}
			state, terms := set.State(), p.TermsFor(set.Target)
			ignored := terms != nil && terms.Ignore || state == follow.StateRemoved && p.Policy.Missing == observe.MissingIgnore
			if ignored || state == follow.StateSettled && len(r.Objects) == 0 {
				if note := r.Note(); note != "" {
					in.Cluster.Note(note)
				}
				f.Ignored = append(f.Ignored, set.Target)
				continue
			}
			for _, t := range set.Found.Objects {
				owner[t] = state
			}
			if state == follow.StateRemoved {
				set.Found.Objects = nil // the objects were removed with the release
			}
			f.releases = append(f.releases, release{in.Cluster, set})
		}
	}
	for _, o := range all {
		state, isOwned := owner[o.Target]
		if !isOwned || o.Named {
			f.Watched = append(f.Watched, o.Target)
		}
		if !isOwned || o.Named || state != follow.StateRemoved {
			f.Shown = append(f.Shown, o)
		}
	}
	for _, r := range f.releases {
		f.Watched = append(f.Watched, r.set.Target)
		if r.set.State() != follow.StateSettled {
			f.Shown = append(f.Shown, selection.Object{Target: r.set.Target})
		}
	}
	return f
}

// withOwned returns the objects and the objects that they own, in the order of all.
func withOwned(objects []observe.Target, owners map[observe.Target]observe.Target, all []selection.Object) []observe.Target {
	if len(owners) == 0 {
		return objects
	}
	owned := make(map[observe.Target]bool, len(objects))
	for _, t := range objects {
		owned[t] = true
	}
	for grown := true; grown; {
		grown = false
		for t, owner := range owners {
			if owned[owner] && !owned[t] {
				owned[t], grown = true, true
			}
		}
	}
	var both []observe.Target
	for _, o := range all {
		if owned[o.Target] {
			both = append(both, o.Target)
		}
	}
	return both
}

// IsFor reports whether a wait follows releases. A wait for deletion does not.
func IsFor(p *goals.Plan) bool {
	return !slices.ContainsFunc(p.Terms.Goals, func(g observe.Goal) bool { return g.Absence })
}

// Terms returns the terms of a target that represents a set, and nil for other targets. The goal
// of a set is always Current.
func Terms(p *goals.Plan, t observe.Target) *observe.Requirements {
	if _, isSet := sets.ParseOwner(t.Kind.String()+"/"+t.Name, t.Namespace); !isSet || !IsFor(p) {
		return nil
	}
	terms := p.Terms
	if own := p.TermsFor(t); own != nil {
		terms = *own
	}
	terms = follow.Requirements(terms)
	return &terms
}

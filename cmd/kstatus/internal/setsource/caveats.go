package setsource

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"kstatus.dev/cmd/kstatus/internal/goals"
	"kstatus.dev/cmd/kstatus/internal/selection"
	"kstatus.dev/kube/sets"
	"kstatus.dev/kube/sets/follow"
	"kstatus.dev/observe"
)

// AddSuperseded adds a caveat for each release of which a later revision has replaced that of the
// start of the wait. The first object of the later one has it. It returns the updates with caveats.
func (s *Source) AddSuperseded(p *goals.Plan, some []observe.Update, board *observe.Board) []observe.Update {
	for _, r := range s.Releases() {
		if p.Revision != 0 || r.First == 0 || r.State != follow.StateSettled || r.Revision.Number <= r.First {
			continue
		}
		some = addCaveat(some, board, r.Objects, fmt.Sprintf("%s: revision %d was replaced during the wait by revision %d, which counts; --revision %[2]d would make that a failure",
			r.Owner, r.First, r.Revision.Number))
	}
	return some
}

// AddChanged finds the sets without revisions once more, and adds a caveat for each whose objects are
// not those that the wait has found. The first of these has it. A set that cannot be read has no
// caveat.
func AddChanged(ctx context.Context, found []selection.Found, some []observe.Update, board *observe.Board) []observe.Update {
	for _, in := range found {
		known := map[observe.Target]bool{}
		bySet := map[sets.Owner][]observe.Target{}
		var owners []sets.Owner // in order
		for _, o := range in.Objects {
			known[o.Target] = true
			if o.OfSet == (sets.Owner{}) {
				continue
			}
			if bySet[o.OfSet] == nil {
				owners = append(owners, o.OfSet)
			}
			bySet[o.OfSet] = append(bySet[o.OfSet], o.Target)
		}
		for _, owner := range owners {
			set, err := in.Cluster.Sets().Find(ctx, owner)
			if _, isGone := errors.AsType[*sets.NotFoundError](err); isGone {
				some = addCaveat(some, board, bySet[owner], fmt.Sprintf("%s: the set was deleted during the wait; its former objects count", owner))
			}
			if err != nil {
				continue
			}
			for i := range set.Objects {
				set.Objects[i].Cluster = in.Cluster.Name
			}
			if what := changes(bySet[owner], set.Objects, known); what != "" {
				some = addCaveat(some, board, bySet[owner], fmt.Sprintf("%s: its objects have changed during the wait, and the former ones count: %s", owner, what))
			}
		}
	}
	return some
}

// changes describes which objects a set has now and did not have before, and which it lacks. It is
// empty if there are none. Objects that the wait knows are not new.
func changes(before, now []observe.Target, known map[observe.Target]bool) string {
	var added, removed, texts []string
	present := make(map[observe.Target]bool, len(now))
	for _, t := range now {
		present[t] = true
		if !known[t] {
			added = append(added, t.String())
		}
	}
	for _, t := range before {
		if !present[t] {
			removed = append(removed, t.String())
		}
	}
	if len(added) > 0 {
		texts = append(texts, "added "+selection.Abridge(added))
	}
	if len(removed) > 0 {
		texts = append(texts, "removed "+selection.Abridge(removed))
	}
	return strings.Join(texts, "; ")
}

// addCaveat adds a caveat to the first of some objects. It returns the updates with caveats.
func addCaveat(some []observe.Update, board *observe.Board, objects []observe.Target, caveat string) []observe.Update {
	all := append(slices.Clip(some), board.Updates()...)
	for _, t := range objects {
		if i := slices.IndexFunc(all, func(u observe.Update) bool { return u.Target == t }); i >= 0 {
			all[i].Result = all[i].Result.WithCaveat(caveat)
			return append(some, all[i])
		}
	}
	return some
}

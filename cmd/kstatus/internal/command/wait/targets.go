package wait

import (
	"context"
	"errors"
	"slices"
	"time"

	"kstatus.dev/cmd/kstatus/internal/connection"
	"kstatus.dev/cmd/kstatus/internal/goals"
	"kstatus.dev/cmd/kstatus/internal/selection"
	"kstatus.dev/observe"
)

// setPause is the time from one search for a missing set to the next.
const setPause = 2 * time.Second

// A missingSet is a set that does not exist yet, in a cluster.
type missingSet struct {
	*selection.MissingSetError
	cluster *connection.Cluster
}

// targets finds out which objects are waited for, in all clusters, and which sets are missing
// of which that will be known later.
func (w *command) targets(ctx context.Context, p *goals.Plan, clusters []*connection.Cluster, asked selection.Request) (all []selection.Object, missing []missingSet, err error) {
	for _, c := range clusters {
		some, sets, err := w.targetsIn(ctx, p, c, asked)
		if err := w.skipDocuments(err, len(some) > 0); err != nil {
			return nil, nil, err
		}
		for _, set := range sets {
			some = append(some, selection.Object{Target: set.Target})
			missing = append(missing, missingSet{set, c})
		}
		all = append(all, some...)
	}
	return all, missing, nil
}

// targetsIn finds out which objects of a cluster are waited for. What does not exist is waited
// for, ignored, or an error, as --missing says. If objects are to be deleted, a set that does
// not exist has none.
func (w *command) targetsIn(ctx context.Context, p *goals.Plan, c *connection.Cluster, asked selection.Request) ([]selection.Object, []*selection.MissingSetError, error) {
	for {
		all, err := w.objects.Resolve(ctx, c, asked)
		var missing []*selection.MissingSetError
		haveTargets := true
		for _, err := range connection.FlattenErrors(err) {
			set, ok := errors.AsType[*selection.MissingSetError](err)
			missing, haveTargets = append(missing, set), haveTargets && ok
		}
		switch {
		case !connection.IsOnlyMissing(err):
			return all, nil, err
		case goals.OutcomeWithoutObjects(p) == observe.OutcomeSuccess:
			c.Note(err.Error())
			return all, nil, nil
		case w.goals.missing != "wait" || p.Policy.Once:
			return nil, nil, err
		case haveTargets:
			return all, missing, nil
		}
		c.Note(err.Error() + "; waiting for it")
		select {
		case <-ctx.Done():
			return nil, nil, err
		case <-time.After(setPause):
		}
	}
}

// A setSource is a source that also looks for sets that are missing. When one has been found,
// its objects take the place of the target that stands for it.
type setSource struct {
	observe.Source
	missing []missingSet
	resolve func(context.Context, missingSet) ([]selection.Object, error)
}

// Observe observes the targets, and the objects of sets once these are found.
func (s *setSource) Observe(ctx context.Context, targets []observe.Target, report func(observe.Event) (open bool)) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	known := slices.DeleteFunc(slices.Clone(targets), func(t observe.Target) bool {
		return slices.ContainsFunc(s.missing, func(set missingSet) bool { return set.Target == t })
	})
	running := make(chan error)
	readers := 0
	read := func(some []observe.Target) {
		readers++
		go func() { running <- s.Source.Observe(ctx, some, report) }()
	}
	if len(known) > 0 {
		read(known)
	}
	for _, set := range s.missing {
		report(absentSet(set.Target, set.Text))
	}
	found := make(chan []observe.Target)
	searching := make(chan struct{})
	go func() {
		defer close(searching)
		s.search(ctx, known, report, found)
	}()
	var failed error
	for ended := ctx.Done(); readers > 0 || ended != nil; {
		select {
		case some := <-found:
			read(some)
		case err := <-running:
			readers--
			if err != nil && failed == nil {
				failed = err
			}
			stop(err)
		case <-ended:
			ended = nil
			<-searching
		}
	}
	return failed
}

// absentSet returns the event that a set does not exist.
func absentSet(t observe.Target, text string) observe.Event {
	return observe.Event{Target: t, Err: &observe.Unreadable{Reason: "NeverSeen", Text: text}}
}

// search looks for the missing sets until all have been found, or ctx ends. It sends the
// objects that are not known yet to found.
func (s *setSource) search(ctx context.Context, known []observe.Target, report func(observe.Event) bool, found chan<- []observe.Target) {
	missing := slices.Clone(s.missing)
	for len(missing) > 0 {
		select {
		case <-ctx.Done():
			return
		case <-time.After(setPause):
		}
		missing = slices.DeleteFunc(missing, func(set missingSet) bool {
			objects, err := s.resolve(ctx, set)
			if ctx.Err() != nil {
				return false
			}
			if err != nil || len(objects) == 0 {
				report(s.failure(set, err))
				return false
			}
			targets := selection.Targets(objects)
			report(observe.Event{Target: set.Target, Targets: targets})
			targets = slices.DeleteFunc(targets, func(t observe.Target) bool { return slices.Contains(known, t) })
			known = append(known, targets...)
			if len(targets) > 0 {
				select {
				case found <- targets:
				case <-ctx.Done():
				}
			}
			return true
		})
	}
}

// failure returns the event that a set was not found, with the error if it cannot be looked for.
func (s *setSource) failure(set missingSet, err error) observe.Event {
	for _, err := range connection.FlattenErrors(err) {
		if still, ok := errors.AsType[*selection.MissingSetError](err); ok {
			return absentSet(set.Target, still.Text)
		}
	}
	switch {
	case err == nil:
		return absentSet(set.Target, "it has no objects")
	case connection.IsForbidden(err):
		return observe.Event{Target: set.Target, Err: &observe.Unreadable{Reason: "Forbidden", Text: err.Error()}}
	}
	return observe.Event{Target: set.Target, Err: &observe.Unreadable{Reason: "Transport", Text: err.Error()}}
}

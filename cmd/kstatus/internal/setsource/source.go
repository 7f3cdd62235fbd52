// Package setsource is the part of a wait that is about sets of objects. It looks for sets that do
// not exist yet, and watches Helm releases while Helm changes them.
package setsource

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"kstatus.dev/cmd/kstatus/internal/connection"
	"kstatus.dev/cmd/kstatus/internal/selection"
	"kstatus.dev/internal/crash"
	"kstatus.dev/internal/turn"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// Pause is the time between two searches for a missing set.
const Pause = 2 * time.Second

// A Missing is a set, or an object of a type, that does not exist yet in a cluster.
type Missing struct {
	Target  observe.Target // represents it
	Text    string         // the error as text
	Request selection.Request
	Cluster *connection.Cluster
}

// NewMissing returns the missing set or object in an error of a cluster. It returns false for
// other errors.
func NewMissing(c *connection.Cluster, err error) (Missing, bool) {
	if set, ok := errors.AsType[*selection.MissingSetError](err); ok {
		return Missing{set.Target, set.Text, set.Request(), c}, true
	}
	if t, ok := errors.AsType[*connection.TypeError](err); ok && t.Arg != "" && t.MayAppear() {
		return Missing{selection.UnservedTarget(c, t.Arg), t.Error(), selection.Request{Args: []string{t.Arg}}, c}, true
	}
	return Missing{}, false
}

// A Config holds the parameters of a Source.
type Config struct {
	Missing []Missing
	Resolve func(ctx context.Context, c *connection.Cluster, r selection.Request) (selection.Found, error)
	Note    func(format string, args ...any) // prints a note
	Once    bool                             // read objects once, without searching again

	Revision int64 // the only revision of a Helm release that counts; 0: any
}

// A Source is a source that also searches for missing sets, and follows Helm releases. The
// objects of a set replace the target that represents the set.
type Source struct {
	observe.Source
	Config

	found  chan []observe.Target // objects to read in addition.
	turn   turn.Turn             // owns known and report, and reads releases and sets.
	known  []observe.Target      // the objects that are being read.
	report func(observe.Event) (open bool)

	mu       sync.Mutex // guards the fields below and the releases; locked by the holder of the turn.
	releases []*release // the releases that were found
}

// Observe observes the targets, and the objects of sets once these are found.
func (s *Source) Observe(ctx context.Context, targets []observe.Target, report func(observe.Event) (open bool)) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	if err := s.begin(ctx, targets, report); err != nil {
		return nil // ctx has ended
	}
	running := make(chan error)
	readers := 0
	read := func(some []observe.Target) {
		readers++
		crash.Go(func() { running <- s.Source.Observe(ctx, some, report) })
	}
	if len(s.known) > 0 {
		read(slices.Clone(s.known))
	}
	for _, set := range s.Missing {
		report(absentSet(set.Target, set.Text))
	}
	searching := make(chan struct{})
	crash.Go(func() {
		defer close(searching)
		s.search(ctx)
	})
	var failed error
	for ended := ctx.Done(); readers > 0 || ended != nil; {
		select {
		case some := <-s.found:
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

// begin reports the releases, and sets the objects to read first. These are the objects of
// releases, and the targets that do not represent a set.
func (s *Source) begin(ctx context.Context, targets []observe.Target, report func(observe.Event) bool) error {
	end, err := s.turn.Take(ctx)
	if err != nil {
		return err
	}
	defer end()
	s.report = report
	s.known = slices.DeleteFunc(slices.Clone(targets), func(t observe.Target) bool {
		return slices.ContainsFunc(s.Missing, func(set Missing) bool { return set.Target == t }) ||
			slices.ContainsFunc(s.releases, func(r *release) bool { return r.target == t })
	})
	for _, r := range s.releases {
		s.known = append(s.known, s.unknown(r.objects)...)
		report(observe.Event{Target: r.target, Targets: r.objects})
		s.reportState(r)
	}
	return nil
}

// unknown returns the targets that are not being read yet. The caller has the turn.
func (s *Source) unknown(targets []observe.Target) []observe.Target {
	known := make(map[observe.Target]bool, len(s.known))
	for _, t := range s.known {
		known[t] = true
	}
	return slices.DeleteFunc(slices.Clone(targets), func(t observe.Target) bool { return known[t] })
}

// read starts to read the targets that are not being read yet. The caller has the turn.
func (s *Source) read(ctx context.Context, targets []observe.Target) {
	some := s.unknown(targets)
	if len(some) == 0 {
		return
	}
	select {
	case s.found <- some:
		s.known = append(s.known, some...)
	case <-ctx.Done():
	}
}

// absentSet returns the event that a set does not exist.
func absentSet(t observe.Target, text string) observe.Event {
	return observe.Event{Target: t, Err: &observe.Unreadable{Reason: status.ReasonNeverSeen, Text: text}}
}

// search searches for the missing sets, and reads the releases, until ctx ends.
func (s *Source) search(ctx context.Context) {
	missing := slices.Clone(s.Missing)
	for !s.Once {
		select {
		case <-ctx.Done():
			return
		case <-time.After(Pause):
		}
		end, err := s.turn.Take(ctx)
		if err != nil {
			return
		}
		for _, r := range s.releases {
			if r.isDue() {
				_ = s.readRelease(ctx, r) // the next round reads it again
			}
		}
		missing = slices.DeleteFunc(missing, func(set Missing) bool { return ctx.Err() == nil && s.find(ctx, set) })
		end()
	}
}

// find searches for a missing set, and reports the result. The caller has the turn.
func (s *Source) find(ctx context.Context, set Missing) bool {
	found, err := s.Resolve(ctx, set.Cluster, set.Request)
	if ctx.Err() != nil {
		return false
	}
	if err != nil || len(found.Objects) == 0 {
		s.report(s.failure(set, err))
		return false
	}
	targets := selection.Targets(found.Objects)
	s.report(observe.Event{Target: set.Target, Targets: targets})
	for _, r := range found.Releases {
		followed := newRelease(set.Cluster, r, s.Revision)
		followed.objects = targets
		s.mu.Lock()
		s.releases = append(s.releases, followed)
		s.mu.Unlock()
		s.reportState(followed)
	}
	s.read(ctx, targets)
	return true
}

// failure returns the event for a set that was not found. It has the error if the search failed.
func (s *Source) failure(set Missing, err error) observe.Event {
	for _, err := range connection.FlattenErrors(err) {
		if still, ok := NewMissing(set.Cluster, err); ok {
			return absentSet(set.Target, still.Text)
		}
	}
	switch {
	case err == nil:
		return absentSet(set.Target, "it has no objects")
	case connection.IsForbidden(err):
		return observe.Event{Target: set.Target, Err: &observe.Unreadable{Reason: status.ReasonForbidden, Text: err.Error()}}
	}
	return observe.Event{Target: set.Target, Err: &observe.Unreadable{Reason: status.ReasonTransport, Text: err.Error()}}
}

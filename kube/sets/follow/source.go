package follow

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"kstatus.dev/internal/crash"
	"kstatus.dev/kube/sets"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// Pause is the time between two searches for a set that does not exist, and between two reads of a
// release that Helm is changing.
const Pause = 2 * time.Second

// target returns the target that represents the set.
func (s Set) target() observe.Target {
	if s.Target == (observe.Target{}) {
		return TargetOf(s.Owner)
	}
	return s.Target
}

// isFound reports whether the set was found before the wait. A set without objects counts only while
// Helm changes it.
func (s Set) isFound() bool {
	return s.Found != nil && (len(s.Found.Objects) > 0 || s.State() != StateSettled)
}

// resolve finds the objects of a set.
func (s *Source) resolve(ctx context.Context, set Set) (sets.Set, error) {
	if set.Find != nil {
		return set.Find(ctx)
	}
	found, err := set.Cluster.Find(ctx, set.Owner)
	for i := range found.Objects {
		found.Objects[i].Cluster = set.target().Cluster
	}
	for _, note := range found.Notes {
		s.note("%s", note)
	}
	return found, err
}

// note calls OnNote with a note.
func (s *Source) note(format string, args ...any) {
	if s.OnNote != nil {
		s.OnNote(fmt.Sprintf(format, args...))
	}
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
		crash.Go(func() { running <- s.Objects.Observe(ctx, some, report) })
	}
	if len(s.known) > 0 {
		read(slices.Clone(s.known))
	}
	for _, set := range s.Sets {
		if !set.isFound() && set.Absent != "" {
			report(absentSet(set.target(), set.Absent))
		}
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

// begin reports the releases, and sets the objects to read first. These are the objects of sets that
// were found, and the targets that do not represent a set.
func (s *Source) begin(ctx context.Context, targets []observe.Target, report func(observe.Event) bool) error {
	end, err := s.turn.Take(ctx)
	if err != nil {
		return err
	}
	defer end()
	s.report, s.found = report, make(chan []observe.Target)
	ofSets := s.Targets()
	s.known = slices.DeleteFunc(slices.Clone(targets), func(t observe.Target) bool { return slices.Contains(ofSets, t) })
	for _, set := range s.Sets {
		if set.isFound() {
			s.known = append(s.known, s.unknown(set.Found.Objects)...)
			s.add(set, *set.Found)
		}
	}
	return nil
}

// add reports the objects of a set that was found, and its state if it is a release. The caller has
// the turn.
func (s *Source) add(set Set, found sets.Set) {
	s.reportObjects(set.target(), found.Objects)
	if found.Revision == nil {
		return
	}
	r := newRelease(set, found)
	s.mu.Lock()
	s.releases = append(s.releases, r)
	s.mu.Unlock()
	s.reportState(r)
}

// reportObjects reports that a target represents objects.
func (s *Source) reportObjects(t observe.Target, objects []observe.Target) {
	s.report(observe.Event{Target: t, Targets: append([]observe.Target{}, objects...)}) // nil has another meaning
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
	missing := slices.DeleteFunc(slices.Clone(s.Sets), Set.isFound)
	missing = s.findAll(ctx, missing, func(set Set) bool { return set.Absent == "" })
	for !s.Once {
		select {
		case <-ctx.Done():
			return
		case <-time.After(Pause):
		}
		s.readReleases(ctx)
		missing = s.findAll(ctx, missing, func(Set) bool { return true })
	}
}

// readReleases reads the releases that are due.
func (s *Source) readReleases(ctx context.Context) {
	end, err := s.turn.Take(ctx)
	if err != nil {
		return
	}
	defer end()
	for _, r := range s.releases {
		if r.isDue() {
			_ = s.readRelease(ctx, r) // the next round reads it again
		}
	}
}

// findAll searches for the missing sets that are due. It returns the sets that are still missing.
func (s *Source) findAll(ctx context.Context, missing []Set, isDue func(Set) bool) []Set {
	end, err := s.turn.Take(ctx)
	if err != nil {
		return missing
	}
	defer end()
	return slices.DeleteFunc(missing, func(set Set) bool { return ctx.Err() == nil && isDue(set) && s.find(ctx, set) })
}

// find searches for a missing set, and reports the result. The caller has the turn.
func (s *Source) find(ctx context.Context, set Set) bool {
	found, err := s.resolve(ctx, set)
	if ctx.Err() != nil {
		return false
	}
	if err != nil || len(found.Objects) == 0 {
		s.report(failure(set.target(), err))
		return false
	}
	s.add(set, found)
	s.read(ctx, found.Objects)
	return true
}

// failure returns the event for a set that was not found. It has the error if the search failed.
func failure(t observe.Target, err error) observe.Event {
	if known, ok := errors.AsType[*observe.Unreadable](err); ok {
		return observe.Event{Target: t, Err: known}
	}
	missing, isMissing := errors.AsType[*sets.NotFoundError](err)
	switch {
	case err == nil:
		return absentSet(t, "it has no objects")
	case isMissing:
		return absentSet(t, missing.Text)
	case apierrors.IsForbidden(err):
		return observe.Event{Target: t, Err: &observe.Unreadable{Reason: status.ReasonForbidden, Text: err.Error()}}
	}
	return observe.Event{Target: t, Err: &observe.Unreadable{Reason: status.ReasonTransport, Text: err.Error()}}
}

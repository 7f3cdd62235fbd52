// Package follow follows sets of objects during a wait: sets that do not exist yet, and Helm releases
// while Helm changes them.
//
// In a wait, a target represents each set, such as helm/web. A [Source] is the source of the wait. It
// searches for a set until the set exists. Then the objects of the set replace the target. Only Helm
// releases are followed after that, by the metadata of their revisions:
//
//   - While Helm is at work, the target is InProgress, and failures of objects do not count yet.
//   - If a revision fails, or the release is uninstalled, the target is Failed.
//   - If there is a new revision, its objects replace those of the revision before.
//
// kube/wait follows the sets of its Resolver. If you range over the updates of an [observe.Watcher],
// pass each one to [Source.MarkSeen], and ask [Source.Outcome] whether the wait ends.
//
// follow.go holds the API, source.go the source, and release.go the states of a release.
package follow

import (
	"context"
	"slices"
	"sync"

	"kstatus.dev/internal/turn"
	"kstatus.dev/kube/sets"
	"kstatus.dev/observe"
	"kstatus.dev/observe/goal"
	"kstatus.dev/status"
)

// A Set is a set to follow. Cluster and Owner are required.
type Set struct {
	Cluster *sets.Cluster
	Owner   sets.Owner
	Target  observe.Target // represents the set; zero: [TargetOf] the Owner

	// Revision is the only revision of a Helm release that counts; 0: any. A wait for it fails if a
	// later one replaces it.
	Revision int64

	// Find finds the objects of the set; nil: [sets.Cluster.Find]. An error about a set that does not
	// exist has a [sets.NotFoundError] or an [observe.Unreadable].
	Find func(context.Context) (sets.Set, error)

	Found  *sets.Set // what was found before the wait; nil: the source searches for the set
	Absent string    // why an earlier search has not found the set; empty: the source searches at once
}

// TargetOf returns a target that represents a set. Its kind is the type of the set.
func TargetOf(o sets.Owner) observe.Target {
	return observe.Target{Kind: status.Kind{Kind: string(o.Type)}, Namespace: o.Namespace, Name: o.Name}
}

// Requirements returns the requirements of a target that represents a set whose objects have these
// ones. Such a target must be Current.
func Requirements(ofObjects observe.Requirements) observe.Requirements {
	ofObjects.Goals, ofObjects.Any, ofObjects.Settle = []observe.Goal{goal.Current()}, false, 0
	return ofObjects
}

// A Source is a source of events that follows sets. Objects and Sets are required. Its methods may be
// called while it is being observed. A Source is for one wait, and not for a wait for deletion.
type Source struct {
	Objects observe.Source // reads the objects
	Sets    []Set
	Once    bool // read each set once

	OnNote    func(note string) // is called with notes for users; may be nil
	OnRelease func(Release)     // is called with each new state of a release, and with the first; may be nil

	found  chan []observe.Target // objects to read in addition.
	turn   turn.Turn             // owns known, missing and report, and reads releases and sets.
	known  []observe.Target      // the objects that are being read.
	report func(observe.Event) (open bool)

	mu       sync.Mutex // guards the fields below and the releases; locked by the holder of the turn.
	releases []*release // the releases that were found
}

// Targets returns the targets that represent the sets.
func (s *Source) Targets() []observe.Target {
	all := make([]observe.Target, len(s.Sets))
	for i, set := range s.Sets {
		all[i] = set.target()
	}
	return all
}

// Releases returns the Helm releases that were found, in their latest states.
func (s *Source) Releases() []Release {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make([]Release, len(s.releases))
	for i, r := range s.releases {
		all[i] = r.latest()
	}
	return all
}

// MarkSeen records an update that the wait has seen. It removes the evidence of a release, whose
// fields exist in no object.
func (s *Source) MarkSeen(u *observe.Update) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.releases {
		if r.target == u.Target {
			r.seen, u.Evidence = u.Version.Generation, nil
		}
	}
}

// Outcome is [observe.Board.Outcome] for a wait that follows sets. Before a success, it reads the
// releases once more. A failure of an object does not count while Helm changes its release, since it
// may be of an earlier revision.
func (s *Source) Outcome(ctx context.Context, b *observe.Board, p observe.Policy) observe.Outcome {
	outcome := b.Outcome(p)
	if p.Once {
		return outcome
	}
	switch outcome {
	case observe.OutcomeSuccess:
		if !s.confirm(ctx) {
			return observe.OutcomePending
		}
	case observe.OutcomeFailure:
		if !slices.ContainsFunc(b.Unmet(), func(u observe.Update) bool {
			return u.Progress == observe.ProgressFailed && !s.isBeingChanged(u.Target)
		}) {
			return observe.OutcomePending
		}
	}
	return outcome
}

// confirm reads all releases once more. It reports whether Helm has finished all of them, and whether
// the wait has seen that.
func (s *Source) confirm(ctx context.Context) bool {
	if len(s.Releases()) == 0 {
		return true
	}
	end, err := s.turn.Take(ctx)
	if err != nil {
		return false
	}
	defer end()
	confirmed := true
	for _, r := range s.releases {
		if err := s.readRelease(ctx, r); err != nil && ctx.Err() == nil {
			s.note("%s: it could not be read again: %v", r.set.Owner, err)
		}
		s.mu.Lock()
		confirmed = confirmed && r.state == StateSettled && r.seen >= r.reported
		s.mu.Unlock()
	}
	return confirmed
}

// isBeingChanged reports whether Helm is changing a release of a target.
func (s *Source) isBeingChanged(t observe.Target) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.ContainsFunc(s.releases, func(r *release) bool {
		return (r.state == StatePending || r.state == StateAwaited) && slices.Contains(r.objects, t)
	})
}

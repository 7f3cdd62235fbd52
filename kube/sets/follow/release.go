package follow

import (
	"context"
	"errors"
	"fmt"
	"time"

	"kstatus.dev/kube/sets"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// releasePause is the time between two reads of a release that Helm is not changing.
const releasePause = 5 * time.Second

// A State is the meaning of the revisions of a Helm release for a wait.
type State string

// The states of a release.
const (
	StateSettled State = ""        // Helm has finished
	StatePending State = "pending" // Helm is changing it
	StateFailed  State = "failed"  // a revision failed since the wait began
	StateRemoved State = "removed" // it is uninstalled
	StateMissing State = "missing" // it has no revisions any more
	// With [Set.Revision]:
	StateAwaited  State = "awaited"  // Helm has not written the revision yet
	StateReplaced State = "replaced" // a later revision has replaced it
)

// A Release is a Helm release that a wait follows.
type Release struct {
	Owner    sets.Owner
	Target   observe.Target   // represents the release
	Objects  []observe.Target // the objects of its latest revision
	State    State
	Revision sets.Revision // the revision that causes the state
	First    int64         // the revision at the start of the wait; 0 after the release has disappeared
}

// State returns the state of a Helm release that was found. It is StateSettled for other sets.
func (s Set) State() State {
	if s.Found == nil || s.Found.Revision == nil {
		return StateSettled
	}
	return newRelease(s, *s.Found).state
}

// A release is a Helm release in a wait.
type release struct {
	set     Set
	target  observe.Target
	objects []observe.Target // the objects of the revision.
	found   int64            // the revision of these objects.
	began   int64            // the revision at the start of the wait.

	state    State
	revision sets.Revision // the revision that causes the state
	readAt   time.Time
	reported int64 // the number of reported states
	seen     int64 // the last reported state that the wait has processed
}

// newRelease returns the release of a set that was found with a revision.
func newRelease(set Set, found sets.Set) *release {
	number := found.Revision.Number
	r := &release{set: set, target: set.target(), objects: found.Objects, found: number, began: number, readAt: time.Now()}
	r.state, r.revision = r.stateOf([]sets.Revision{*found.Revision})
	return r
}

// latest returns the release in its latest state. The caller has the turn, or the lock.
func (r *release) latest() Release {
	return Release{Owner: r.set.Owner, Target: r.target, Objects: r.objects, State: r.state, Revision: r.revision, First: r.began}
}

// stateOf returns the state of a release with these revisions for a wait. It also returns the
// revision that causes the state. An unwanted revision that failed or succeeded earlier does not
// count.
func (r *release) stateOf(all []sets.Revision) (State, sets.Revision) {
	last, wanted := all[len(all)-1], r.set.Revision
	for _, one := range all {
		if one.Number >= max(r.began, wanted) && one.Status == "failed" && (wanted == 0 || one.Number == wanted) {
			return StateFailed, one
		}
	}
	switch {
	case wanted != 0 && last.Number < wanted && last.Status != "uninstalled":
		return StateAwaited, last
	case wanted != 0 && last.Number > wanted:
		return StateReplaced, last
	case last.IsPending(), last.Status == "uninstalling":
		return StatePending, last
	case last.Status == "uninstalled":
		return StateRemoved, last
	}
	return StateSettled, last
}

// isDue reports whether it is time to read the release again.
func (r *release) isDue() bool {
	return r.state != StateSettled || time.Since(r.readAt) >= releasePause
}

// reportState reports the state of a release. It reports no event if Helm has finished. The caller
// has the turn.
func (s *Source) reportState(r *release) {
	const stalled = "Stalled"
	switch r.state {
	case StatePending:
		s.reportCondition(r, "Reconciling", r.revision.String()+"; Helm is not done with it")
	case StateFailed, StateRemoved:
		s.reportCondition(r, stalled, r.revision.String())
	case StateAwaited:
		s.reportCondition(r, "Reconciling", fmt.Sprintf("revision %d does not exist yet; %s", r.set.Revision, r.revision))
	case StateReplaced:
		s.reportCondition(r, stalled, fmt.Sprintf("revision %d was replaced: %s", r.set.Revision, r.revision))
	case StateMissing:
		if !r.revision.IsPending() {
			s.report(absentSet(r.target, fmt.Sprintf("the release no longer exists; its last revision was %d", r.revision.Number)))
			break
		}
		s.reportCondition(r, stalled, fmt.Sprintf("the release is gone: revision %d was %s, and Helm has uninstalled the release, as --atomic does after a failure", r.revision.Number, r.revision.Status))
	}
	if s.OnRelease != nil {
		s.OnRelease(r.latest())
	}
}

// reportCondition reports a release as an object with a condition. Its generation is the number
// of reported states. The caller has the turn.
func (s *Source) reportCondition(r *release, condition, message string) {
	s.mu.Lock()
	r.reported++
	generation := r.reported
	s.mu.Unlock()
	c := map[string]any{"type": condition, "status": "True", "reason": "Helm", "message": message}
	if !r.revision.Since.IsZero() { // a condition without a time lasts since the wait has seen it
		c["lastTransitionTime"] = r.revision.Since.UTC().Format(time.RFC3339)
	}
	s.report(observe.Event{Target: r.target, Object: status.Map{
		"apiVersion": "v1", "kind": r.target.Kind.Kind,
		"metadata": map[string]any{"name": r.target.Name, "namespace": r.target.Namespace, "generation": generation},
		"status":   map[string]any{"observedGeneration": generation, "conditions": []any{c}},
	}})
}

// readRelease reads a release, and reports changes. The caller has the turn.
func (s *Source) readRelease(ctx context.Context, r *release) error {
	all, err := r.set.Cluster.Revisions(ctx, r.set.Owner)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	r.readAt = time.Now()
	state, revision := StateMissing, r.revision
	if _, missing := errors.AsType[*sets.NotFoundError](err); !missing {
		if err != nil {
			return err
		}
		state, revision = r.stateOf(all)
	}
	if state == r.state && revision.Number == r.revision.Number && revision.Status == r.revision.Status {
		return nil
	}
	objects := r.objects
	hasObjects := state == StateSettled || state == StatePending
	if hasObjects && revision.Number != r.found {
		found, err := s.resolve(ctx, r.set)
		if err != nil {
			return err
		}
		objects = found.Objects
	}
	if state == StateFailed {
		// The description is optional: ignore the error.
		revision.Description, _ = r.set.Cluster.Failure(ctx, r.set.Owner, revision.Number)
	}
	s.mu.Lock()
	r.state, r.revision, r.objects = state, revision, objects
	s.mu.Unlock()
	switch {
	case hasObjects:
		r.found = revision.Number
		if state == StateSettled {
			s.reportCondition(r, "Reconciling", fmt.Sprintf("revision %d has the status %s; its objects are read", revision.Number, revision.Status))
		}
		s.reportObjects(r.target, objects)
	case state == StateMissing:
		s.mu.Lock()
		r.found, r.began = 0, 0 // a later installation has other objects, and its revisions begin at 1
		s.mu.Unlock()
	}
	s.reportState(r)
	s.read(ctx, objects)
	return nil
}

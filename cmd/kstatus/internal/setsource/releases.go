package setsource

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"kstatus.dev/cmd/kstatus/internal/connection"
	"kstatus.dev/cmd/kstatus/internal/goals"
	"kstatus.dev/cmd/kstatus/internal/selection"
	"kstatus.dev/kube/sets"
	"kstatus.dev/observe"
	"kstatus.dev/observe/goal"
	"kstatus.dev/status"
)

// releasePause is the time between two reads of a release that Helm is not changing.
const releasePause = 5 * time.Second

// A releaseState is the meaning of the revisions of a release for a wait.
type releaseState string

// The states of a release.
const (
	releaseSettled releaseState = ""        // Helm has finished.
	releasePending releaseState = "pending" // Helm is changing it.
	releaseFailed  releaseState = "failed"  // a revision failed since the wait began.
	releaseRemoved releaseState = "removed" // it is uninstalled.
	// With a wanted revision:
	releaseAwaited  releaseState = "awaited"  // Helm has not written the revision yet.
	releaseReplaced releaseState = "replaced" // a later revision has replaced it.
	releaseMissing  releaseState = "missing"  // it has no revisions any more.
)

// A release is a Helm release in a wait.
type release struct {
	owner   sets.Owner
	cluster *connection.Cluster
	target  observe.Target   // represents the release.
	objects []observe.Target // the objects of the revision and, with --expand, objects that they own.
	found   int64            // the revision of these objects.
	began   int64            // the revision at the start of the wait.
	wanted  int64            // the only revision that counts; 0: any.

	state    releaseState
	revision sets.Revision // the revision that causes the state
	readAt   time.Time
	reported int64 // the number of reported states
	seen     int64 // the last reported state that the wait has processed
}

// newRelease returns the release in the form of a wait. wanted is the only revision that counts,
// or 0.
func newRelease(c *connection.Cluster, r selection.Release, wanted int64) *release {
	n := &release{
		owner: r.Owner, cluster: c, target: selection.SetTarget(c, r.Owner), objects: r.Objects,
		found: r.Revision.Number, began: r.Revision.Number, wanted: wanted, readAt: time.Now(),
	}
	n.state, n.revision = n.stateOf([]sets.Revision{r.Revision})
	return n
}

// stateOf returns the state of a release with these revisions for a wait. It also returns the
// revision that causes the state. An unwanted revision that failed or succeeded earlier does not
// count.
func (r *release) stateOf(all []sets.Revision) (releaseState, sets.Revision) {
	last := all[len(all)-1]
	for _, one := range all {
		if one.Number >= max(r.began, r.wanted) && one.Status == "failed" && (r.wanted == 0 || one.Number == r.wanted) {
			return releaseFailed, one
		}
	}
	switch {
	case r.wanted != 0 && last.Number < r.wanted && last.Status != "uninstalled":
		return releaseAwaited, last
	case r.wanted != 0 && last.Number > r.wanted:
		return releaseReplaced, last
	case strings.HasPrefix(last.Status, "pending-"), last.Status == "uninstalling":
		return releasePending, last
	case last.Status == "uninstalled":
		return releaseRemoved, last
	}
	return releaseSettled, last
}

// NotePending prints what users can do about releases that Helm is still changing, in case Helm
// was interrupted. It does nothing if the source is nil or reads objects once.
func (s *Source) NotePending() {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.releases {
		now := selection.Release{Owner: r.owner, Revision: r.revision}
		if advice := now.InterruptedAdvice(); advice != "" && r.state == releasePending && !s.Once {
			r.cluster.Note(fmt.Sprintf("%s: %s. %s", r.owner, now.Revision, advice))
		}
	}
}

// isDue reports whether it is time to read the release again.
func (r *release) isDue() bool {
	return r.state != releaseSettled || time.Since(r.readAt) >= releasePause
}

// reportState reports the state of a release, and prints what users can do. It does nothing if
// Helm has finished. The caller has the turn.
func (s *Source) reportState(r *release) {
	const stalled = "Stalled"
	now := selection.Release{Owner: r.owner, Revision: r.revision}
	advice := now.Advice()
	switch r.state {
	case releasePending:
		s.reportCondition(r, "Reconciling", now.Revision.String()+"; Helm is not done with it")
	case releaseFailed:
		s.reportCondition(r, stalled, now.Revision.String())
	case releaseRemoved:
		s.reportCondition(r, stalled, now.Revision.String())
	case releaseAwaited:
		s.reportCondition(r, "Reconciling", fmt.Sprintf("revision %d does not exist yet; %s", r.wanted, now.Revision))
		return
	case releaseReplaced:
		s.reportCondition(r, stalled, fmt.Sprintf("revision %d was replaced: %s", r.wanted, now.Revision))
		return
	case releaseMissing:
		advice = ""
		if !strings.HasPrefix(r.revision.Status, "pending-") {
			s.report(absentSet(r.target, fmt.Sprintf("the release no longer exists; its last revision was %d", r.revision.Number)))
			return
		}
		s.reportCondition(r, stalled, fmt.Sprintf("the release is gone: revision %d was %s, and Helm has uninstalled the release, as --atomic does after a failure", r.revision.Number, r.revision.Status))
	}
	if advice != "" && r.state != releaseSettled && !s.Once {
		r.cluster.Note(r.owner.String() + ": " + advice)
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
	all, err := r.cluster.Sets().Revisions(ctx, r.owner)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	r.readAt = time.Now()
	state, revision := releaseMissing, r.revision
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
	hasObjects := state == releaseSettled || state == releasePending
	if hasObjects && revision.Number != r.found {
		found, err := s.Resolve(ctx, r.cluster, selection.RequestSet(r.owner))
		if err != nil {
			return err
		}
		objects = selection.Targets(found.Objects)
	}
	if state == releaseFailed {
		// The description is optional: ignore the error.
		revision.Description, _ = r.cluster.Sets().Failure(ctx, r.owner, revision.Number)
	}
	s.mu.Lock()
	r.state, r.revision, r.objects = state, revision, objects
	s.mu.Unlock()
	switch {
	case hasObjects:
		r.found = revision.Number
		if state == releaseSettled {
			s.reportCondition(r, "Reconciling", fmt.Sprintf("revision %d has the status %s; its objects are read", revision.Number, revision.Status))
		}
		s.report(observe.Event{Target: r.target, Targets: objects})
	case state == releaseMissing:
		r.found, r.began = 0, 0 // a later installation has other objects, and its revisions begin at 1
	}
	s.reportState(r)
	s.read(ctx, objects)
	return nil
}

// MarkSeen records the state of a release in an update that the wait has seen. It removes the
// evidence of a release, whose fields exist in no object.
func (s *Source) MarkSeen(u *observe.Update) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.releases {
		if r.target == u.Target {
			r.seen, u.Evidence = u.Version.Generation, nil
		}
	}
}

// AddSuperseded adds a caveat for each release of which a later revision has replaced that of the
// start of the wait. The first object of the later one has it. It returns the updates with caveats.
func (s *Source) AddSuperseded(some []observe.Update, board *observe.Board) []observe.Update {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := append(slices.Clip(some), board.Updates()...)
	for _, r := range s.releases {
		if r.wanted != 0 || r.began == 0 || r.state != releaseSettled || r.revision.Number <= r.began || len(r.objects) == 0 {
			continue
		}
		i := slices.IndexFunc(all, func(u observe.Update) bool { return u.Target == r.objects[0] })
		if i < 0 {
			continue
		}
		all[i].Result = all[i].Result.WithCaveat(fmt.Sprintf("%s: revision %d was replaced during the wait by revision %d, which counts; --revision %[2]d would make that a failure",
			r.owner, r.began, r.revision.Number))
		some = append(some, all[i])
	}
	return some
}

// Confirm reads all releases once more. It reports whether a wait may end whose objects have met
// their goals.
func (s *Source) Confirm(ctx context.Context) bool {
	end, err := s.turn.Take(ctx)
	if err != nil {
		return false
	}
	defer end()
	confirmed := true
	for _, r := range s.releases {
		if err := s.readRelease(ctx, r); err != nil && ctx.Err() == nil {
			s.Note("%s: it could not be read again: %v", r.owner, err)
		}
		s.mu.Lock()
		confirmed = confirmed && r.state == releaseSettled && r.seen >= r.reported
		s.mu.Unlock()
	}
	return confirmed
}

// IsBeingChanged reports whether Helm is changing a release of a target. A failure of the target
// may then be of an earlier revision.
func (s *Source) IsBeingChanged(t observe.Target) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.ContainsFunc(s.releases, func(r *release) bool {
		return (r.state == releasePending || r.state == releaseAwaited) && slices.Contains(r.objects, t)
	})
}

// A Followed holds the targets of a wait at its start.
type Followed struct {
	Shown    []selection.Object // the objects for views
	Watched  []observe.Target   // targets that represent releases, and objects without a release
	Ignored  []observe.Target   // ignored releases
	releases []*release
}

// Source returns a source that follows releases and searches for missing sets. It returns nil if
// there are neither.
func (f Followed) Source(s observe.Source, c Config) *Source {
	if len(c.Missing)+len(f.releases) == 0 {
		return nil
	}
	return &Source{Source: s, Config: c, releases: f.releases, found: make(chan []observe.Target)}
}

// Follow returns the targets for what was found in clusters. It prints a note about ignored
// releases, and does not follow them.
func Follow(p *goals.Plan, found []selection.Found) (f Followed) {
	all := selection.ObjectsOf(found)
	owner := map[observe.Target]*release{}
	for _, in := range found {
		for _, found := range in.Releases {
			r := newRelease(in.Cluster, found, p.Revision)
			terms := p.TermsFor(r.target)
			ignored := terms != nil && terms.Ignore || r.state == releaseRemoved && p.Policy.Missing == observe.MissingIgnore
			if ignored || r.state == releaseSettled && len(r.objects) == 0 {
				if note := found.Note(); note != "" {
					in.Cluster.Note(note)
				}
				f.Ignored = append(f.Ignored, r.target)
				continue
			}
			r.objects = withOwned(r.objects, in.Owners, all)
			for _, t := range r.objects {
				owner[t] = r
			}
			if r.state == releaseRemoved {
				r.objects = []observe.Target{} // the objects were removed with the release
			}
			f.releases = append(f.releases, r)
		}
	}
	for _, o := range all {
		r := owner[o.Target]
		if r == nil || o.Named {
			f.Watched = append(f.Watched, o.Target)
		}
		if r == nil || o.Named || r.state != releaseRemoved {
			f.Shown = append(f.Shown, o)
		}
	}
	for _, r := range f.releases {
		f.Watched = append(f.Watched, r.target)
		if r.state != releaseSettled {
			f.Shown = append(f.Shown, selection.Object{Target: r.target})
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
	terms.Goals, terms.Any, terms.Settle = []observe.Goal{goal.Current()}, false, 0
	return &terms
}

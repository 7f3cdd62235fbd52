package move

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"k8s.io/client-go/rest"

	"kstatus.dev/clusterapi/move/internal/endpoint"
	"kstatus.dev/clusterapi/move/internal/journal"
	"kstatus.dev/clusterapi/move/internal/planner"
	"kstatus.dev/clusterapi/move/plan"
	"kstatus.dev/clusterapi/pause"
	"kstatus.dev/status"
)

// Run moves what a plan of [Mover.Plan] contains. It runs the preflights first, and changes
// nothing if they find problems that are not accepted: then the error is a [BlockedError].
//
// If it fails before the first object is created, the source is as before. Later, the error says
// whether [Mover.Resume] or [Mover.Rollback] can go on. When ctx ends, Run ends within a second,
// whether the servers answer or not.
func (m *Mover) Run(ctx context.Context, p *plan.Plan) (*Result, error) {
	defer m.call.Follow(ctx)()
	m.begin(p)
	problems, err := m.Preflight(ctx, p)
	if err != nil {
		return nil, err
	}
	if blocking := m.blocking(problems); len(blocking) > 0 {
		return nil, &BlockedError{blocking}
	}
	m.store, m.clusters = m.place.Open(m.doc.ID)
	ctx, release, err := m.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	if err := m.enter(ctx, Planned, 0); err != nil {
		return nil, cmp.Or(m.lost(err), err)
	}
	return m.finish(m.advance(ctx), problems)
}

// Resume continues a move after an interruption.
func (m *Mover) Resume(ctx context.Context) (*Result, error) {
	defer m.call.Follow(ctx)()
	ctx, release, err := m.reopen(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	switch m.doc.Phase {
	case RollingBack:
		return nil, fmt.Errorf("move %s has begun to be rolled back; roll it back again", m.doc.ID)
	case RolledBack:
		return nil, fmt.Errorf("move %s is rolled back; begin a new move", m.doc.ID)
	case Planned, Pausing, Creating, Verifying:
		// The source may have changed since: pause it again, and read it again.
		m.doc.Phase, m.doc.Step = Pausing, 0
		if m.source == nil {
			if err = m.readAgain(ctx); err != nil {
				return nil, err
			}
		}
	case Deleting:
		if err := m.prepareDeletion(ctx); err != nil {
			return m.finish(m.stop(ctx, err), nil)
		}
	case Unpausing, Cleaning, Done:
		if err := m.checkDeletion(ctx); err != nil {
			return nil, err
		}
	}
	return m.finish(m.advance(ctx), nil)
}

// advance runs the phases from that of the document until Done.
func (m *Mover) advance(ctx context.Context) error {
	work := m.work()
	i := slices.Index(order, m.doc.Phase)
	if i < 0 {
		return fmt.Errorf("%s: the phase %q is unknown", m.store, m.doc.Phase)
	}
	for m.doc.Phase != Done {
		if do := work[m.doc.Phase]; do != nil {
			if err := do(ctx); err != nil {
				return m.stop(ctx, err)
			}
		}
		for i++; order[i] != Done && work[order[i]] == nil; i++ {
			// The phase has no work if one side is a folder.
		}
		if err := m.enter(ctx, order[i], 0); err != nil {
			return m.stop(ctx, err)
		}
	}
	return m.removeConfigMaps(ctx)
}

// order is the order of the phases.
var order = []Phase{Planned, Pausing, Creating, Verifying, Deleting, Unpausing, Cleaning, Done}

// work returns what is done in each phase. A phase without work is only recorded.
func (m *Mover) work() map[Phase]func(context.Context) error {
	switch {
	case m.target == nil:
		return map[Phase]func(context.Context) error{
			Pausing: m.pauseSource, Creating: m.writeFolder, Verifying: m.verifyFolder, Unpausing: m.unpauseSource,
		}
	case m.source == nil:
		return map[Phase]func(context.Context) error{
			Creating: m.create, Verifying: m.verifyTarget, Unpausing: m.unpauseTarget, Cleaning: m.clean,
		}
	}
	return map[Phase]func(context.Context) error{
		Pausing: m.pauseSource, Creating: m.create, Verifying: m.verify, Deleting: m.delete, Unpausing: m.activate, Cleaning: m.clean,
	}
}

// stop handles the error of a phase. Before the first object is created, it restores the source.
// Otherwise it records the error. What takes too long is left to a resume or a rollback. It does
// nothing if another process may go on with the move.
func (m *Mover) stop(ctx context.Context, cause error) error {
	if lost := m.lost(cause); lost != nil {
		return lost
	}
	saving, cancel := m.call.Last(ctx, lastTimeout, saveGrace)
	defer cancel()
	restoring, cancel := m.call.Last(ctx, restoreTimeout, restoreGrace)
	defer cancel()
	phase, failures := m.doc.Phase, []error{&InterruptedError{ID: m.doc.ID, Phase: m.doc.Phase, Err: cause}}
	if phase == Pausing && m.source != nil && len(m.doc.Adopted) == 0 && !m.hasCopies(restoring) {
		err := m.restoreSource(restoring)
		if err == nil {
			m.doc.Phase = RolledBack
			failures = []error{fmt.Errorf("the source is as before: %w", cause)}
		} else {
			failures = append(failures, fmt.Errorf("the source could not be restored: %w", err))
		}
	}
	m.doc.Failure = cause.Error()
	failures = append(failures, m.save(saving))
	if m.doc.Phase == RolledBack {
		failures = append(failures, m.removeConfigMaps(saving))
	}
	return errors.Join(failures...)
}

// lost returns an [InterruptedError] if another process may go on with the move, since a lock is lost
// or the journal was replaced. Otherwise it returns nil.
func (m *Mover) lost(cause error) error {
	lost := m.locks.Err()
	switch {
	case errors.Is(cause, journal.ErrReplaced):
		lost = cause
	case lost == nil:
		return nil
	case !errors.Is(cause, context.Canceled):
		lost = errors.Join(lost, cause) // something else failed too
	}
	return &InterruptedError{ID: m.doc.ID, Phase: m.doc.Phase, Err: lost}
}

// An InterruptedError says that a move has stopped in a phase, and can be resumed.
type InterruptedError struct {
	ID    string
	Phase Phase
	Err   error
}

// Error says what failed, and whether the move can be resumed or rolled back.
func (e *InterruptedError) Error() string {
	next := "resume it, or roll it back"
	switch {
	case errors.As(e.Err, new(*journal.LostError)), errors.Is(e.Err, journal.ErrReplaced):
		next = "this process has written nothing since; look at the status of the move, and resume it unless another process does"
	case e.Phase == Pausing:
		next = "Clusters of the source may still be paused: resume it, or roll it back"
	case e.Phase == RollingBack:
		next = "roll it back again"
	case e.Phase == Deleting:
		next = "resume it; objects may have been deleted from the source"
	case slices.Index(order, e.Phase) > slices.Index(order, Deleting):
		next = "resume it"
	}
	return fmt.Sprintf("move %s stopped while %s: %v; %s", e.ID, strings.ToLower(string(e.Phase)), e.Err, next)
}

// Unwrap returns what failed.
func (e *InterruptedError) Unwrap() error { return e.Err }

// finish returns the result of a run.
func (m *Mover) finish(err error, problems []plan.Problem) (*Result, error) {
	p := m.doc.Plan
	r := &Result{
		ID: m.doc.ID, Phase: m.doc.Phase, Plan: p, Problems: problems,
		Moved: p.Count(plan.Move), Copied: p.Count(plan.Copy), Kept: p.Count(plan.Exclude),
		Unacknowledged: m.silent, Requests: int(m.requests.Load()), Began: m.doc.Began, Ended: time.Now(),
	}
	return r, err
}

// pauseSource pauses what moves, and reads the source again: the snapshot.
func (m *Mover) pauseSource(ctx context.Context) error {
	if err := m.pause(ctx, roots(m.doc.Plan, plan.Move)); err != nil {
		return err
	}
	inv, err := m.read(ctx)
	if err != nil {
		return err
	}
	for _, line := range plan.Diff(m.doc.Plan, inv.Plan) {
		m.note("", "since the plan: %s", line)
	}
	m.inv = nil // it is from before the pause
	if err := m.checkSnapshot(inv); err != nil {
		return err
	}
	if err := m.checkGone(ctx, inv); err != nil {
		return err
	}
	m.inv, m.doc.Plan = inv, inv.Plan
	return nil
}

// pause pauses targets in the source, and waits until every controller has acknowledged that.
func (m *Mover) pause(ctx context.Context, targets []status.ID) error {
	r, err := m.repeat(ctx, pause.Pause, m.source, targets, m.pauseOptions())
	if err == nil && !r.Done() {
		err = unfinished(r, "the pause was not acknowledged")
	}
	return err
}

// checkSnapshot returns an error if a newer state of the source has problems that the move cannot go
// on with. It must still be paused, and no controller may have written a status.
func (m *Mover) checkSnapshot(inv *planner.Inventory) error {
	p := inv.Plan
	if blocking := m.blocking(p.Problems); len(blocking) > 0 {
		return &BlockedError{blocking}
	}
	known := map[string]bool{}
	for _, i := range m.doc.Plan.Items {
		known[i.UID] = i.Root
	}
	for _, i := range p.Selected() {
		if i.Root && i.Decision == plan.Move && !known[i.UID] {
			return fmt.Errorf("%s was created after the plan was made, so it is not paused; begin again", i.Key())
		}
		o := inv.Find(i)
		if i.Root && i.Decision == plan.Move {
			if err := m.isPaused(i, o.Unstructured); err != nil {
				return err
			}
		}
		if err := m.checkStatus(i, o.Unstructured); err != nil {
			return err
		}
	}
	return nil
}

// roots returns the roots with a decision.
func roots(p *plan.Plan, decisions ...plan.Decision) (targets []status.ID) {
	for _, i := range p.Selected() {
		if i.Root && slices.Contains(decisions, i.Decision) {
			targets = append(targets, i.ID())
		}
	}
	return targets
}

// repeat pauses or unpauses objects, and does so again if the server could not be reached.
func (m *Mover) repeat(ctx context.Context, do func(context.Context, *rest.Config, []status.ID, pause.Options) (*pause.Result, error),
	s *endpoint.Cluster, targets []status.ID, o pause.Options) (r *pause.Result, err error) {
	end := time.Now().Add(o.Timeout)
	err = m.retry(ctx, "the "+s.Role, func(context.Context) (err error) {
		o.Timeout = max(time.Second, time.Until(end)) // an object with block-move may have a longer one
		r, err = do(ctx, s.Config, targets, o)
		return err
	})
	return r, err
}

// pauseOptions are the options of a pause and of its end.
func (m *Mover) pauseOptions() pause.Options {
	return pause.Options{
		By: m.by(), Timeout: m.o.Timeout, Window: m.doc.Window, WakeAfter: m.doc.Window, Strict: m.doc.Strict, Resources: planner.Resources(m.doc.Plan),
		OnChange: func(o pause.Object) {
			m.emit(Event{Object: o.ID.String(), Message: strings.TrimSpace(string(o.State) + " " + o.Message), Pause: &o})
		},
		OnNote: func(note string) { m.note("", "%s", note) },
	}
}

// An UnacknowledgedError says which objects have not acknowledged a pause or its end.
type UnacknowledgedError struct {
	What    string
	Objects []pause.Object
}

// Error names at most five objects.
func (e *UnacknowledgedError) Error() string {
	const most = 5
	var texts []string
	for _, o := range e.Objects[:min(len(e.Objects), most)] {
		texts = append(texts, fmt.Sprintf("%s: %s", o.ID, o.Message))
	}
	if left := len(e.Objects) - most; left > 0 {
		texts = append(texts, fmt.Sprintf("and %d other objects", left))
	}
	return e.What + ": " + strings.Join(texts, "; ")
}

// unfinished returns the error of a pause that is not done.
func unfinished(r *pause.Result, what string) *UnacknowledgedError {
	e := &UnacknowledgedError{What: what}
	for _, o := range r.Objects {
		if !o.Done {
			e.Objects = append(e.Objects, o)
		}
	}
	var texts []string
	for _, t := range r.Targets {
		if !t.Done && t.Message != "" {
			texts = append(texts, t.ID.String()+": "+t.Message)
		}
	}
	if len(e.Objects) == 0 && len(texts) > 0 {
		e.What += ": " + strings.Join(texts, "; ")
	}
	return e
}

// activate ends the pause in the target. The source must have nothing of what becomes active.
func (m *Mover) activate(ctx context.Context) error {
	if err := m.checkSourceIsEmpty(ctx); err != nil {
		return err
	}
	return m.unpauseTarget(ctx)
}

// unpauseTarget restores the state from before the move in the target, and waits until the
// controllers have reported.
func (m *Mover) unpauseTarget(ctx context.Context) error {
	return m.waitUnpaused(ctx, m.target, plan.Move, plan.Copy)
}

// unpauseSource restores the state from before the pause in the source, and waits until the
// controllers have reported.
func (m *Mover) unpauseSource(ctx context.Context) error {
	return m.waitUnpaused(ctx, m.source, plan.Move)
}

// waitUnpaused restores the state from before the pause of the roots with a decision, and waits
// until the controllers have reported.
func (m *Mover) waitUnpaused(ctx context.Context, s *endpoint.Cluster, decisions ...plan.Decision) error {
	r, err := m.unpause(ctx, s, m.o.Timeout, decisions...)
	if err != nil || r.Done() {
		return err
	}
	silent := unfinished(r, "unpaused in the "+s.Role+", but these objects have not reported yet")
	for _, o := range silent.Objects {
		m.silent = append(m.silent, o.ID.String())
	}
	return silent
}

// unpause restores the state from before the pause of the roots with a decision.
func (m *Mover) unpause(ctx context.Context, s *endpoint.Cluster, timeout time.Duration, decisions ...plan.Decision) (*pause.Result, error) {
	options := m.pauseOptions()
	options.RecordedOnly, options.Timeout = true, timeout
	return m.repeat(ctx, pause.Unpause, s, roots(m.doc.Plan, decisions...), options)
}

// restoreSource ends the pause of the source without waiting for its controllers.
func (m *Mover) restoreSource(ctx context.Context) error {
	r, err := m.unpause(ctx, m.source, 2*time.Second, plan.Move)
	if r == nil {
		return err
	}
	var paused []string
	for _, t := range r.Targets {
		if !t.Written && !t.Done {
			paused = append(paused, t.ID.String())
		}
	}
	if len(paused) > 0 || len(r.Targets) == 0 && err != nil {
		return cmp.Or(err, fmt.Errorf("still paused: %s", strings.Join(paused, ", ")))
	}
	return nil
}

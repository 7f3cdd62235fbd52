package observe

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"kstatus.dev/internal/crash"
	"kstatus.dev/observe/internal/evaluator"
)

// A tracker handles the events of a source and yields updates.
type tracker struct {
	watcher    *Watcher
	evaluators evaluator.Set
	began      time.Time
	deadline   offset                   // the end of the whole watch; zero: unknown
	windows    map[string]time.Duration // the failure windows of the profile, by reason
	wakeup     chan struct{}            // has an item if the queue or the first timer may have changed

	panicked atomic.Pointer[crash.Panic] // the first panic of a goroutine of the source

	mu              sync.Mutex                      // guards the fields below
	ownRequirements map[*Requirements]*Requirements // the completed requirements of targets that have their own
	targets         map[Target]*targetState
	queue           []*targetState // targets whose latest verdict is to be yielded
	timers          timers
	lastFallback    *fallback                       // the latest fallback, which equal ones share
	sets            map[Target][]Target             // the members of each target that represents others
	members         map[Target]int                  // the number of targets that represent a target which was not requested itself
	expanded        []*targetState                  // targets that were replaced by their members, until those have had their first updates
	together        map[*targetState][]*targetState // by selection: the selections that it is counted with
	unreported      int                             // the number of requested targets without a first update
	synced          bool                            // all of them have had one, and the objects of selections too
}

// newTracker returns a tracker of targets, and the targets without duplicates.
func newTracker(ctx context.Context, w *Watcher, targets []Target) (*tracker, []Target) {
	tr := &tracker{watcher: w, evaluators: evaluator.Set{Own: w.Evaluator}, windows: w.Evaluator.Profile.FailureWindows(), wakeup: make(chan struct{}, 1), targets: make(map[Target]*targetState, len(targets)), sets: map[Target][]Target{}, members: map[Target]int{}}
	tr.began = w.now().Add(-1) // so that no offset is zero
	if end, ok := ctx.Deadline(); ok {
		tr.deadline = tr.now().add(max(1, time.Until(end)))
	}
	once := make([]Target, 0, len(targets))
	for _, t := range targets {
		if tr.targets[t] == nil {
			tr.targets[t] = tr.newTarget(t, true)
			once = append(once, t)
		}
	}
	tr.unreported = len(once)
	tr.countTogether()
	return tr, once
}

func (tr *tracker) now() offset { return offset(tr.watcher.now().Sub(tr.began)) }

// time returns the time at an offset, or the zero time for never.
func (tr *tracker) time(o offset) time.Time {
	if o == 0 {
		return time.Time{}
	}
	return tr.began.Add(time.Duration(o))
}

// report judges an event at once, so that its object can be released. It returns whether the
// target, or the target in Of, is still waited for.
func (tr *tracker) report(e Event) (open bool) {
	obs := tr.judge(e)
	tr.mu.Lock()
	defer tr.mu.Unlock()
	if e.Targets != nil {
		return tr.expand(e)
	}
	now := tr.now()
	whole := tr.targets[obs.Of]
	switch {
	case obs.Of == Target{}:
	case whole == nil:
		return false
	case obs.Of.IsSelection():
		return tr.applyToMember(whole, obs, now)
	default:
		changed := tr.setPart(whole, obs, now)
		if whole.verdicts.own.Result.Status == "" {
			return true // it is judged with its parts after its first event
		}
		if changed {
			tr.mergePartsSoon(whole, now)
		}
		return tr.enqueue(whole)
	}
	st := tr.targets[obs.Target]
	switch {
	case st == nil:
		return false
	case obs.Target.IsSelection():
		tr.propagate(st, obs, now)
	case tr.sets[obs.Target] != nil:
		tr.restore(st)
	case st.isOutdated(obs):
		return tr.enqueue(st)
	}
	tr.apply(st, obs, now)
	return tr.enqueue(st)
}

// expand follows the members of a target in its place, and stops following its former members.
func (tr *tracker) expand(e Event) (open bool) {
	whole := tr.targets[e.Target]
	if whole == nil {
		return false
	}
	members := make([]Target, 0, len(e.Targets)) // without targets that were requested themselves
	for _, t := range e.Targets {
		if tr.addMember(t) {
			members = append(members, t)
		}
	}
	for _, t := range tr.sets[e.Target] {
		tr.removeMember(t)
	}
	tr.sets[e.Target] = members
	if !slices.Contains(tr.expanded, whole) {
		if whole.verdicts.latest == initial {
			tr.unreported-- // it never has an update
			tr.synced = tr.unreported == 0
		}
		tr.expanded = append(tr.expanded, whole)
	}
	tr.removeExpanded()
	return false
}

// addMember follows a member of a target. It returns false if the member was requested itself.
func (tr *tracker) addMember(t Target) bool {
	switch st := tr.targets[t]; {
	case st == nil || st.verdicts.latest.Removed:
		tr.targets[t] = tr.newTarget(t, true)
		tr.unreported++
		tr.synced = false
	case !st.requested.named:
		st.requested.named = true
		if st.verdicts.yielded == initial {
			tr.unreported++
			tr.synced = false
		}
	case tr.members[t] == 0:
		return false
	}
	tr.members[t]++
	return true
}

// removeMember stops following a target when it is no longer a member of any other.
func (tr *tracker) removeMember(t Target) {
	if tr.members[t]--; tr.members[t] > 0 {
		return
	}
	delete(tr.members, t)
	st := tr.targets[t]
	if st == nil {
		return
	}
	st.requested.named = false
	if st.verdicts.yielded == initial {
		tr.unreported--
		tr.synced = tr.unreported == 0
	}
	if len(st.selections) > 0 {
		return
	}
	delete(tr.targets, t)
	if st.verdicts.latest != initial {
		tr.remove(st)
	}
}

// remove yields a target once more, as Removed.
func (tr *tracker) remove(st *targetState) {
	u := *st.verdicts.latest
	u.Target, u.Progress, u.Removed = st.verdicts.own.Target, ProgressIgnored, true
	st.verdicts.latest, st.timer.next = &u, 0
	tr.enqueue(st)
}

// restore follows a target again that was replaced by its members.
func (tr *tracker) restore(st *targetState) {
	tr.expanded = slices.DeleteFunc(tr.expanded, func(whole *targetState) bool { return whole == st })
	if st.verdicts.yielded == initial && st.verdicts.latest.Result.Status == "" {
		tr.unreported++ // it has a first update now
		tr.synced = false
	}
	if st.verdicts.latest.Removed {
		u := *st.verdicts.latest
		u.Since = time.Time{}
		st.verdicts.latest = &u
	}
}

// removeExpanded removes the targets that were replaced by their members, after every target has
// had its first update.
func (tr *tracker) removeExpanded() {
	if tr.unreported > 0 {
		return
	}
	for _, st := range tr.expanded {
		tr.remove(st)
	}
	tr.expanded = nil
}

// enqueue queues the latest verdict on a target if it differs from the one that
// was yielded, and sets the target's timer. It returns whether the target is
// still waited for.
func (tr *tracker) enqueue(st *targetState) (open bool) {
	tr.timers.set(st)
	queue := !st.queued && !isSameUpdate(st.verdicts.latest, st.verdicts.yielded)
	switch {
	case queue:
		st.queued = true
		tr.queue = append(tr.queue, st)
	case !st.queued:
		st.verdicts.yielded = st.verdicts.latest
	}
	if queue || st.timer.index == 1 {
		tr.wake()
	}
	return st.verdicts.latest.Progress != ProgressReached && st.verdicts.latest.Progress != ProgressIgnored
}

// dequeue removes the target that has been queued longest, and returns its
// latest verdict. It skips objects that have joined a selection and left it
// before their first update.
func (tr *tracker) dequeue() (Update, bool) {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	for len(tr.queue) > 0 {
		st := tr.queue[0]
		tr.queue[0] = nil
		if tr.queue = tr.queue[1:]; len(tr.queue) == 0 {
			tr.queue = nil // releases its memory
		}
		st.queued = false
		u, first := *st.verdicts.latest, st.verdicts.yielded == initial
		if u.Removed {
			st.timer.next = 0
			tr.timers.set(st)
			if tr.targets[u.Target] == st && tr.sets[u.Target] == nil { // a target with members may be followed again
				delete(tr.targets, u.Target)
			}
		}
		if first && u.Removed || isSameUpdate(st.verdicts.latest, st.verdicts.yielded) {
			st.verdicts.yielded = st.verdicts.latest
			continue
		}
		if first && st.requested.named {
			tr.unreported--
			tr.synced = tr.unreported == 0
			tr.removeExpanded()
		}
		u.Previous, u.Synced = st.verdicts.yielded.Result.Status, tr.synced
		st.verdicts.yielded = st.verdicts.latest
		return u, true
	}
	return Update{}, false
}

// runTimers judges the targets whose timers have fired again, and returns the time until the
// next timer fires, if any is set. It does nothing after ctx has ended.
func (tr *tracker) runTimers(ctx context.Context) (next time.Duration, set bool) {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	if len(tr.timers) == 0 || ctx.Err() != nil {
		return 0, false
	}
	now := tr.now()
	for len(tr.timers) > 0 && tr.timers[0].timer.next <= now {
		st := tr.timers[0]
		tr.reevaluate(st, now)
		tr.enqueue(st)
	}
	if len(tr.timers) == 0 {
		return 0, false
	}
	return time.Duration(tr.timers[0].timer.next - now), true
}

// inSync reports whether every target has had its first update.
func (tr *tracker) inSync() bool {
	tr.mu.Lock()
	defer tr.mu.Unlock()
	return tr.synced
}

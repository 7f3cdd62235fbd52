package observe

import (
	"time"

	"kstatus.dev/observe/internal/evaluator"
)

// A tracker is the state machine of a watch. step and expire are its inputs, next and nextTimer its
// outputs. It has no clock, no lock and no goroutine: a [watch] has these.
type tracker struct {
	watcher    *Watcher
	evaluators evaluator.Set
	began      time.Time                // offsets are relative to it
	deadline   offset                   // the end of the whole watch; zero: unknown
	windows    map[string]time.Duration // the failure windows of the profile, by reason

	ownRequirements map[*Requirements]*Requirements // the completed requirements of targets that have their own
	targets         map[Target]*targetState
	queue           []*targetState // targets whose latest verdict is to be yielded
	timers          timers
	changed         bool                            // the queue or the first timer may have changed
	lastFallback    *fallback                       // the latest fallback, which equal ones share
	sets            map[Target][]Target             // the members of each target that represents others
	members         map[Target]int                  // the number of targets that represent a target which was not requested itself
	expanded        []*targetState                  // targets that were replaced by their members, until those have had their first updates
	together        map[*targetState][]*targetState // by selection: the selections that it is counted with
	unreported      int                             // the number of requested targets without a first update
	synced          bool                            // all of them have had one, and the objects of selections too
}

// newTracker returns a tracker of targets at the start of a watch, and the targets without
// duplicates.
func newTracker(w *Watcher, targets []Target) (*tracker, []Target) {
	tr := &tracker{
		watcher: w, evaluators: evaluator.Set{Own: w.Evaluator}, windows: w.Evaluator.Profile.FailureWindows(),
		began:   w.now().Add(-1), // so that no offset is zero
		targets: make(map[Target]*targetState, len(targets)), sets: map[Target][]Target{}, members: map[Target]int{},
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

// time returns the time at an offset, or the zero time for never.
func (tr *tracker) time(o offset) time.Time {
	if o == 0 {
		return time.Time{}
	}
	return tr.began.Add(time.Duration(o))
}

// step takes an observation into account. It returns whether the target, or the target in Of, is
// still waited for.
func (tr *tracker) step(obs observation, now offset) (open bool) {
	if obs.Targets != nil {
		return tr.expand(obs.Event)
	}
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

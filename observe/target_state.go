package observe

import (
	"math"
	"time"

	"kstatus.dev/status"
)

// An offset is a time since the watch began. Zero means never.
type offset time.Duration

// add returns the offset that is d later, or the last one if d exceeds it.
func (o offset) add(d time.Duration) offset {
	if d > 0 && offset(d) > math.MaxInt64-o {
		return math.MaxInt64
	}
	return o + offset(d)
}

// A targetState is the state that a tracker keeps of one target.
type targetState struct {
	requested requested
	verdicts  verdicts
	life      lifetime
	queued    bool // the latest verdict is queued; this position uses the padding of lifetime
	clocks    clocks
	timer     timer

	selections []*targetState   // the selections that the object belongs to
	members    int              // the number of objects of a selection
	parts      map[Target]*part // the parts that are not ready
	former     *status.Parts    // the last problem of a part of this generation; nil if none had one, or it was solved
}

// requested holds the requests of the caller and of the object itself.
type requested struct {
	requirements *Requirements // shared by all targets with the same requirements
	minVersion   *minVersion   // nil if not required
	named        bool          // the target itself is waited for, not only a selection that it belongs to
	ignore       bool          // Requirements.Ignore, or the object's annotation if enabled
	timeout      time.Duration // Requirements.Timeout, or the object's annotation if enabled
	firstStatus  time.Duration // Requirements.FirstStatus, or the object's annotation if enabled

	first *firstTemplate // of the first object, if the caller does not know the applied one
}

// verdicts are the verdicts on a target. Updates that they point to are never
// changed.
type verdicts struct {
	own      *Update   // on the target alone; the same as latest if nothing else counts
	latest   *Update   // with its parts and the time; no status before the first
	yielded  *Update   // the latest one that the caller has; no status before the first
	fallback *fallback // nil unless the first report of a controller is missing
}

// lifetime holds the past events of a target's object.
type lifetime struct {
	goalsMet       bool        // the object of verdicts.own meets the goals
	existed        bool        // an object has been seen
	finish         finishState // how the latest object had finished
	expires        bool        // the object is deleted some time after it has finished
	latched        bool        // this version has met the goals, and Requirements.Latch is set
	reachedMinimum bool        // an object of the minimum version has been seen
	reported       bool        // the watch has seen a change of the status of this generation
}

// clocks are the times of events, or the starts of states.
type clocks struct {
	firstSeen       offset // when the object was first seen
	staleSince      offset // from when the target cannot be read
	failingSince    offset // from when the problem has lasted without interruption
	recoveringSince offset // from when the object has no problem, because the failing part was deleted
	goalsMetSince   offset // from when the goals have been met without interruption
	partsMerged     offset // when the parts were last taken into account
}

// A timer is when a target is judged again without an event.
type timer struct {
	next     offset        // when to judge again
	object   status.Object // evaluated again at objectAt; nil if its verdict does not depend on the time
	objectAt offset        // when to evaluate object
	index    int           // the index in the heap of timers, from 1; 0 if not in the heap
}

// checkAt makes the target be judged again at an offset, or earlier.
func (t *timer) checkAt(at offset) {
	if at != 0 && (t.next == 0 || at < t.next) {
		t.next = at
	}
}

// A finishState is how an object that runs to completion had finished when it was last seen.
type finishState byte

const (
	unfinished finishState = iota
	succeeded
	failedTerminally
)

// initial is the verdict on a target before the first one.
var initial = new(Update)

// newTarget returns the state of a target without observations.
func (tr *tracker) newTarget(t Target, named bool) *targetState {
	r := tr.requirementsOf(t)
	st := &targetState{
		requested: requested{requirements: r, named: named, ignore: r.Ignore, timeout: r.Timeout, firstStatus: r.FirstStatus},
		verdicts:  verdicts{own: &Update{Target: t}, latest: initial, yielded: initial},
	}
	if tr.watcher.MinVersion != nil {
		v := tr.watcher.MinVersion(t)
		if least := (minVersion{v.UID, v.Generation, v.ResourceVersion}); least != (minVersion{}) {
			st.requested.minVersion = &least
		}
	}
	return st
}

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

// A targetState is what a tracker keeps of one target.
type targetState struct {
	requested requested
	verdicts  verdicts
	life      lifetime
	queued    bool // the latest verdict waits to be yielded; placed where it fills the padding of life
	clocks    clocks
	timer     timer

	selections []*targetState   // the selections that the object belongs to
	members    int              // the number of objects of a selection
	parts      map[Target]*part // the parts that are not ready
}

// requested is what the caller and the object itself ask of a target.
type requested struct {
	requirements *Requirements // shared by all targets with the same requirements
	minVersion   *minVersion   // nil if there is none
	named        bool          // the target itself is waited for, not only a selection that it belongs to
	ignore       bool          // Requirements.Ignore, or the object's annotation where that counts
	timeout      time.Duration // Requirements.Timeout, or the object's annotation where that counts
	firstStatus  time.Duration // Requirements.FirstStatus, or the object's annotation where that counts
}

// verdicts are the verdicts on a target. Updates that they point to are never
// changed.
type verdicts struct {
	own      *Update   // on the target by itself; the same as latest where nothing else counts
	latest   *Update   // with its parts and the time; no status before the first
	yielded  *Update   // the latest one that the caller has; no status before the first
	fallback *fallback // nil unless the first report of a controller is missing
}

// lifetime is what has happened to the object of a target so far.
type lifetime struct {
	goalsMet       bool        // the object of verdicts.own meets the goals
	existed        bool        // an object has been seen
	finish         finishState // how the latest object had finished
	expires        bool        // the object is deleted some time after it has finished
	latched        bool        // this version has met the goals, and Requirements.Latch is set
	reachedMinimum bool        // an object of the minimum version has been seen
}

// clocks are when something has happened to a target, or since when it lasts.
type clocks struct {
	firstSeen       offset // when the object was first seen
	staleSince      offset // since when the target cannot be looked at
	failingSince    offset // since when something is wrong without a break
	recoveringSince offset // since when nothing is wrong, because the failing part is gone
	goalsMetSince   offset // since when the goals are met without a break
	partsMerged     offset // when the parts were last taken into account
}

// A timer says when a target is to be judged again although nothing is seen of
// it.
type timer struct {
	next     offset        // when to judge again
	object   status.Object // to be evaluated again at objectAt; nil if its verdict does not depend on the time
	objectAt offset        // when to evaluate object
	index    int           // the place in the heap of timers, from 1; 0 if there is none
}

// checkAt has the target judged again at an offset, if not sooner.
func (t *timer) checkAt(at offset) {
	if at != 0 && (t.next == 0 || at < t.next) {
		t.next = at
	}
}

// A finishState says how an object that runs to an end had finished when it was
// last seen.
type finishState byte

const (
	unfinished finishState = iota
	succeeded
	failedTerminally
)

// initial is the verdict on a target before the first one.
var initial = new(Update)

// newTarget returns the state of a target of which nothing has been seen.
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

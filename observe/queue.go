package observe

import "container/heap"

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
	tr.changed = tr.changed || queue || st.timer.index == 1
	return st.verdicts.latest.Progress != ProgressReached && st.verdicts.latest.Progress != ProgressIgnored
}

// next removes the target that has been queued longest, and returns its
// latest verdict. It skips objects that have joined a selection and left it
// before their first update.
func (tr *tracker) next() (Update, bool) {
	for len(tr.queue) > 0 {
		st := tr.queue[0]
		tr.queue[0] = nil
		if tr.queue = tr.queue[1:]; len(tr.queue) == 0 {
			tr.queue = nil // releases its memory
		}
		st.queued = false
		u, first := *st.verdicts.latest, st.isUnreported()
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
			tr.countUnreported(-1)
			tr.removeExpanded()
		}
		u.Previous, u.Synced = st.verdicts.yielded.Result.Status, tr.synced
		st.verdicts.yielded = st.verdicts.latest
		return u, true
	}
	return Update{}, false
}

// expire judges the targets whose timers have fired again.
func (tr *tracker) expire(now offset) {
	for len(tr.timers) > 0 && tr.timers[0].timer.next <= now {
		st := tr.timers[0]
		tr.reevaluate(st, now)
		tr.enqueue(st)
	}
}

// nextTimer returns when the next timer fires, and zero if none is set.
func (tr *tracker) nextTimer() offset {
	if len(tr.timers) == 0 {
		return 0
	}
	return tr.timers[0].timer.next
}

// timers is a heap of the targets whose timers are set, the next one to fire
// first.
type timers []*targetState

// set adds, moves or removes a target according to its timer.
func (t *timers) set(st *targetState) {
	switch {
	case st.timer.next == 0 && st.timer.index == 0:
	case st.timer.next == 0:
		heap.Remove(t, st.timer.index-1)
	case st.timer.index == 0:
		heap.Push(t, st)
	default:
		heap.Fix(t, st.timer.index-1)
	}
}

// Len, Less, Swap, Push and Pop are for package heap.
func (t timers) Len() int           { return len(t) }
func (t timers) Less(i, j int) bool { return t[i].timer.next < t[j].timer.next }

func (t timers) Swap(i, j int) {
	t[i], t[j] = t[j], t[i]
	t[i].timer.index, t[j].timer.index = i+1, j+1
}

// Push appends a target.
func (t *timers) Push(x any) {
	st := x.(*targetState)
	*t = append(*t, st)
	st.timer.index = len(*t)
}

// Pop removes the last target.
func (t *timers) Pop() any {
	last := len(*t) - 1
	st := (*t)[last]
	(*t)[last] = nil
	*t = (*t)[:last]
	st.timer.index = 0
	return st
}

package audit

import (
	"cmp"
	"container/heap"
	"slices"
	"time"
)

// A timer calls a rule for an object at a time.
type timer struct {
	at    time.Time
	rule  *Rule
	of    *history
	index int // in the queue
}

// A timerQueue is a heap of timers. The earliest is first.
type timerQueue []*timer

func (q timerQueue) Len() int { return len(q) }

func (q timerQueue) Less(i, j int) bool {
	x, y := q[i], q[j]
	return cmp.Or(x.at.Compare(y.at), x.of.id.Compare(y.of.id), cmp.Compare(x.rule.ID, y.rule.ID)) < 0
}

func (q timerQueue) Swap(i, j int) {
	q[i], q[j] = q[j], q[i]
	q[i].index, q[j].index = i, j
}

func (q *timerQueue) Push(x any) {
	t := x.(*timer)
	t.index = len(*q)
	*q = append(*q, t)
}

func (q *timerQueue) Pop() any {
	last := (*q)[len(*q)-1]
	(*q)[len(*q)-1] = nil
	*q = (*q)[:len(*q)-1]
	return last
}

// setTimer sets the timer of a rule for an object. A zero time stops it.
func (a *Auditor) setTimer(h *history, r *Rule, at time.Time) {
	i := slices.IndexFunc(h.timers, func(x *timer) bool { return x.rule == r })
	switch {
	case i < 0 && at.IsZero():
	case i < 0:
		x := &timer{at: at, rule: r, of: h}
		h.timers = append(h.timers, x)
		heap.Push(&a.timers, x)
	case at.IsZero():
		heap.Remove(&a.timers, h.timers[i].index)
		h.timers = slices.Delete(h.timers, i, i+1)
	default:
		h.timers[i].at = at
		heap.Fix(&a.timers, h.timers[i].index)
	}
}

// stopTimers stops all timers for an object.
func (a *Auditor) stopTimers(h *history) {
	for _, x := range h.timers {
		heap.Remove(&a.timers, x.index)
	}
	h.timers = nil
}

// advance moves the clock to t, and calls the rules whose timers have expired,
// in the order of their times. The clock never moves backwards.
func (a *Auditor) advance(t time.Time) {
	for len(a.timers) > 0 && !a.timers[0].at.After(t) {
		x := a.timers[0]
		a.now = later(a.now, x.at)
		a.setTimer(x.of, x.rule, time.Time{})
		if x.of.last != nil {
			a.newPass(x.of, nil, x.of.last).callHook(x.rule, x.rule.OnTimer)
		}
	}
	a.now = later(a.now, t)
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

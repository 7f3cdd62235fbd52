package audit

import (
	"cmp"
	"container/heap"
	"slices"
	"time"
)

// An alarm is the time at which a rule wants to look at an object again.
type alarm struct {
	at    time.Time
	rule  *Rule
	of    *history
	index int // in the queue
}

// A queue holds alarms, the first to come in front.
type queue []*alarm

func (q queue) Len() int { return len(q) }

func (q queue) Less(i, j int) bool {
	x, y := q[i], q[j]
	return cmp.Or(x.at.Compare(y.at), x.of.id.Compare(y.of.id), cmp.Compare(x.rule.ID, y.rule.ID)) < 0
}

func (q queue) Swap(i, j int) {
	q[i], q[j] = q[j], q[i]
	q[i].index, q[j].index = i, j
}

func (q *queue) Push(x any) {
	a := x.(*alarm)
	a.index = len(*q)
	*q = append(*q, a)
}

func (q *queue) Pop() any {
	last := (*q)[len(*q)-1]
	(*q)[len(*q)-1] = nil
	*q = (*q)[:len(*q)-1]
	return last
}

// wake sets the alarm of a rule for an object; a zero time takes it back.
func (a *Auditor) wake(h *history, r *Rule, at time.Time) {
	i := slices.IndexFunc(h.alarms, func(x *alarm) bool { return x.rule == r })
	switch {
	case i < 0 && at.IsZero():
	case i < 0:
		x := &alarm{at: at, rule: r, of: h}
		h.alarms = append(h.alarms, x)
		heap.Push(&a.alarms, x)
	case at.IsZero():
		heap.Remove(&a.alarms, h.alarms[i].index)
		h.alarms = slices.Delete(h.alarms, i, i+1)
	default:
		h.alarms[i].at = at
		heap.Fix(&a.alarms, h.alarms[i].index)
	}
}

// silence takes back all alarms for an object.
func (a *Auditor) silence(h *history) {
	for _, x := range h.alarms {
		heap.Remove(&a.alarms, x.index)
	}
	h.alarms = nil
}

// pass lets time pass until t, and wakes the rules whose time came, in the order
// of their times. A time before the last one counts as the last one.
func (a *Auditor) pass(t time.Time) {
	for len(a.alarms) > 0 && !a.alarms[0].at.After(t) {
		x := a.alarms[0]
		a.now = later(a.now, x.at)
		a.wake(x.of, x.rule, time.Time{})
		if x.of.last != nil {
			a.look(x.of, nil, x.of.last).ask(x.rule, x.rule.Woken)
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

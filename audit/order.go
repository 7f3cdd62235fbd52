package audit

import (
	"cmp"
	"container/heap"
	"slices"
	"strings"
	"time"
)

// A waiting write is held back for Limits.Late, since one that was made before
// it may be told after it: watches of several kinds and an audit log do not keep
// step.
type waiting struct {
	write Write
	told  time.Time // when it was seen, whatever was told before
	id    ID
	rv    string
	turn  int // as it was told
}

// A line holds waiting writes, the first to be looked at in front.
type line []*waiting

func (q line) Len() int           { return len(q) }
func (q line) Less(i, j int) bool { return q[i].compare(q[j]) < 0 }
func (q line) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *line) Push(x any)        { *q = append(*q, x.(*waiting)) }

func (q *line) Pop() any {
	last := (*q)[len(*q)-1]
	(*q)[len(*q)-1] = nil
	*q = (*q)[:len(*q)-1]
	return last
}

// compare orders by time; at one time by resourceVersion, which the writes of
// all objects share, and then by object.
func (w *waiting) compare(other *waiting) int {
	return cmp.Or(w.write.Time.Compare(other.write.Time), compareVersions(w.rv, other.rv), w.id.Compare(other.id), cmp.Compare(w.turn, other.turn))
}

// compareVersions orders resourceVersions as numbers, after those that are none,
// between which there is no order.
func compareVersions(a, b string) int {
	x, y := isNumber(a), isNumber(b)
	switch {
	case x && y:
		return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
	case x:
		return 1
	case y:
		return -1
	}
	return 0
}

func isNumber(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != "" && s[0] != '0'
}

// enqueue takes a write of an object, and merges what two sources tell of one version.
func (a *Auditor) enqueue(w Write, id ID) {
	n := &waiting{write: w, told: w.Time, id: id, rv: text(object(w.Object, "metadata"), "resourceVersion"), turn: a.turn}
	a.turn++
	same := a.waiting[id]
	for _, was := range same {
		if n.rv != "" && was.rv == n.rv && was.merge(w) {
			a.coverage.Merged++
			return
		}
	}
	a.waiting[id] = append(same, n)
	heap.Push(&a.line, n)
	if inStep(a.waiting[id]) {
		heap.Init(&a.line)
	}
}

// inStep sees to it that no version of an object comes before an older one, and
// returns whether it had to.
func inStep(all []*waiting) (changed bool) {
	if len(all) < 2 {
		return false
	}
	slices.SortStableFunc(all, func(x, y *waiting) int { return compareVersions(x.rv, y.rv) })
	for i := 1; i < len(all); i++ {
		before, now := all[i-1], &all[i].write
		if isNumber(before.rv) && compareVersions(before.rv, all[i].rv) != 0 && before.write.Time.After(now.Time) {
			now.Time, changed = before.write.Time, true
		}
	}
	return changed
}

// merge takes over what another source tells of the same version. Two requests
// are two: the later one changed nothing.
func (w *waiting) merge(other Write) bool {
	if w.write.Request != nil && other.Request != nil || w.write.Type == Deleted != (other.Type == Deleted) {
		return false
	}
	if other.Request != nil {
		w.write.Request = other.Request
	}
	w.write.Existing = w.write.Existing || other.Existing
	w.write.Related = w.write.Related || other.Related
	if other.Time.Before(w.write.Time) {
		w.write.Time, w.told = other.Time, other.Time
	}
	return true
}

// release looks at the waiting writes up to a time.
func (a *Auditor) release(until time.Time) {
	for len(a.line) > 0 && !a.line[0].write.Time.After(until) {
		n := heap.Pop(&a.line).(*waiting)
		rest := slices.DeleteFunc(a.waiting[n.id], func(x *waiting) bool { return x == n })
		if a.waiting[n.id] = rest; len(rest) == 0 {
			delete(a.waiting, n.id)
		}
		a.pass(n.write.Time)
		a.see(n.write, n.id, n.told)
	}
}

// flush looks at all waiting writes.
func (a *Auditor) flush() { a.release(a.newest) }

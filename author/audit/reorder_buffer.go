package audit

import (
	"cmp"
	"container/heap"
	"slices"
	"strings"
	"time"

	"kstatus.dev/internal/decoded"
)

// A bufferedWrite is a write that is delayed by Limits.ReorderWindow. Watches
// of several kinds, and an audit log, are not synchronized. An earlier write
// may therefore arrive later.
type bufferedWrite struct {
	write  Write
	seenAt time.Time // the time at delivery
	id     ID
	rv     string // the resourceVersion
	turn   int    // the sequence number of the delivery
}

// A reorderBuffer delays writes until no older write can arrive.
type reorderBuffer struct {
	queue writeQueue
	byID  map[ID][]*bufferedWrite
	turn  int
}

// A writeQueue is a heap of buffered writes. The oldest is first.
type writeQueue []*bufferedWrite

func (q writeQueue) Len() int           { return len(q) }
func (q writeQueue) Less(i, j int) bool { return q[i].compare(q[j]) < 0 }
func (q writeQueue) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *writeQueue) Push(x any)        { *q = append(*q, x.(*bufferedWrite)) }

func (q *writeQueue) Pop() any {
	last := (*q)[len(*q)-1]
	(*q)[len(*q)-1] = nil
	*q = (*q)[:len(*q)-1]
	return last
}

// compare orders writes by time, then by resourceVersion, which all objects
// share, then by object.
func (w *bufferedWrite) compare(other *bufferedWrite) int {
	return cmp.Or(w.write.Time.Compare(other.write.Time), compareVersions(w.rv, other.rv), w.id.Compare(other.id), cmp.Compare(w.turn, other.turn))
}

// compareVersions orders resourceVersions as numbers. Versions that are not
// numbers come first, and are equal to one another.
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

// add adds a write of an object. merged reports whether a buffered write with
// the same version, from another source, absorbed it.
func (b *reorderBuffer) add(w Write, id ID) (merged bool) {
	n := &bufferedWrite{write: w, seenAt: w.Time, id: id, rv: decoded.Text(w.Object, "metadata", "resourceVersion"), turn: b.turn}
	b.turn++
	same := b.byID[id]
	for _, was := range same {
		if n.rv != "" && was.rv == n.rv && was.merge(w) {
			return true
		}
	}
	if b.byID == nil {
		b.byID = map[ID][]*bufferedWrite{}
	}
	b.byID[id] = append(same, n)
	heap.Push(&b.queue, n)
	if orderVersions(b.byID[id]) {
		heap.Init(&b.queue)
	}
	return false
}

// next removes the oldest write and returns it. It returns nil if that write is
// after until.
func (b *reorderBuffer) next(until time.Time) *bufferedWrite {
	if len(b.queue) == 0 || b.queue[0].write.Time.After(until) {
		return nil
	}
	n := heap.Pop(&b.queue).(*bufferedWrite)
	rest := slices.DeleteFunc(b.byID[n.id], func(x *bufferedWrite) bool { return x == n })
	if b.byID[n.id] = rest; len(rest) == 0 {
		delete(b.byID, n.id)
	}
	return n
}

// orderVersions corrects times so that no version of an object comes before an
// older one. changed reports whether it had to.
func orderVersions(all []*bufferedWrite) (changed bool) {
	if len(all) < 2 {
		return false
	}
	slices.SortStableFunc(all, func(x, y *bufferedWrite) int { return compareVersions(x.rv, y.rv) })
	for i := 1; i < len(all); i++ {
		before, now := all[i-1], &all[i].write
		if isNumber(before.rv) && compareVersions(before.rv, all[i].rv) != 0 && before.write.Time.After(now.Time) {
			now.Time, changed = before.write.Time, true
		}
	}
	return changed
}

// merge adds the data of another source about the same version. Two requests
// are not merged: the later one changed nothing.
func (w *bufferedWrite) merge(other Write) bool {
	if w.write.Request != nil && other.Request != nil || w.write.Type == WriteDeleted != (other.Type == WriteDeleted) {
		return false
	}
	if other.Request != nil {
		w.write.Request = other.Request
	}
	w.write.Existing = w.write.Existing || other.Existing
	w.write.Related = w.write.Related || other.Related
	if other.Time.Before(w.write.Time) {
		w.write.Time, w.seenAt = other.Time, other.Time
	}
	return true
}

// release processes the buffered writes up to a time.
func (a *Auditor) release(until time.Time) {
	for n := a.buffer.next(until); n != nil; n = a.buffer.next(until) {
		a.advance(n.write.Time)
		a.processWrite(n.write, n.id, n.seenAt)
	}
}

// flush processes all buffered writes.
func (a *Auditor) flush() { a.release(a.writes.to) }

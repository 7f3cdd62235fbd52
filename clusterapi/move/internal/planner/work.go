package planner

import (
	"cmp"
	"container/heap"
)

// A visit is of an object in a phase of a pass over all objects.
type visit struct{ pass, phase, index int }

func (v visit) compare(other visit) int {
	return cmp.Or(v.pass-other.pass, v.phase-other.phase, v.index-other.index)
}

// A worklist has the visits to come. It is in the order of passes over all objects, which go on
// until nothing changes. But it visits only objects that something has changed for.
type worklist struct {
	coming visits
	at     visit // the last one
	began  bool  // there was one
	done   int   // how many there were, also before a restart
}

// restart begins the passes again.
func (w *worklist) restart() { *w = worklist{done: w.done} }

// add adds a visit in this pass, or in the next one if this pass is past it.
func (w *worklist) add(phase, index int) {
	v := visit{w.at.pass, phase, index}
	if w.began && v.compare(w.at) <= 0 {
		v.pass++
	}
	heap.Push(&w.coming, v)
}

// addLater adds a visit in the next pass.
func (w *worklist) addLater(phase, index int) {
	heap.Push(&w.coming, visit{w.at.pass + 1, phase, index})
}

// next returns the next visit, and false at the end.
func (w *worklist) next() (v visit, more bool) {
	for len(w.coming) > 0 {
		v = heap.Pop(&w.coming).(visit)
		if w.began && v == w.at {
			continue // it was added twice
		}
		w.at, w.began = v, true
		w.done++
		return v, true
	}
	return v, false
}

// visits is a heap.
type visits []visit

func (h visits) Len() int           { return len(h) }
func (h visits) Less(i, j int) bool { return h[i].compare(h[j]) < 0 }
func (h visits) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }

// Push implements [heap.Interface].
func (h *visits) Push(v any) { *h = append(*h, v.(visit)) }

// Pop implements [heap.Interface].
func (h *visits) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}

package observe

import "container/heap"

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

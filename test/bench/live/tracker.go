package main

import (
	"math"
	"sync"

	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// A tracker stores the generation at which each target is Current.
type tracker struct {
	number map[observe.Target]int // immutable

	mu     sync.Mutex // guards the fields below
	level  []int64    // unheard, notCurrent, or the generation at which the target is Current
	news   int        // number of updates so far
	want   int64
	behind int           // number of targets below want
	done   chan struct{} // closed when none is; nil without a call of reach
}

const (
	unheard    = -2
	notCurrent = -1
)

func newTracker(targets []observe.Target) *tracker {
	t := &tracker{number: make(map[observe.Target]int, len(targets)), level: make([]int64, len(targets))}
	for i, target := range targets {
		t.number[target] = i
		t.level[i] = unheard
	}
	return t
}

// add takes an update. Any goroutine may call it.
func (t *tracker) add(n update) {
	i, ok := t.number[n.target]
	if !ok {
		return
	}
	level := int64(notCurrent)
	switch {
	case n.status != status.CurrentStatus:
	case n.generation == 0:
		level = math.MaxInt64 // the kind has no generation
	default:
		level = n.generation
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.news++
	was := t.level[i] < t.want
	t.level[i] = level
	switch is := level < t.want; {
	case was && !is:
		t.behind--
	case !was && is:
		t.behind++
	}
	t.settle()
}

// reached returns a channel. It is closed as soon as all targets are Current at that generation
// or a later one. With notCurrent, it is closed after an update about each target.
func (t *tracker) reached(generation int64) <-chan struct{} {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.want, t.behind, t.done = generation, 0, make(chan struct{})
	for _, level := range t.level {
		if level < generation {
			t.behind++
		}
	}
	done := t.done
	t.settle()
	return done
}

func (t *tracker) settle() {
	if t.done != nil && t.behind == 0 {
		close(t.done)
		t.done = nil
	}
}

// count returns the number of targets below the last requested state, and the number of
// updates.
func (t *tracker) count() (behind, heard int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.behind, t.news
}

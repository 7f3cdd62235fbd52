package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// The limits for growth: the mean of the last quarter of the rounds may exceed that of the
// first by this much. Three waits run at any time, each with some 30 goroutines. There are
// hundreds of waits, so even one leaked goroutine each exceeds the limit. requestsMost is for a
// round, all waits together.
const (
	heapGrowth      = 8 << 20
	goroutineGrowth = 120
	roundsLeast     = 8 // fewer rounds show no trend
	requestsMost    = 20000
)

// metrics are the counts and measurements.
type metrics struct {
	requests atomic.Int64

	mu      sync.Mutex // guards the fields below
	changes int
	failed  int // acts that the cluster rejected
	faults  map[string]int
	rounds  []measurement
	began   time.Time
}

// A measurement is taken at the end of a round.
type measurement struct {
	heap       int64
	goroutines int
	requests   int64 // in this round
}

func (f *metrics) countChange(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.changes++
	if err != nil {
		f.failed++
	}
}

func (f *metrics) countFault(what string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.faults == nil {
		f.faults = map[string]int{}
	}
	f.faults[what]++
}

// measure takes a measurement and prints the line of the round.
func (s *soakRun) measure(took time.Duration) {
	runtime.GC()
	runtime.GC() // the first collection empties the pools
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	s.updates.mu.Lock()
	checked := s.updates.checked
	s.updates.mu.Unlock()
	updates := 0
	for _, f := range s.followers {
		f.mu.Lock()
		updates += f.updates
		f.mu.Unlock()
	}
	s.rounds.mu.Lock()
	ended := fmt.Sprint(s.rounds.ended)
	s.rounds.mu.Unlock()

	f := &s.metrics
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.began.IsZero() {
		f.began = time.Now()
	}
	now := measurement{heap: int64(m.HeapAlloc), goroutines: runtime.NumGoroutine(), requests: f.requests.Swap(0)}
	if now.requests > requestsMost {
		s.mismatches.add("%d requests in a round", now.requests)
	}
	f.rounds = append(f.rounds, now)
	broken := 0
	for _, n := range f.faults {
		broken += n
	}
	fmt.Fprintf(s.out, "%s round %d: agreed after %s; %d acts (%d refused), %d faults, %d updates, %d claims checked, waits %s; %.1f MiB heap, %d goroutines, %d requests, %d wrong\n",
		time.Since(f.began).Round(time.Second), len(f.rounds)-1, took.Round(100*time.Millisecond), f.changes, f.failed, broken, updates, checked, ended,
		float64(now.heap)/(1<<20), now.goroutines, now.requests, s.mismatches.count())
}

// verdict prints the summary at the end.
func (s *soakRun) verdict(ctx context.Context, err error) error {
	f := &s.metrics
	f.mu.Lock()
	defer f.mu.Unlock()
	heap := func(m measurement) int64 { return m.heap }
	goroutines := func(m measurement) int64 { return int64(m.goroutines) }
	h1, h2 := quarters(f.rounds, heap)
	g1, g2 := quarters(f.rounds, goroutines)
	long := len(f.rounds) > roundsLeast
	if long && h2 > h1+h1/2+heapGrowth {
		s.mismatches.add("memory grows: %.1f MiB in the first quarter, %.1f in the last", float64(h1)/(1<<20), float64(h2)/(1<<20))
	}
	if long && g2 > g1+goroutineGrowth {
		s.mismatches.add("goroutines grow: %d in the first quarter, %d in the last", g1, g2)
	}
	for _, what := range slices.Sorted(maps.Keys(f.faults)) {
		fmt.Fprintf(s.out, "%6d × %s\n", f.faults[what], what)
	}
	fmt.Fprintf(s.out, "heap %.1f → %.1f MiB, goroutines %d → %d (means of the first and the last quarter), seed %d\n",
		float64(h1)/(1<<20), float64(h2)/(1<<20), g1, g2, s.seed)
	if n := s.mismatches.count(); n > 0 {
		err = errors.Join(err, fmt.Errorf("%w %d times", errMismatch, n))
	}
	switch {
	case err != nil:
	case ctx.Err() != nil:
		fmt.Fprintln(s.out, "interrupted; nothing wrong so far")
	default:
		fmt.Fprintln(s.out, "nothing wrong")
	}
	return err
}

// quarters returns the means of the first and the last quarter, without the start.
func quarters(all []measurement, of func(measurement) int64) (first, last int64) {
	if len(all) > 1 {
		all = all[1:]
	}
	if len(all) == 0 {
		return 0, 0
	}
	n := max(1, len(all)/4)
	for i := range n {
		first += of(all[i])
		last += of(all[len(all)-1-i])
	}
	return first / int64(n), last / int64(n)
}

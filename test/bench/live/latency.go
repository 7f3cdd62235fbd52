package main

import (
	"context"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// latency measures the time from just before a write to the update about it. All contenders and
// the writer are in this process. They take turns at random, each with its own objects in its
// own namespace; each write waits for its update. Only the poller has its turn afterwards,
// because it would delay all others.
func latency(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("latency", flag.ExitOnError)
	samples := flags.Int("samples", 3000, "how many writes for each contender")
	polled := flags.Int("polled", 500, "how many for the poller")
	count := flags.Int("objects", 100, "how many objects each contender follows")
	who := flags.String("who", "bare watch,kstatus.dev,cli-utils watcher", "the contenders besides the poller")
	_ = flags.Parse(args)
	s, err := newEnvironment(ctx, "")
	if err != nil {
		return err
	}
	defer s.close()
	if err := s.define(ctx, "Widget"); err != nil {
		return err
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var lanes []*contenderRun
	t := table{title: fmt.Sprintf("From a write to the news of it, %d writes each", *samples)}
	for i, name := range append(strings.Split(*who, ","), "cli-utils poller") {
		l, err := s.newRun(ctx, i, name, *count)
		if err != nil {
			return err
		}
		lanes = append(lanes, l)
		t.columns = append(t.columns, name)
	}
	poller := lanes[len(lanes)-1]
	var group sync.WaitGroup
	defer group.Wait()
	defer stop(nil)
	for _, l := range lanes[:len(lanes)-1] {
		group.Go(func() { stop(l.run(ctx, s)) })
	}
	if err := race(ctx, s, lanes[:len(lanes)-1], *samples); err != nil {
		return err
	}
	printProgress("the watches have had their turns")
	group.Go(func() { stop(poller.run(ctx, s)) })
	if err := poller.measure(ctx, s, *polled); err != nil {
		return err
	}
	t.quantiles(lanes)
	return t.print(os.Stdout)
}

// race lets the lanes take turns until each has its samples.
func race(ctx context.Context, s *environment, lanes []*contenderRun, samples int) error {
	for _, l := range lanes {
		if err := l.ready(ctx); err != nil {
			return err
		}
	}
	const warmUp = 50
	for n := range warmUp + samples {
		if n == warmUp {
			for _, l := range lanes {
				l.clear()
			}
		}
		for _, i := range rand.Perm(len(lanes)) {
			l := lanes[i]
			if err := l.write(ctx, s, n%len(l.targets)); err != nil {
				return err
			}
			select {
			case <-l.arrived:
			case <-time.After(30 * time.Second):
				return fmt.Errorf("%s has not heard of a write in 30 s", l.contender.name)
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		}
	}
	return nil
}

// A contenderRun is a contender with its own objects.
type contenderRun struct {
	contender contender
	targets   []observe.Target
	number    map[observe.Target]int
	tracker   *tracker
	arrived   chan struct{} // has an item when the update about the last write has arrived

	mu         sync.Mutex // guards the fields below
	written    []time.Time
	generation []int64 // the generation of the last write
	took       []float64
}

func (s *environment) newRun(ctx context.Context, i int, name string, count int) (*contenderRun, error) {
	c, err := contenderOf(name)
	if err != nil {
		return nil, err
	}
	l := &contenderRun{contender: c, arrived: make(chan struct{}, 1), written: make([]time.Time, count), generation: make([]int64, count),
		number: map[observe.Target]int{}}
	space := fmt.Sprintf("lane-%d", i)
	if err := s.namespace(ctx, space); err != nil {
		return nil, err
	}
	for n := range count {
		t := observe.Target{Kind: status.Kind{Group: customGroup, Kind: "Widget"}, Namespace: space, Name: fmt.Sprintf("widget-%d", n)}
		l.number[t] = n
		l.targets = append(l.targets, t)
		l.generation[n] = 1
	}
	l.tracker = newTracker(l.targets)
	return l, each(ctx, count, func(n int) error {
		o := &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": customGroup + "/v1", "kind": "Widget",
			"metadata": map[string]any{"namespace": space, "name": l.targets[n].Name},
		}}
		if err := yaml.Unmarshal([]byte(readyStatus), &o.Object); err != nil {
			return err
		}
		return s.create(ctx, customResource("Widget"), o)
	})
}

func (l *contenderRun) run(ctx context.Context, s *environment) error {
	if err := l.contender.follow(ctx, s.config, l.targets, l.add); err != nil {
		return fmt.Errorf("%s: %w", l.contender.name, err)
	}
	return nil
}

// ready waits for an update about every object.
func (l *contenderRun) ready(ctx context.Context) error {
	select {
	case <-l.tracker.reached(notCurrent):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (l *contenderRun) add(n update) {
	now := time.Now()
	l.tracker.add(n)
	i, ok := l.number[n.target]
	if !ok {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if n.generation != l.generation[i] || l.written[i].IsZero() {
		return
	}
	l.took = append(l.took, now.Sub(l.written[i]).Seconds())
	l.written[i] = time.Time{}
	select {
	case l.arrived <- struct{}{}:
	default:
	}
}

// write makes an object ready that is not ready, or the other way round.
func (l *contenderRun) write(ctx context.Context, s *environment, i int) error {
	l.mu.Lock()
	l.generation[i]++
	ready := "True"
	if l.generation[i]%2 == 0 {
		ready = "False"
	}
	patch := fmt.Sprintf(`{"status":{"conditions":[{"type":"Ready","status":%q,"reason":"Written","message":"it was written"}]}}`, ready)
	l.written[i] = time.Now()
	l.mu.Unlock()
	return s.merge(ctx, customResource("Widget"), l.targets[i].Namespace, l.targets[i].Name, patch)
}

func (l *contenderRun) clear() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.took = nil
}

// measure makes the requested number of writes with pauses, and then leaves time for all updates.
func (l *contenderRun) measure(ctx context.Context, s *environment, samples int) error {
	if err := l.ready(ctx); err != nil {
		return err
	}
	for n := range samples {
		if err := l.write(ctx, s, n%len(l.targets)); err != nil {
			return err
		}
		select {
		// Each object is idle for longer than the poll interval.
		case <-time.After(3*pollInterval/time.Duration(len(l.targets)) + rand.N(10*time.Millisecond)):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	select {
	case <-time.After(3 * pollInterval):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// quantiles adds the latency of the updates.
func (t *table) quantiles(lanes []*contenderRun) {
	cells := func(of func(sorted []float64) float64) (all []float64) {
		for _, l := range lanes {
			l.mu.Lock()
			all = append(all, of(slices.Sorted(slices.Values(l.took))))
			l.mu.Unlock()
		}
		return all
	}
	for _, percent := range []int{50, 90, 99} {
		t.add(fmt.Sprintf("p%d", percent), millis, cells(func(s []float64) float64 {
			if len(s) == 0 {
				return math.NaN()
			}
			return s[len(s)*percent/100]
		})...)
	}
	t.addPlain("writes heard of", number, cells(func(s []float64) float64 { return float64(len(s)) })...)
}

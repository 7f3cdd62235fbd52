package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"time"

	"kstatus.dev/observe"
	"kstatus.dev/test/bench"
)

// many measures following many targets of many kinds in many namespaces. All contenders follow
// the same targets. The poller does not take part, because it sees no events.
func many(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("many", flag.ExitOnError)
	count := flags.Int("targets", 10_000, "how many targets")
	spaces := flags.Int("namespaces", 50, "in how many namespaces")
	within := flags.Duration("within", 2*time.Minute, "how long each phase may take")
	s, who, err := prepare(ctx, flags, args, "kstatus.dev,cli-utils watcher,bare watch")
	if err != nil {
		return err
	}
	defer s.close()
	c, err := s.collection(ctx, *count, *spaces)
	if err != nil {
		return err
	}
	few, err := s.following(ctx, who, c.targets[:min(len(c.kinds), len(c.targets))], *within, untilQuiet(*within))
	if err != nil {
		return err
	}
	few.stop()
	all, err := s.following(ctx, who, c.targets, *within, untilQuiet(*within))
	if err != nil {
		return err
	}
	defer all.stop()
	began := time.Now()
	if err := c.touch(ctx); err != nil {
		return err
	}
	printProgress("every target is touched, %.0f a second", float64(len(c.targets))/time.Since(began).Seconds())
	touched, err := all.all(untilQuiet(*within))
	if err != nil {
		return err
	}
	t := table{title: fmt.Sprintf("%d targets of %d kinds in %d namespaces", len(c.targets), len(c.kinds), *spaces), columns: all.names()}
	t.sync(few, all)
	t.events(all, touched)
	t.add("peak memory", megabytes, peaks(touched)...)
	t.addPlain("peak memory before the start", megabytes, peaks(all.before)...)
	return t.print(os.Stdout)
}

// A following is the result of the contenders that follow targets.
type following struct {
	contenderGroup
	targets               int
	before, synced, quiet []report
}

// untilQuiet is the order to wait until no more updates arrive.
func untilQuiet(within time.Duration) instruction {
	return instruction{Do: "quiet", Seconds: within.Seconds()}
}

// following lets the contenders follow targets and become quiet. They start one after the
// other, so that none slows the server down for another.
func (s *environment) following(ctx context.Context, who string, targets []observe.Target, within time.Duration, settled instruction) (f following, err error) {
	f.targets = len(targets)
	if f.contenderGroup, err = s.startContenders(ctx, who, targets); err != nil {
		return f, err
	}
	for i := range f.contenderGroup {
		for _, step := range []struct {
			order   instruction
			reports *[]report
		}{{instruction{Do: "start"}, &f.before}, {instruction{Do: "sync", Seconds: within.Seconds()}, &f.synced}, {settled, &f.quiet}} {
			r, err := f.contenderGroup[i : i+1].all(step.order)
			if err != nil {
				f.stop()
				return f, err
			}
			*step.reports = append(*step.reports, r...)
		}
	}
	return f, nil
}

// cells returns a cell for each contender.
func (f following) cells(of func(i int) float64) (cells []float64) {
	for i := range f.contenderGroup {
		cells = append(cells, of(i))
	}
	return cells
}

// heapGrowth returns the retained bytes of the heap.
func (f following) heapGrowth(i int) float64 { return float64(f.quiet[i].Heap - f.before[i].Heap) }

// sync adds the cost of the initial sync, and the memory in use after it.
func (t *table) sync(few, all following) {
	n := float64(all.targets)
	used := func(i int) bench.Usage { return all.synced[i].Since(all.before[i].Usage) }
	t.add("time to sync", seconds, all.cells(func(i int) float64 { return all.synced[i].At.Sub(all.before[i].At).Seconds() })...)
	t.addPlain("targets not read by then", number, all.cells(func(i int) float64 { return float64(all.synced[i].Behind) })...)
	t.add("API requests to sync", number, all.cells(func(i int) float64 { return float64(used(i).Requests) })...)
	t.add("received to sync", megabytes, all.cells(func(i int) float64 { return float64(used(i).Received) })...)
	t.add("processor time to sync", seconds, all.cells(func(i int) float64 { return used(i).Processor.Seconds() })...)
	t.add("heap kept", megabytes, all.cells(all.heapGrowth)...)
	t.add("heap kept per target", bytesEach, all.cells(func(i int) float64 { return all.heapGrowth(i) / n })...)
	t.add(fmt.Sprintf("heap kept per target beside the first %d", few.targets), bytesEach, all.cells(func(i int) float64 {
		return (all.heapGrowth(i) - few.heapGrowth(i)) / (n - float64(few.targets))
	})...)
	t.add("stacks kept", megabytes, all.cells(func(i int) float64 { return float64(all.quiet[i].Stacks - all.before[i].Stacks) })...)
}

// events adds the cost of one change of every target.
func (t *table) events(all following, touched []report) {
	n := float64(all.targets)
	used := func(i int) bench.Usage { return touched[i].Since(all.quiet[i].Usage) }
	t.add("processor time per 1,000 events", millis, all.cells(func(i int) float64 { return used(i).Processor.Seconds() / n * 1000 })...)
	t.add("allocations per event", number, all.cells(func(i int) float64 { return float64(used(i).Mallocs) / n })...)
	t.add("received per event", bytesEach, all.cells(func(i int) float64 { return float64(used(i).Received) / n })...)
	t.add("API requests during the events", number, all.cells(func(i int) float64 { return float64(used(i).Requests) })...)
}

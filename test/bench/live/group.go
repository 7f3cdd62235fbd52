package main

import (
	"context"
	"strings"
	"sync"
	"time"

	"kstatus.dev/observe"
	"kstatus.dev/test/bench"
)

// A contenderGroup is a set of contenders that run side by side.
type contenderGroup []*child

// startContenders starts the contenders with the given names.
func (s *environment) startContenders(ctx context.Context, names string, targets []observe.Target) (f contenderGroup, err error) {
	for _, name := range strings.Split(names, ",") {
		c, err := spawn(ctx, job{Contender: name, Host: s.config.Host, Token: s.config.BearerToken,
			Authority: s.config.CAData, Targets: targets, Profiles: s.profiles})
		if c != nil {
			f = append(f, c)
		}
		if err != nil {
			f.stop()
			return nil, err
		}
	}
	return f, nil
}

func (f contenderGroup) stop() {
	for _, c := range f {
		c.end()
	}
}

func (f contenderGroup) names() (names []string) {
	for _, c := range f {
		names = append(names, c.contender)
	}
	return names
}

// all sends everyone the same order and waits for all reports. It prints a note about each
// contender that was not in time, because its figures cannot be compared.
func (f contenderGroup) all(o instruction) ([]report, error) {
	reports, errs := make([]report, len(f)), make([]error, len(f))
	var group sync.WaitGroup
	for i, c := range f {
		group.Go(func() { reports[i], errs[i] = c.ask(o) })
	}
	group.Wait()
	for i, r := range reports {
		if errs[i] != nil {
			return nil, errs[i]
		}
		if r.Err != "" {
			printProgress("NOT REACHED: %s: %s with %d targets missing: %s", f[i].contender, o.Do, r.Behind, r.Err)
		}
	}
	return reports, nil
}

// phase adds the usage between two reports. The phase began at one time for all contenders, or
// at its own time for each.
func (t *table) phase(when string, before, after []report, began ...time.Time) {
	column := func(of func(bench.Usage) float64) (cells []float64) {
		for i := range after {
			cells = append(cells, of(after[i].Since(before[i].Usage)))
		}
		return cells
	}
	var took, missing []float64
	for i, r := range after {
		took = append(took, r.At.Sub(began[min(i, len(began)-1)]).Seconds())
		missing = append(missing, float64(r.Behind))
	}
	t.add("API requests "+when, number, column(func(u bench.Usage) float64 { return float64(u.Requests) })...)
	t.addPlain("– discovery", number, column(func(u bench.Usage) float64 { return float64(u.Discovery) })...)
	t.add("– received", megabytes, column(func(u bench.Usage) float64 { return float64(u.Received) })...)
	t.add("– read, decompressed", megabytes, column(func(u bench.Usage) float64 { return float64(u.Read) })...)
	t.add("– processor time", seconds, column(func(u bench.Usage) float64 { return u.Processor.Seconds() })...)
	t.add("– seen after", seconds, took...)
	t.addPlain("– targets not seen current", number, missing...)
}

func heaps(before, after []report) (cells []float64) {
	for i := range after {
		cells = append(cells, float64(after[i].Heap-before[i].Heap))
	}
	return cells
}

func peaks(reports []report) (cells []float64) {
	for _, r := range reports {
		cells = append(cells, float64(r.Peak))
	}
	return cells
}

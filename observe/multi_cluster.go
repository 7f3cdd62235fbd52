package observe

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"kstatus.dev/internal/crash"
)

// MultiCluster returns a Source that watches several clusters at once. It sends
// each target to the source of the target's Cluster, without that name.
//
// If the source of a cluster fails, the targets in it cannot be read. Observe
// returns an error only if all sources have failed.
func MultiCluster(clusters map[string]Source) Source { return clusterSources(clusters) }

type clusterSources map[string]Source

// Observe observes all clusters until ctx ends, or all sources have failed.
func (all clusterSources) Observe(ctx context.Context, targets []Target, report func(Event) (open bool)) error {
	shares := map[string][]Target{}
	for _, t := range targets {
		if all[t.Cluster] == nil {
			return fmt.Errorf("observe %s: there is no cluster %q", t, t.Cluster)
		}
		name := t.Cluster
		t.Cluster = ""
		shares[name] = append(shares[name], t)
	}
	names := slices.Sorted(maps.Keys(shares))
	lost := make([]error, len(names))
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var (
		running crash.Group
		mu      sync.Mutex // guards left
		left    = len(names)
	)
	for i, name := range names {
		running.Go(func() {
			err := all[name].Observe(ctx, shares[name], func(e Event) bool { return report(e.in(name)) })
			if ctx.Err() != nil {
				return
			}
			if err == nil {
				err = errStopped
			}
			lost[i] = fmt.Errorf("cluster %s: %w", name, err)
			for _, t := range shares[name] {
				report(Event{Target: t, Err: lost[i]}.in(name))
			}
			mu.Lock()
			defer mu.Unlock()
			if left--; left == 0 {
				stop()
			}
		})
	}
	<-ctx.Done()
	running.Wait()
	if left > 0 {
		return nil
	}
	return errors.Join(lost...)
}

// in returns the event with the name of its cluster.
func (e Event) in(cluster string) Event {
	e.Target.Cluster = cluster
	if e.Of != (Target{}) {
		e.Of.Cluster = cluster
	}
	return e
}

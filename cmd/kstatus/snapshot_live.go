package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"

	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// lookUp returns the verdict on each of the objects of a cluster, looking up those
// that have only been named.
func lookUp(ctx context.Context, c *connected, j judge, all []selected) ([]verdict, error) {
	verdicts := make(map[observe.Target]verdict, len(all))
	var unseen []observe.Target
	listed := map[status.Kind]bool{}
	for _, o := range all {
		if o.object == nil {
			unseen = append(unseen, o.target)
		} else {
			listed[o.target.Kind] = true
		}
	}
	if err := c.source().Teach(ctx, slices.Collect(maps.Keys(listed))...); err != nil {
		return nil, err
	}
	if len(unseen) > 0 {
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		var mu sync.Mutex
		err := c.source().Observe(ctx, unseen, func(s observe.Sighting) (open bool) {
			mu.Lock()
			defer mu.Unlock()
			verdicts[s.Target] = j.sighting(s)
			if len(verdicts) == len(unseen) {
				stop()
			}
			return false
		})
		if err != nil {
			return nil, err
		}
		if len(verdicts) < len(unseen) {
			return nil, fmt.Errorf("look up %d objects: %w", len(unseen), context.Cause(ctx))
		}
	}
	judged := make([]verdict, len(all))
	for i, o := range all {
		if o.object != nil {
			judged[i] = j.verdict(o.object)
		} else {
			judged[i] = verdicts[o.target]
		}
		judged[i].Source = o.from
	}
	return judged, nil
}

package snapshot

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"

	"kstatus.dev/cmd/kstatus/internal/connection"
	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/cmd/kstatus/internal/selection"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// Connect reads what the arguments and files ask for, and connects to the clusters. What
// could not be read is in unread if something else could be.
func (f *Flags) Connect(ctx context.Context, args []string, by output.Criteria) (wanted selection.Request, clusters []*connection.Cluster, unread, err error) {
	wanted, unread = f.Selection.Request(ctx, f.Env.In, args)
	if unread != nil && len(wanted.Objects) == 0 {
		return wanted, nil, nil, unread
	}
	clusters, err = f.Selection.Connect(ctx, f.Env, f.Connection, by.Rules)
	return wanted, clusters, unread, err
}

// LookUp returns the verdict on each of the objects of a cluster, looking up those
// that have only been named.
func LookUp(ctx context.Context, c *connection.Cluster, j output.Judge, all []selection.Object) ([]output.Verdict, error) {
	verdicts := make(map[observe.Target]output.Verdict, len(all))
	var unseen []observe.Target
	listed := map[status.Kind]bool{}
	for _, o := range all {
		if o.Listed == nil {
			unseen = append(unseen, o.Target)
		} else {
			listed[o.Target.Kind] = true
		}
	}
	if err := c.Client.LoadSchemas(ctx, slices.Collect(maps.Keys(listed))...); err != nil {
		return nil, err
	}
	if len(unseen) > 0 {
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		var mu sync.Mutex
		err := c.Source().Observe(ctx, unseen, func(s observe.Event) (open bool) {
			mu.Lock()
			defer mu.Unlock()
			verdicts[s.Target] = j.Sighting(s)
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
	judged := make([]output.Verdict, len(all))
	for i, o := range all {
		if o.Listed != nil {
			judged[i] = j.Verdict(o.Listed)
		} else {
			judged[i] = verdicts[o.Target]
		}
		judged[i].Source = o.From
	}
	return judged, nil
}

package wait

import (
	"context"
	"time"

	"kstatus.dev/cmd/kstatus/internal/connection"
	"kstatus.dev/cmd/kstatus/internal/goals"
	"kstatus.dev/cmd/kstatus/internal/selection"
	"kstatus.dev/cmd/kstatus/internal/setsource"
	"kstatus.dev/kube/sets/follow"
	"kstatus.dev/observe"
)

// targets returns what was found in each cluster, and the sets that do not exist yet. The objects
// include the targets that represent these.
func (w *command) targets(ctx context.Context, p *goals.Plan, clusters []*connection.Cluster, asked selection.Request) (all []selection.Found, missing []setsource.Missing, err error) {
	for _, c := range clusters {
		found, sets, err := w.targetsIn(ctx, p, c, asked)
		if err := w.skipDocuments(err, len(found.Objects) > 0); err != nil {
			return nil, nil, err
		}
		for _, set := range sets {
			found.Objects = append(found.Objects, selection.Object{Target: set.Target})
			missing = append(missing, set)
		}
		all = append(all, found)
	}
	return all, missing, nil
}

// targetsIn returns the objects to wait for in a cluster. As --missing sets, an object that does
// not exist is waited for, ignored, or an error. With --for=delete, a set that does not exist
// has no objects.
func (w *command) targetsIn(ctx context.Context, p *goals.Plan, c *connection.Cluster, asked selection.Request) (selection.Found, []setsource.Missing, error) {
	none := selection.Found{Cluster: c}
	for {
		found, err := w.objects.Resolve(ctx, c, asked)
		var missing []setsource.Missing
		haveTargets := true
		for _, err := range connection.FlattenErrors(err) {
			set, ok := setsource.NewMissing(c, err)
			missing, haveTargets = append(missing, set), haveTargets && ok
		}
		switch {
		case !connection.IsOnlyMissing(err):
			return found, nil, err
		case goals.OutcomeWithoutObjects(p) == observe.OutcomeSuccess:
			c.Note(err.Error())
			return found, nil, nil
		case w.goals.missing != "wait" || p.Policy.Once:
			return none, nil, err
		case haveTargets:
			return found, missing, nil
		}
		c.Note(err.Error() + "; waiting for it")
		select {
		case <-ctx.Done():
			return none, nil, err
		case <-time.After(follow.Pause):
		}
		asked = asked.After(found)
	}
}

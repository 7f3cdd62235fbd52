package wait

import (
	"context"
	"time"

	"kstatus.dev/cmd/kstatus/internal/connection"
	"kstatus.dev/cmd/kstatus/internal/goals"
	"kstatus.dev/cmd/kstatus/internal/selection"
	"kstatus.dev/observe"
)

// How often to look for a set that is not there.
const setPause = 2 * time.Second

// targets finds out which objects are meant, in all clusters.
func (w *command) targets(ctx context.Context, p *goals.Plan, clusters []*connection.Cluster, asked selection.Request) (all []selection.Object, err error) {
	for _, c := range clusters {
		some, err := w.targetsIn(ctx, p, c, asked)
		if err := w.skipDocuments(err, len(some) > 0); err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	return all, nil
}

// targetsIn finds out which objects of a cluster are meant. A set that is not there
// is what an object is that does not exist: waited for, ignored, or an error, as
// --missing says; where objects are to be gone, its are.
func (w *command) targetsIn(ctx context.Context, p *goals.Plan, c *connection.Cluster, asked selection.Request) ([]selection.Object, error) {
	for {
		all, err := w.objects.Resolve(ctx, c, asked)
		switch absent := connection.IsOnlyMissing(err); {
		case !absent:
			return all, err
		case goals.OutcomeWithoutObjects(p) == observe.OutcomeSuccess:
			c.Note(err.Error())
			return all, nil
		case w.goals.missing != "wait" || p.Policy.Once:
			return nil, err
		}
		c.Note(err.Error() + "; waiting for it")
		select {
		case <-ctx.Done():
			return nil, err
		case <-time.After(setPause):
		}
	}
}

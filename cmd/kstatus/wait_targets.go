package main

import (
	"context"
	"slices"
	"time"

	"kstatus.dev/observe"
)

// How often to look for a set that is not there.
const setPause = 2 * time.Second

// targets finds out which objects are meant, in all clusters.
func (w *waitCommand) targets(ctx context.Context, p *plan, clusters []*connected, asked request) (all []selected, err error) {
	for _, c := range clusters {
		some, err := w.targetsIn(ctx, p, c, asked)
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	return all, nil
}

// targetsIn finds out which objects of a cluster are meant. A set that is not there
// is what an object is that does not exist: waited for, ignored, or an error, as
// --missing says; where objects are to be gone, its are.
func (w *waitCommand) targetsIn(ctx context.Context, p *plan, c *connected, asked request) ([]selected, error) {
	for {
		all, err := w.live(ctx, c, asked)
		switch absent := err != nil && !slices.ContainsFunc(each(err), func(err error) bool { return !isMissing(err) }); {
		case !absent:
			return all, err
		case nothing(p) == observe.Success:
			c.tell(err.Error())
			return all, nil
		case w.missing != "wait" || p.policy.Once:
			return nil, err
		}
		c.tell(err.Error() + "; waiting for it")
		select {
		case <-ctx.Done():
			return nil, err
		case <-time.After(setPause):
		}
	}
}

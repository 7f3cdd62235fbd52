package source

import (
	"context"
	"sync"
	"time"
)

// step reads by a stream, and where that is refused in another way for as long
// as it is.
func (p *plan) step(ctx context.Context, upper *stream, instead string, lower func(ctx context.Context, note string) error) error {
	for {
		err := upper.run(ctx)
		if !refused(err) {
			return err
		}
		why := p.link.unreadable(ctx, upper.scope, "list", err)
		below, stop := context.WithCancelCause(ctx)
		var probes sync.WaitGroup
		probes.Go(func() { p.probe(below, upper.scope, func() { stop(errPermitted) }) })
		err = lower(below, why.Text+": "+instead)
		permitted := context.Cause(below) == errPermitted
		stop(nil)
		probes.Wait()
		if ctx.Err() != nil || !permitted {
			return err
		}
	}
}

// probe tries from time to time whether a scope may be listed.
func (p *plan) probe(ctx context.Context, s scope, permitted func()) {
	s.lean = true
	for pause := firstProbe; ; pause = min(2*pause, lastProbe) {
		select {
		case <-ctx.Done():
			return
		case <-time.After(jitter(pause)):
		}
		if p.link.pace(ctx) != nil {
			return
		}
		if err := p.link.probe(ctx, s); err == nil {
			permitted()
			return
		}
	}
}

// each runs several at the same time until all have ended. What one returns as
// an error ends the others.
func (p *plan) each(ctx context.Context, tasks func(start func(func(context.Context) error))) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var running sync.WaitGroup
	var once sync.Once
	var first error
	tasks(func(task func(context.Context) error) {
		running.Go(func() {
			if err := task(ctx); err != nil {
				once.Do(func() { first = err })
				stop(err)
			}
		})
	})
	running.Wait()
	return first
}

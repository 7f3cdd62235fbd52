package source

import (
	"context"
	"sync"
	"time"

	"kstatus.dev/internal/crash"
	"kstatus.dev/kube/connection"
	"kstatus.dev/kube/source/internal/client"
	"kstatus.dev/kube/source/internal/listwatch"
	"kstatus.dev/kube/watcher"
)

// withFallback reads with a stream, and with the fallback while the stream is forbidden.
func (st *strategy) withFallback(ctx context.Context, upper *listwatch.Stream, instead string, lower func(ctx context.Context, note string) error) error {
	for {
		err := st.session.pool.Run(ctx, upper, st.keys(upper.Scope))
		if !connection.IsRefused(err) {
			return err
		}
		why := st.session.Unreadable(ctx, upper.Scope, "list", err)
		below, stop := context.WithCancelCause(ctx)
		var probes crash.Group
		probes.Go(func() { st.probe(below, upper.Scope, func() { stop(errNowPermitted) }) })
		err = lower(below, why.Text+": "+instead)
		permitted := context.Cause(below) == errNowPermitted
		stop(nil)
		probes.Wait()
		if ctx.Err() != nil || !permitted {
			return err
		}
	}
}

// probe checks periodically whether a scope may be listed.
func (st *strategy) probe(ctx context.Context, s client.Scope, permitted func()) {
	s.MetadataOnly = true
	for pause := watcher.FirstProbe; ; pause = min(2*pause, watcher.LastProbe) {
		select {
		case <-ctx.Done():
			return
		case <-time.After(watcher.Jitter(pause)):
		}
		if st.session.Pace(ctx) != nil {
			return
		}
		if err := st.session.Probe(ctx, s); err == nil {
			permitted()
			return
		}
	}
}

// each runs tasks concurrently until all have ended. The first error cancels the others and is
// returned.
func (st *strategy) each(ctx context.Context, tasks []func(context.Context) error) error {
	if len(tasks) == 1 {
		return tasks[0](ctx)
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var running crash.Group
	var once sync.Once
	var first error
	for _, task := range tasks {
		running.Go(func() {
			if err := task(ctx); err != nil {
				once.Do(func() { first = err })
				stop(err)
			}
		})
	}
	running.Wait()
	return first
}

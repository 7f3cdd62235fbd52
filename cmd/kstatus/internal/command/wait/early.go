package wait

import (
	"context"
	"time"

	"kstatus.dev/cmd/kstatus/internal/explainer"
	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/explain"
	"kstatus.dev/internal/crash"
	"kstatus.dev/observe"
)

// An earlyRead reads the facts for the explanation of a wait shortly before its deadline. A slow server
// needs seconds for them, and a wait ends within a second of its deadline. Its methods are called by
// one goroutine.
type earlyRead struct {
	at   time.Time // when it begins; zero: not any more
	read func(context.Context, []output.Verdict) (*explain.Facts, error)

	ctx   context.Context // of the read
	stop  context.CancelFunc
	work  crash.Group
	facts *explain.Facts // once work is done; nil: none
}

// newEarlyRead returns an earlyRead that calls read before the deadline of a wait. Stop must be called.
func newEarlyRead(ctx context.Context, deadline time.Time, read func(context.Context, []output.Verdict) (*explain.Facts, error)) *earlyRead {
	r := &earlyRead{read: read}
	r.ctx, r.stop = context.WithCancel(ctx)
	if !deadline.IsZero() {
		r.at = deadline.Add(-min(explainBudget, time.Until(deadline)/2))
	}
	return r
}

// note begins the read if it is due. The board is that of the wait.
func (r *earlyRead) note(board *observe.Board) {
	if r.at.IsZero() || time.Now().Before(r.at) {
		return
	}
	r.at = time.Time{}
	if about := explained(explainer.Explainable(board)); len(about) > 0 {
		r.work.Go(func() {
			if facts, err := r.read(r.ctx, about); err == nil {
				r.facts = facts
			}
		})
	}
}

// end returns the facts that were read, nil if there are none. It waits for the read until ctx ends.
func (r *earlyRead) end(ctx context.Context) *explain.Facts {
	r.at = time.Time{}
	defer context.AfterFunc(ctx, crash.Guarded(r.stop))()
	r.work.Wait()
	return r.facts
}

// Stop ends the read.
func (r *earlyRead) Stop() {
	r.stop()
	r.work.Wait()
}

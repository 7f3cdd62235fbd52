// Package sleep waits until a time has passed or a context has ended. Its contexts can outlast
// another one.
package sleep

import (
	"context"
	"time"

	"kstatus.dev/internal/crash"
)

// For waits, and reports whether ctx is still valid then.
func For(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-t.C:
	}
	return ctx.Err() == nil
}

// Linger returns a context that ends a grace time after ctx has. It is for the last requests of a
// call that was interrupted.
func Linger(ctx context.Context, grace time.Duration) (lingering context.Context, cancel func()) {
	lingering, end := context.WithCancelCause(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, crash.Guarded(func() {
		For(lingering, grace)
		end(context.Cause(ctx))
	}))
	return lingering, func() {
		stop()
		end(context.Canceled)
	}
}

// Package sleep waits until a time has passed or a context has ended.
package sleep

import (
	"context"
	"time"
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

package sleep

import (
	"context"
	"sync"
	"time"

	"kstatus.dev/internal/crash"
)

// A Call is a call whose last steps may take some time after its context has ended. The zero Call
// is ready for use.
type Call struct {
	mu    sync.Mutex // guards ended
	ended time.Time  // when the context has ended; zero before
}

// Follow records when the context of the call ends, until stop is called.
func (c *Call) Follow(ctx context.Context) (stop func() bool) {
	set := func(ended time.Time) {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.ended = ended
	}
	set(time.Time{})
	return context.AfterFunc(ctx, crash.Guarded(func() { set(time.Now()) }))
}

// Last returns a context for last steps of the call. It is valid for a time, but only for a grace
// time after the context of the call has ended.
func (c *Call) Last(ctx context.Context, most, grace time.Duration) (context.Context, context.CancelFunc) {
	c.mu.Lock()
	if !c.ended.IsZero() {
		grace -= time.Since(c.ended)
	}
	c.mu.Unlock()
	lingering, stop := Linger(ctx, grace)
	limited, cancel := context.WithTimeout(lingering, most)
	return limited, func() {
		cancel()
		stop()
	}
}

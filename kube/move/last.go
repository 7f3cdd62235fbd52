package move

import (
	"context"
	"time"

	"kstatus.dev/kube/internal/sleep"
)

// How long the last steps of a call may take after an error, and after its context has ended. A
// journal in a file is always written: that needs no server.
const (
	lastTimeout    = 30 * time.Second
	restoreTimeout = 25 * time.Second
	saveGrace      = 900 * time.Millisecond
	restoreGrace   = 750 * time.Millisecond
)

// follow records when the context of a call ends, until stop is called.
func (m *Mover) follow(ctx context.Context) (stop func() bool) {
	set := func(ended time.Time) {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.ended = ended
	}
	set(time.Time{})
	return context.AfterFunc(ctx, func() { set(time.Now()) })
}

// last returns a context for the last steps of a call. It is valid for a time, but only for a grace
// time after the context of the call has ended.
func (m *Mover) last(ctx context.Context, most, grace time.Duration) (context.Context, context.CancelFunc) {
	m.mu.Lock()
	if !m.ended.IsZero() {
		grace -= time.Since(m.ended)
	}
	m.mu.Unlock()
	lingering, stop := sleep.Linger(ctx, grace)
	limited, cancel := context.WithTimeout(lingering, most)
	return limited, func() {
		cancel()
		stop()
	}
}

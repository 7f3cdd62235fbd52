package listwatch

import (
	"context"
	"math/rand/v2"
	"time"
)

const (
	FirstPause       = 500 * time.Millisecond // before a stream tries again, at first
	LastPause        = 30 * time.Second       // and at most
	PendingPause     = 5 * time.Second        // at most while something is waited for
	PollPause        = 2 * time.Second        // between looks at what may not be watched
	FirstProbe       = 15 * time.Second       // before what was refused is tried again, at first
	LastProbe        = 5 * time.Minute        // and at most
	listStallTimeout = time.Minute            // how long a list that is streamed may say nothing
)

// pause waits, and reports whether ctx has not ended meanwhile.
func Sleep(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-t.C:
	}
	return ctx.Err() == nil
}

// jitter returns about d, so that not all streams do the same at once.
func Jitter(d time.Duration) time.Duration { return d*3/4 + rand.N(d/2) }

package watcher

import (
	"context"
	"math/rand/v2"
	"time"

	"kstatus.dev/internal/sleep"
)

const (
	firstPause  = 200 * time.Millisecond // before the first retry
	LastPause   = 30 * time.Second       // before a retry, at most
	UrgentPause = 5 * time.Second        // before a retry while somebody waits, at most
	LastReopen  = 2 * time.Second        // after a short watch while somebody waits, at most
	FirstProbe  = 15 * time.Second       // before a refused request is tried again, at first
	LastProbe   = 5 * time.Minute        // before a refused request is tried again, at most

	firstReopen  = 100 * time.Millisecond // after a short watch, at first
	shortWatch   = 5 * time.Second        // after a watch of at least this duration, the next one opens at once
	minWatchTime = time.Second            // a watch of at least this duration without news is trusted
	watchTime    = 5 * time.Minute        // the shortest duration of a watch; the longest is twice that
	listSilence  = 10 * time.Second       // how long a streamed list may be silent
	quietTimeout = 90 * time.Second       // servers send a bookmark at least once a minute
)

// Jitter returns between 75 % and 125 % of d, so that streams spread their requests.
func Jitter(d time.Duration) time.Duration { return d*3/4 + rand.N(d/2+1) }

// A Pause is a delay before a retry. It begins with 200 milliseconds, and doubles with each use.
type Pause struct{ last time.Duration }

// Next returns the next delay. Except for the jitter it is at most limit.
func (p *Pause) Next(limit time.Duration) time.Duration { return p.next(firstPause, limit) }

func (p *Pause) next(first, limit time.Duration) time.Duration {
	p.last = min(max(first, 2*p.last), limit)
	return Jitter(p.last)
}

// Wait waits for the next delay. It returns false if ctx ends before.
func (p *Pause) Wait(ctx context.Context, limit time.Duration) bool {
	return sleep.For(ctx, p.Next(limit))
}

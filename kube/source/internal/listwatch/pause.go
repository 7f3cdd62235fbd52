package listwatch

import (
	"math/rand/v2"
	"time"
)

const (
	FirstPause   = 500 * time.Millisecond // before the first retry
	LastPause    = 30 * time.Second       // before a retry, at most
	PendingPause = 5 * time.Second        // before a retry while a target is pending, at most
	PollPause    = 2 * time.Second        // between reads of objects that may not be watched
	FirstProbe   = 15 * time.Second       // before a refused request is tried again, at first
	LastProbe    = 5 * time.Minute        // before a refused request is tried again, at most

	shortWatch   = 5 * time.Second        // after a watch of at least this duration, the next one opens at once
	firstReopen  = 100 * time.Millisecond // delay of the next watch after a shorter one, at first
	minWatchTime = time.Second            // a watch of at least this duration without news is trusted

	listStallTimeout = time.Minute // how long a streamed list may be silent
)

// Jitter returns between 75 % and 125 % of d, so that streams spread their requests.
func Jitter(d time.Duration) time.Duration { return d*3/4 + rand.N(d/2) }

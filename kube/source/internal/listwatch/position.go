package listwatch

import (
	"time"
)

// A Key names an object among those of its kind.
type Key struct{ Namespace, Name string }

// A position is how far a stream has read.
type position struct {
	version     string    // all changes up to this version have been read; empty: a list is needed
	highest     uint64    // the highest version that has been read
	older       int       // the number of consecutive lists that were older than that
	listing     bool      // a streamed list is in progress
	events      int       // of that list so far
	marks       int       // of that list so far: bookmarks that do not end it
	listed      time.Time // the time of the last complete list
	noStreaming bool      // do not stream the next list: streaming has failed
}

// A refusal records that watching a scope is forbidden.
type refusal struct {
	err     error         // nil: not known to be forbidden
	retryAt time.Time     // when to try again
	pause   time.Duration // the pause before retryAt
}

// isActive reports whether it is too early to try again.
func (r *refusal) isActive() bool { return r.err != nil && time.Now().Before(r.retryAt) }

// extend records another refusal. The pause doubles with each.
func (r *refusal) extend(err error) {
	r.err = err
	r.pause = min(max(2*r.pause, FirstProbe), LastProbe)
	r.retryAt = time.Now().Add(r.pause)
}

package conditionstest

import (
	"sync"
	"time"

	"kstatus.dev/kube/conditions"
)

// Clock tells the time that a test has set.
type Clock struct {
	mu  sync.Mutex
	now time.Time
}

// NewClock returns a clock that stands at a time.
func NewClock(now time.Time) *Clock { return &Clock{now: now} }

// Now is the time it stands at.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Advance moves it, backwards if the duration is negative.
func (c *Clock) Advance(by time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(by)
}

// StrictSet is a set under its own options with this clock, of which a statement
// against the declaration panics.
func StrictSet(set *conditions.Set, clock *Clock) *conditions.Set {
	o := set.Options()
	o.Strict = true
	if clock != nil {
		o.Clock = clock.Now
	}
	return set.WithOptions(o)
}

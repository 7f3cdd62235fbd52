package conditionstest

import (
	"sync"
	"time"

	"kstatus.dev/author/conditions"
)

// A Clock returns the time that a test has set. It may be used by several goroutines.
type Clock struct {
	mu  sync.Mutex
	now time.Time
}

// NewClock returns a clock that is set to now.
func NewClock(now time.Time) *Clock { return &Clock{now: now} }

// Now returns the time of the clock.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Advance moves the clock, backwards if the duration is negative.
func (c *Clock) Advance(by time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(by)
}

// StrictSet returns a set with the same options that uses the clock, and panics on a statement
// against the declaration. A nil clock keeps the clock of the set.
func StrictSet(set *conditions.Set, clock *Clock) *conditions.Set {
	o := set.Options()
	o.Strict = true
	if clock != nil {
		o.Clock = clock.Now
	}
	return set.WithOptions(o)
}

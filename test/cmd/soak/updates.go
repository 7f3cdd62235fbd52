package main

import (
	"context"
	"fmt"
	"strconv"
	"sync"
	"time"

	"kstatus.dev/observe"
	"kstatus.dev/status"
	"kstatus.dev/test/lib/witness"
)

// How long the history in etcd may take to contain the version of an update.
const maxDelay = 30 * time.Second

// An uncheckedUpdate is an update to check.
type uncheckedUpdate struct {
	who  string
	what observe.Update
	at   time.Time
}

// uncheckedUpdates are the updates that are not checked yet.
type uncheckedUpdates struct {
	mu      sync.Mutex // guards the fields below
	open    []uncheckedUpdate
	checked int
}

// add adds an update to check.
func (c *uncheckedUpdates) add(who string, u observe.Update) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open = append(c.open, uncheckedUpdate{who, u, time.Now()})
}

// check compares the updates with the writes to etcd, until ctx ends.
func (c *uncheckedUpdates) check(ctx context.Context, s *soakRun) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(200 * time.Millisecond):
		}
		c.mu.Lock()
		open := c.open
		c.open = nil
		c.mu.Unlock()
		var rest []uncheckedUpdate
		for _, one := range open {
			wrong, certain := s.contradiction(one.what)
			switch {
			case !certain && time.Since(one.at) < maxDelay:
				rest = append(rest, one)
			case wrong != "":
				s.mismatches.add("%s told %s, but %s", one.who, witness.FormatUpdate(one.what), wrong)
			}
		}
		c.mu.Lock()
		c.open = append(rest, c.open...)
		c.checked += len(open) - len(rest)
		c.mu.Unlock()
	}
}

// contradiction describes what in etcd contradicts an update; empty if nothing does. It also
// reports whether the contradiction is certain, because a later write may still match.
func (s *soakRun) contradiction(u observe.Update) (wrong string, certain bool) {
	v := u.Version
	switch {
	case u.Result.Status == status.UnknownStatus:
		if u.Result.Reason == status.ReasonTransport || u.Result.Reason == status.ReasonNoMatch {
			return "", true
		}
		return "everything can be read", true
	case v.UID == "":
		return "", true // never read: the update makes no claim about an object
	case u.Result.Status == status.NotFoundStatus:
		gone, known := s.history.Gone(v.UID)
		if gone {
			return "", true
		}
		return fmt.Sprintf("in etcd it is still there (known %v)", known), false
	}
	resource, err := strconv.ParseInt(v.ResourceVersion, 10, 64)
	if err != nil {
		return "that is no resourceVersion", true
	}
	was, known := s.history.Version(v.UID, resource)
	if !known {
		return "there never was such a version", false
	}
	u.StaleSince = time.Time{}
	if d := witness.Differs(u, was); d != "" {
		return "in that version " + d, true
	}
	if u.Result.Status == status.CurrentStatus && was.Observed != 0 && was.Observed != was.Generation {
		return fmt.Sprintf("generation %d is observed of %d", was.Observed, was.Generation), true
	}
	return "", true
}

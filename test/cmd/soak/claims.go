package main

import (
	"context"
	"fmt"
	"strconv"
	"sync"
	"time"

	"kstatus.dev/observe"
	"kstatus.dev/status"
	"kstatus.dev/test/witness"
)

// How long etcd's chronicle may take to contain the version of an update.
const lag = 30 * time.Second

// A claim is an update to check.
type claim struct {
	who  string
	what observe.Update
	at   time.Time
}

// claims are the updates that are not checked yet.
type claims struct {
	mu      sync.Mutex // guards the fields below
	open    []claim
	checked int
}

// hear adds an update to check.
func (c *claims) hear(who string, u observe.Update) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.open = append(c.open, claim{who, u, time.Now()})
}

// check compares the updates with the writes to etcd, until ctx ends.
func (c *claims) check(ctx context.Context, s *stage) {
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
		var rest []claim
		for _, one := range open {
			wrong, certain := s.contradiction(one.what)
			switch {
			case !certain && time.Since(one.at) < lag:
				rest = append(rest, one)
			case wrong != "":
				s.wrongs.add("%s told %s, but %s", one.who, witness.Line(one.what), wrong)
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
func (s *stage) contradiction(u observe.Update) (wrong string, certain bool) {
	v := u.Version
	switch {
	case u.Result.Status == status.UnknownStatus:
		if u.Result.Reason == "Transport" || u.Result.Reason == "NoMatch" {
			return "", true
		}
		return "everything can be read", true
	case v.UID == "":
		return "", true // never read: the update makes no claim about an object
	case u.Result.Status == status.NotFoundStatus:
		gone, known := s.chronicle.Gone(v.UID)
		if gone {
			return "", true
		}
		return fmt.Sprintf("in etcd it is still there (known %v)", known), false
	}
	resource, err := strconv.ParseInt(v.ResourceVersion, 10, 64)
	if err != nil {
		return "that is no resourceVersion", true
	}
	was, known := s.chronicle.Version(v.UID, resource)
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

package observe_test

import (
	"fmt"
	"testing"
	"time"

	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// A checker checks each update against the earlier ones.
type checker struct {
	t         *testing.T
	requested int
	synced    bool
	board     observe.Board
	lastOf    map[observe.Target]observe.Update
	number    map[observe.Target]int // the latest
}

func (c *checker) check(u observe.Update) {
	c.board.Add(u)
	if c.synced && !u.Synced {
		c.t.Errorf("%s is not synced although all was", u.Target)
	}
	if u.Target == (observe.Target{}) {
		return
	}
	before, known := c.lastOf[u.Target]
	if u.Removed {
		delete(c.lastOf, u.Target)
	} else {
		c.lastOf[u.Target] = u
	}
	named := 0
	for _, of := range []observe.Target{target("a"), target("b"), shops} {
		if _, ok := c.lastOf[of]; ok {
			named++
		}
	}
	if u.Synced != (named == c.requested) {
		c.t.Errorf("%s is synced: %t, with %d of %d reported", u.Target, u.Synced, named, c.requested)
	}
	c.synced = u.Synced
	switch {
	case u.Previous != before.Result.Status:
		c.t.Errorf("%s comes after %q, not after %q", u.Target, before.Result.Status, u.Previous)
	case known && number(u) < c.number[u.Target]:
		c.t.Errorf("%s goes back from %d to %q", u.Target, c.number[u.Target], u.Result.Message)
	case u.Removed && !known:
		c.t.Errorf("%s has left and never came", u.Target)
	case u.Progress == "", u.Result.Status == "":
		c.t.Errorf("%s has no verdict", u.Target)
	case !u.FailsAt.IsZero() && u.Progress != observe.ProgressFailing:
		c.t.Errorf("%s is %s and will fail", u.Target, u.Progress)
	case u.Since.IsZero() || u.Since.After(time.Now()), known && u.Result.Status == before.Result.Status && !u.Since.Equal(before.Since) && u.Since.Before(before.Since):
		c.t.Errorf("%s is %s since %s", u.Target, u.Result.Status, u.Since)
	}
	if n := number(u); n != none {
		c.number[u.Target] = n
	}
	if text := updateKey(u); known && text == updateKey(before) {
		c.t.Errorf("%s is repeated: %s", u.Target, text)
	}
}

// updateKey renders the parts of an update whose change causes an update.
func updateKey(u observe.Update) string {
	u.Version.ResourceVersion = ""
	return fmt.Sprint(u.Result.Status, u.Result.Reason, u.Message(), u.Result.Failure, u.Result.Warnings, u.Version, u.Progress, u.Unmet, u.FailsAt, u.StaleSince.IsZero(), u.Removed)
}

// number returns the number of the event that an update is about, or none.
func number(u observe.Update) (n int) {
	if _, err := fmt.Sscanf(u.Result.Message, "%d:", &n); err != nil {
		return none
	}
	return n
}

const none = 1 << 20

// checkLast checks the last update of each target against its last event, which was long
// before.
func (c *checker) checkLast(u observe.Update, s observe.Event, existed bool) {
	reason := ""
	if s.Err != nil {
		reason = s.Err.(*observe.Unreadable).Reason
	}
	var ok bool
	switch r := u.Result; {
	case s.Object != nil:
		state := s.Object.UnstructuredContent()["status"].(map[string]any)
		ok = number(u) == state["n"] || r.Status == status.TerminatingStatus && state["phase"] == "Gone"
	case reason == "NoMatch" && existed:
		ok = r.Reason == "KindRemoved"
	case reason != "":
		ok = r.Reason == reason
	default:
		ok = r.Status == status.NotFoundStatus
	}
	if !ok || reason != "Transport" && !u.StaleSince.IsZero() {
		c.t.Errorf("%s was seen last as %v %v, and is %s/%s: %s", s.Target, s.Object, s.Err, u.Result.Status, u.Result.Reason, u.Result.Message)
	}
}

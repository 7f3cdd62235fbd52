package observe_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// stands returns the update of a target that stands so.
func stands(name string, standing observe.Standing) observe.Update {
	u := observe.Update{Target: target(name), Standing: standing, Synced: true}
	words := map[observe.Standing]status.Result{
		observe.Open:    {Status: status.InProgressStatus, Reason: "NotAvailable"},
		observe.Met:     {Status: status.CurrentStatus, Reason: "Reconciled"},
		observe.Failing: {Status: status.InProgressStatus, Reason: "CrashLoop", Failure: status.Recoverable},
		observe.Failed:  {Status: status.FailedStatus, Reason: "JobFailed", Failure: status.Terminal},
		observe.Missing: {Status: status.NotFoundStatus, Reason: "NeverSeen"},
		observe.Barred:  {Status: status.UnknownStatus, Reason: "Forbidden"},
		observe.Late:    {Status: status.InProgressStatus, Reason: "NotAvailable"},
		observe.Ignored: {Status: status.FailedStatus, Reason: "JobFailed", Failure: status.Terminal},
	}
	u.Result = words[standing]
	return u
}

// unsure returns a target of which nothing can be told for a reason.
func unsure(name, reason string) observe.Update {
	u := stands(name, observe.Open)
	u.Result = status.Result{Status: status.UnknownStatus, Reason: reason}
	if reason == "BadScope" {
		u.Standing = observe.Barred
	}
	return u
}

func TestOutcomes(t *testing.T) {
	open, met, failing, failed := stands("x", observe.Open), stands("x", observe.Met), stands("x", observe.Failing), stands("x", observe.Failed)
	missing, barred, late, ignored := stands("x", observe.Missing), stands("x", observe.Barred), stands("x", observe.Late), stands("x", observe.Ignored)
	lateAndAbsent := missing
	lateAndAbsent.Standing = observe.Late
	stale := open
	stale.Stale = time.Now()
	plain, keep, once := observe.Policy{}, observe.Policy{KeepGoing: true}, observe.Policy{Once: true}
	fail, ignore := observe.FailIfMissing, observe.IgnoreMissing
	rows := []struct {
		policy observe.Policy
		board  []observe.Update // of different targets
		now    observe.Outcome
		end    observe.Outcome // once the time is over
	}{
		{plain, []observe.Update{met, met}, observe.Success, ""},
		{plain, []observe.Update{met, ignored}, observe.Success, ""},
		{plain, []observe.Update{ignored}, observe.Success, ""},
		{plain, []observe.Update{met, open}, observe.Pending, observe.Timeout},
		{plain, []observe.Update{met, failing}, observe.Pending, observe.Timeout},
		{plain, []observe.Update{met, missing}, observe.Pending, observe.Timeout},
		{plain, []observe.Update{open, failed}, observe.Failure, ""},
		{plain, []observe.Update{open, barred}, observe.Forbidden, ""},
		{plain, []observe.Update{open, unsure("x", "BadScope")}, observe.Unsure, ""},
		{plain, []observe.Update{open, late}, observe.Timeout, ""},
		{plain, []observe.Update{open, unsure("x", "Transport")}, observe.Pending, observe.Timeout},
		{plain, []observe.Update{stale}, observe.Pending, observe.Timeout},

		// The precedence: failed, forbidden, unsure, missing, timeout.
		{observe.Policy{Missing: fail}, []observe.Update{late, missing, unsure("x", "BadScope"), barred, failed}, observe.Failure, ""},
		{observe.Policy{Missing: fail}, []observe.Update{late, missing, unsure("x", "BadScope"), barred}, observe.Forbidden, ""},
		{observe.Policy{Missing: fail}, []observe.Update{late, missing, unsure("x", "BadScope")}, observe.Unsure, ""},
		{observe.Policy{Missing: fail}, []observe.Update{late, missing}, observe.Absent, ""},
		{once, []observe.Update{failed, missing, barred, unsure("x", "Transport"), open}, observe.Failure, ""},
		{once, []observe.Update{missing, barred, unsure("x", "Transport"), open}, observe.Forbidden, ""},
		{once, []observe.Update{missing, unsure("x", "Transport"), open}, observe.Unsure, ""},
		{once, []observe.Update{missing, unsure("x", "Malformed"), open}, observe.Unsure, ""},
		{once, []observe.Update{missing, stale}, observe.Unsure, ""},
		{once, []observe.Update{missing, open}, observe.Absent, ""},
		{once, []observe.Update{met, open}, observe.Timeout, ""},
		{once, []observe.Update{met, failing}, observe.Timeout, ""},
		{once, []observe.Update{met, ignored}, observe.Success, ""},

		// Whoever keeps going does so until nothing is left to wait for.
		{keep, []observe.Update{failed, open}, observe.Pending, observe.Failure},
		{keep, []observe.Update{failed, missing}, observe.Pending, observe.Failure},
		{keep, []observe.Update{barred, failing}, observe.Pending, observe.Forbidden},
		{keep, []observe.Update{late, open}, observe.Pending, observe.Timeout},
		{keep, []observe.Update{late, met}, observe.Timeout, ""},
		{keep, []observe.Update{late, failed, met}, observe.Failure, ""},
		{keep, []observe.Update{barred, met}, observe.Forbidden, ""},
		{observe.Policy{KeepGoing: true, Missing: fail}, []observe.Update{missing, open}, observe.Pending, observe.Absent},
		{observe.Policy{KeepGoing: true, Missing: fail}, []observe.Update{missing, late, met}, observe.Absent, ""},
		{observe.Policy{KeepGoing: true, Once: true}, []observe.Update{failed, open}, observe.Failure, ""},

		// What is missing and need not be there does not run out of time.
		{observe.Policy{Missing: ignore}, []observe.Update{met, missing}, observe.Success, ""},
		{observe.Policy{Missing: ignore}, []observe.Update{met, lateAndAbsent}, observe.Success, ""},
		{observe.Policy{Missing: ignore, Once: true}, []observe.Update{met, missing}, observe.Success, ""},
		{observe.Policy{Missing: ignore}, []observe.Update{open, missing}, observe.Pending, observe.Timeout},
		{observe.Policy{Missing: fail}, []observe.Update{met, lateAndAbsent}, observe.Absent, ""},
		{plain, []observe.Update{met, lateAndAbsent}, observe.Timeout, ""},
	}
	for _, row := range rows {
		t.Run(nameOf(row.policy, row.board), func(t *testing.T) {
			// In whatever order they come, the outcome is the same.
			for range 5 {
				b := new(observe.Board)
				for _, i := range rand.Perm(len(row.board)) {
					u := row.board[i]
					u.Target = target(fmt.Sprint("t", i))
					b.Add(u)
				}
				now, end := b.Outcome(row.policy), observe.Outcome("")
				if now == observe.Pending {
					end = b.End(row.policy, context.DeadlineExceeded)
				}
				if now != row.now || end != row.end {
					t.Errorf("have %q and at the end %q, want %q and %q", now, end, row.now, row.end)
				}
			}
		})
	}
}

// nameOf names a row: "once, missing fail: late NotAvailable, barred Forbidden".
func nameOf(p observe.Policy, board []observe.Update) string {
	var policy, updates []string
	if p.Once {
		policy = append(policy, "once")
	}
	if p.KeepGoing {
		policy = append(policy, "keep going")
	}
	if p.Missing != observe.WaitForMissing {
		policy = append(policy, "missing "+string(p.Missing))
	}
	for _, u := range board {
		text := string(u.Standing) + " " + u.Result.Reason
		if !u.Stale.IsZero() {
			text += " stale"
		}
		updates = append(updates, text)
	}
	return strings.TrimPrefix(strings.Join(policy, ", ")+": "+strings.Join(updates, ", "), ": ")
}

func TestNoOutcomeBeforeAllHaveBeenHeardOf(t *testing.T) {
	b := new(observe.Board)
	u := stands("a", observe.Failed)
	u.Synced = false
	b.Add(u)
	if b.Outcome(observe.Policy{}) != observe.Pending || b.Outcome(observe.Policy{Once: true}) != observe.Pending || b.Synced() {
		t.Error("there is an outcome before all have been heard of")
	}
	if end := b.End(observe.Policy{}, errors.New("Ctrl-C")); end != observe.Interrupted {
		t.Errorf("it ends with %s", end)
	}
}

// A board is the same whatever the order in which different targets come.
func TestABoardDoesNotDependOnTheOrder(t *testing.T) {
	all := []observe.Standing{observe.Open, observe.Met, observe.Failing, observe.Failed, observe.Missing, observe.Barred, observe.Late, observe.Ignored}
	var updates []observe.Update
	for i := range 40 {
		updates = append(updates, stands(fmt.Sprint("t", i), all[i%len(all)]))
	}
	var want string
	for range 20 {
		b := new(observe.Board)
		for _, i := range rand.Perm(len(updates)) {
			b.Add(updates[i])
		}
		var have string
		for _, u := range b.Updates() {
			have += u.Target.Name + " "
		}
		have += fmt.Sprint(b.Counts(), b.Standings(), b.Len(), len(b.Unmet()))
		if want == "" {
			want = have
		}
		if have != want {
			t.Fatalf("have %s, want %s", have, want)
		}
		if !maps.Equal(b.Standings(), map[observe.Standing]int{"open": 5, "met": 5, "failing": 5, "failed": 5, "missing": 5, "barred": 5, "late": 5, "ignored": 5}) {
			t.Fatal(b.Standings())
		}
	}
}

// A board on which rows have changed tells the same as one that has seen the
// last of each only.
func TestABoardForgetsWhatWasBefore(t *testing.T) {
	standings := []observe.Standing{observe.Open, observe.Met, observe.Failing, observe.Failed, observe.Missing, observe.Barred, observe.Late, observe.Ignored}
	policies := []observe.Policy{{}, {Once: true}, {KeepGoing: true}, {Missing: observe.FailIfMissing}, {Missing: observe.IgnoreMissing}, {Missing: observe.IgnoreMissing, KeepGoing: true}}
	b := new(observe.Board)
	for range 3000 {
		u := stands(fmt.Sprint("t", rand.IntN(4)), standings[rand.IntN(len(standings))])
		switch rand.IntN(6) {
		case 0:
			u.Result.Reason = []string{"NoMatch", "NeverSeen", "Transport", "Malformed"}[rand.IntN(4)]
		case 1:
			u.Stale = time.Now()
		case 2:
			u.Left = true
		case 3:
			u.Target.Name = ""
		}
		b.Add(u)
		fresh := new(observe.Board)
		fresh.Add(observe.Update{Synced: true})
		for _, u := range b.Updates() {
			fresh.Add(u)
		}
		for _, p := range policies {
			have, want := fmt.Sprint(b.Outcome(p), b.End(p, observe.ErrTimeout)), fmt.Sprint(fresh.Outcome(p), fresh.End(p, observe.ErrTimeout))
			if have != want {
				t.Fatalf("%+v: have %s, want %s, of %v", p, have, want, b.Updates())
			}
		}
		if !maps.Equal(b.Standings(), fresh.Standings()) || !maps.Equal(b.Counts(), fresh.Counts()) {
			t.Fatalf("have %v, want %v", b.Standings(), fresh.Standings())
		}
	}
}

// One who looks once gives no failure time to heal, whatever the terms are of.
func TestLookingOnceGivesNoGrace(t *testing.T) {
	own := &observe.Terms{Within: time.Hour}
	w := observe.Watcher{Source: sights(failingFor("CrashLoop")), For: func(observe.Target) *observe.Terms { return own }}
	w.Evaluator.Rules = status.Rules{target("a").Kind: {Rule: failByPhase}}
	end, err := w.Wait(t.Context(), observe.Policy{Once: true}, target("a"))
	if err != nil || end.Outcome != observe.Failure {
		t.Errorf("have %s, %v, want %s", end.Outcome, err, observe.Failure)
	}
}

func TestWaitsForNothing(t *testing.T) {
	rows := []struct {
		it     string
		goal   observe.Goal
		policy observe.Policy
		want   observe.Outcome
	}{
		{"misses what is to be current", observe.Current(), observe.Policy{}, observe.Absent},
		{"succeeds if missing objects are ignored", observe.Current(), observe.Policy{Missing: observe.IgnoreMissing}, observe.Success},
		{"succeeds if objects are to be deleted", observe.Deleted(), observe.Policy{}, observe.Success},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			w := observe.Watcher{Source: silent{}, Terms: observe.Terms{Goals: []observe.Goal{row.goal}}}
			if end, err := w.Wait(t.Context(), row.policy); err != nil || end.Outcome != row.want {
				t.Errorf("have %s, %v, want %s", end.Outcome, err, row.want)
			}
		})
	}
}

// A target that runs out of its own time ends the wait, unless the wait keeps going.
func TestTargetsThatRunOutOfTime(t *testing.T) {
	rows := []struct {
		it     string
		policy observe.Policy
		after  time.Duration
	}{
		{"ends the wait", observe.Policy{}, 10 * time.Second},
		{"does not end a wait that keeps going", observe.Policy{KeepGoing: true}, 20 * time.Second},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := observe.Watcher{
					Source: at(timedSighting{0, widget("a", "False", "", nil)}, timedSighting{0, widget("b", "False", "", nil)}, timedSighting{20 * time.Second, widget("b", "True", "", nil)}),
					For: func(of observe.Target) *observe.Terms {
						if of == target("a") {
							return &observe.Terms{Within: 10 * time.Second}
						}
						return nil
					},
				}
				start := time.Now()
				end, err := w.Wait(minute(t), row.policy, target("a"), target("b"))
				if took := time.Since(start); err != nil || end.Outcome != observe.Timeout || took != row.after {
					t.Errorf("have %s, %v after %s, want %s after %s", end.Outcome, err, took, observe.Timeout, row.after)
				}
			})
		})
	}
}

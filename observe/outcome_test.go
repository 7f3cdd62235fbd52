package observe_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
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
	const open, met, failing, failed, missing, barred, late, ignored = observe.Open, observe.Met, observe.Failing, observe.Failed,
		observe.Missing, observe.Barred, observe.Late, observe.Ignored
	lateAndAbsent := stands("x", missing)
	lateAndAbsent.Standing = late
	stale := stands("x", open)
	stale.Stale = time.Now()
	plain, keep, once := observe.Policy{}, observe.Policy{KeepGoing: true}, observe.Policy{Once: true}
	fail, ignore := observe.FailIfMissing, observe.IgnoreMissing
	rows := []struct {
		policy observe.Policy
		board  []any // standings, or whole updates
		now    observe.Outcome
		end    observe.Outcome // once the time is over
	}{
		{plain, []any{met, met}, observe.Success, ""},
		{plain, []any{met, ignored}, observe.Success, ""},
		{plain, []any{ignored}, observe.Success, ""},
		{plain, []any{met, open}, observe.Pending, observe.Timeout},
		{plain, []any{met, failing}, observe.Pending, observe.Timeout},
		{plain, []any{met, missing}, observe.Pending, observe.Timeout},
		{plain, []any{open, failed}, observe.Failure, ""},
		{plain, []any{open, barred}, observe.Forbidden, ""},
		{plain, []any{open, unsure("x", "BadScope")}, observe.Unsure, ""},
		{plain, []any{open, late}, observe.Timeout, ""},
		{plain, []any{open, unsure("x", "Transport")}, observe.Pending, observe.Timeout},
		{plain, []any{stale}, observe.Pending, observe.Timeout},

		// The precedence: failed, forbidden, unsure, missing, timeout.
		{observe.Policy{Missing: fail}, []any{late, missing, unsure("x", "BadScope"), barred, failed}, observe.Failure, ""},
		{observe.Policy{Missing: fail}, []any{late, missing, unsure("x", "BadScope"), barred}, observe.Forbidden, ""},
		{observe.Policy{Missing: fail}, []any{late, missing, unsure("x", "BadScope")}, observe.Unsure, ""},
		{observe.Policy{Missing: fail}, []any{late, missing}, observe.Absent, ""},
		{once, []any{failed, missing, barred, unsure("x", "Transport"), open}, observe.Failure, ""},
		{once, []any{missing, barred, unsure("x", "Transport"), open}, observe.Forbidden, ""},
		{once, []any{missing, unsure("x", "Transport"), open}, observe.Unsure, ""},
		{once, []any{missing, unsure("x", "Malformed"), open}, observe.Unsure, ""},
		{once, []any{missing, stale}, observe.Unsure, ""},
		{once, []any{missing, open}, observe.Absent, ""},
		{once, []any{met, open}, observe.Timeout, ""},
		{once, []any{met, failing}, observe.Timeout, ""},
		{once, []any{met, ignored}, observe.Success, ""},

		// Whoever keeps going does so until nothing is left to wait for.
		{keep, []any{failed, open}, observe.Pending, observe.Failure},
		{keep, []any{failed, missing}, observe.Pending, observe.Failure},
		{keep, []any{barred, failing}, observe.Pending, observe.Forbidden},
		{keep, []any{late, open}, observe.Pending, observe.Timeout},
		{keep, []any{late, met}, observe.Timeout, ""},
		{keep, []any{late, failed, met}, observe.Failure, ""},
		{keep, []any{barred, met}, observe.Forbidden, ""},
		{observe.Policy{KeepGoing: true, Missing: fail}, []any{missing, open}, observe.Pending, observe.Absent},
		{observe.Policy{KeepGoing: true, Missing: fail}, []any{missing, late, met}, observe.Absent, ""},
		{observe.Policy{KeepGoing: true, Once: true}, []any{failed, open}, observe.Failure, ""},

		// What is missing and need not be there does not run out of time.
		{observe.Policy{Missing: ignore}, []any{met, missing}, observe.Success, ""},
		{observe.Policy{Missing: ignore}, []any{met, lateAndAbsent}, observe.Success, ""},
		{observe.Policy{Missing: ignore, Once: true}, []any{met, missing}, observe.Success, ""},
		{observe.Policy{Missing: ignore}, []any{open, missing}, observe.Pending, observe.Timeout},
		{observe.Policy{Missing: fail}, []any{met, lateAndAbsent}, observe.Absent, ""},
		{plain, []any{met, lateAndAbsent}, observe.Timeout, ""},
	}
	for _, row := range rows {
		// In whatever order they come, the outcome is the same.
		for range 5 {
			b := new(observe.Board)
			for _, i := range rand.Perm(len(row.board)) {
				if u, ok := row.board[i].(observe.Update); ok {
					b.Add(u)
					continue
				}
				b.Add(stands(fmt.Sprint("t", i), row.board[i].(observe.Standing)))
			}
			now, end := b.Outcome(row.policy), observe.Outcome("")
			if now == observe.Pending {
				end = b.End(row.policy, context.DeadlineExceeded)
			}
			if now != row.now || end != row.end {
				t.Errorf("%+v of %v: have %q and at the end %q, want %q and %q", row.policy, row.board, now, end, row.now, row.end)
			}
		}
	}
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
	w := observe.Watcher{Source: sights(ailing("CrashLoop")), For: func(observe.Target) *observe.Terms { return own }}
	w.Evaluator.Rules = status.Rules{target("a").Kind: {Rule: sick}}
	end, err := w.Wait(t.Context(), observe.Policy{Once: true}, target("a"))
	if err != nil || end.Outcome != observe.Failure {
		t.Errorf("have %s, %v, want %s", end.Outcome, err, observe.Failure)
	}
}

func TestWaitsForNothing(t *testing.T) {
	rows := []struct {
		goal   observe.Goal
		policy observe.Policy
		want   observe.Outcome
	}{
		{observe.Current(), observe.Policy{}, observe.Absent},
		{observe.Current(), observe.Policy{Missing: observe.IgnoreMissing}, observe.Success},
		{observe.Deleted(), observe.Policy{}, observe.Success},
	}
	for _, row := range rows {
		w := observe.Watcher{Source: silent{}, Terms: observe.Terms{Goals: []observe.Goal{row.goal}}}
		if end, err := w.Wait(t.Context(), row.policy); err != nil || end.Outcome != row.want {
			t.Errorf("%s %+v: have %s, %v, want %s", row.goal.Name, row.policy, end.Outcome, err, row.want)
		}
	}
}

// A target that runs out of its own time ends the wait, unless the wait keeps going.
func TestTargetsThatRunOutOfTime(t *testing.T) {
	for _, row := range []struct {
		policy observe.Policy
		after  time.Duration
	}{{observe.Policy{}, 10 * time.Second}, {observe.Policy{KeepGoing: true}, 20 * time.Second}} {
		synctest.Test(t, func(t *testing.T) {
			w := observe.Watcher{
				Source: at(moment{0, widget("a", "False", "", nil)}, moment{0, widget("b", "False", "", nil)}, moment{20 * time.Second, widget("b", "True", "", nil)}),
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
				t.Errorf("%+v: have %s, %v after %s, want %s after %s", row.policy, end.Outcome, err, took, observe.Timeout, row.after)
			}
		})
	}
}

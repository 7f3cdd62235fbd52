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
	"kstatus.dev/observe/goal"
	"kstatus.dev/status"
)

// updateWith returns the update of a target with a progress.
func updateWith(name string, progress observe.Progress) observe.Update {
	u := observe.Update{Target: target(name), Progress: progress, Synced: true}
	words := map[observe.Progress]status.Result{
		observe.ProgressPending:    {Status: status.InProgressStatus, Reason: "NotAvailable"},
		observe.ProgressReached:    {Status: status.CurrentStatus, Reason: "Reconciled"},
		observe.ProgressFailing:    {Status: status.InProgressStatus, Reason: "CrashLoop", Failure: status.FailureRecoverable},
		observe.ProgressFailed:     {Status: status.FailedStatus, Reason: "JobFailed", Failure: status.FailureTerminal},
		observe.ProgressMissing:    {Status: status.NotFoundStatus, Reason: "NeverSeen"},
		observe.ProgressUnreadable: {Status: status.UnknownStatus, Reason: "Forbidden"},
		observe.ProgressTimedOut:   {Status: status.InProgressStatus, Reason: "NotAvailable"},
		observe.ProgressIgnored:    {Status: status.FailedStatus, Reason: "JobFailed", Failure: status.FailureTerminal},
	}
	u.Result = words[progress]
	return u
}

// unknownUpdate returns a target whose status is unknown for a reason.
func unknownUpdate(name, reason string) observe.Update {
	u := updateWith(name, observe.ProgressPending)
	u.Result = status.Result{Status: status.UnknownStatus, Reason: reason}
	if reason == "BadScope" {
		u.Progress = observe.ProgressUnreadable
	}
	return u
}

func TestOutcomes(t *testing.T) {
	open, met, failing, failed := updateWith("x", observe.ProgressPending), updateWith("x", observe.ProgressReached), updateWith("x", observe.ProgressFailing), updateWith("x", observe.ProgressFailed)
	missing, barred, late, ignored := updateWith("x", observe.ProgressMissing), updateWith("x", observe.ProgressUnreadable), updateWith("x", observe.ProgressTimedOut), updateWith("x", observe.ProgressIgnored)
	lateAndAbsent := missing
	lateAndAbsent.Progress = observe.ProgressTimedOut
	stale, staleFailing, staleMet := open, failing, met
	stale.StaleSince, staleFailing.StaleSince, staleMet.StaleSince = time.Now(), time.Now(), time.Now()
	plain, keep, once := observe.Policy{}, observe.Policy{KeepGoing: true}, observe.Policy{Once: true}
	fail, ignore := observe.MissingFail, observe.MissingIgnore
	rows := []struct {
		policy observe.Policy
		board  []observe.Update // of different targets
		now    observe.Outcome
		end    observe.Outcome // after the timeout
	}{
		{plain, []observe.Update{met, met}, observe.OutcomeSuccess, ""},
		{plain, []observe.Update{met, ignored}, observe.OutcomeSuccess, ""},
		{plain, []observe.Update{ignored}, observe.OutcomeSuccess, ""},
		{plain, []observe.Update{met, open}, observe.OutcomePending, observe.OutcomeTimeout},
		{plain, []observe.Update{met, open, failing}, observe.OutcomePending, observe.OutcomeFailure},
		{plain, []observe.Update{met, missing}, observe.OutcomePending, observe.OutcomeTimeout},
		{plain, []observe.Update{open, failed}, observe.OutcomeFailure, ""},
		{plain, []observe.Update{open, barred}, observe.OutcomeForbidden, ""},
		{plain, []observe.Update{open, unknownUpdate("x", "BadScope")}, observe.OutcomeUnknown, ""},
		{plain, []observe.Update{open, late}, observe.OutcomeTimeout, ""},
		{plain, []observe.Update{open, unknownUpdate("x", "Transport")}, observe.OutcomePending, observe.OutcomeUnknown},
		{plain, []observe.Update{met, stale}, observe.OutcomePending, observe.OutcomeUnknown},
		{plain, []observe.Update{met, staleFailing}, observe.OutcomePending, observe.OutcomeUnknown},
		{plain, []observe.Update{failing, staleFailing}, observe.OutcomePending, observe.OutcomeFailure},
		{plain, []observe.Update{open, staleMet}, observe.OutcomePending, observe.OutcomeTimeout},
		{plain, []observe.Update{late, stale}, observe.OutcomeUnknown, ""},

		// The precedence: failed, forbidden, unknown, missing, timeout.
		{observe.Policy{Missing: fail}, []observe.Update{late, missing, unknownUpdate("x", "BadScope"), barred, failed}, observe.OutcomeFailure, ""},
		{observe.Policy{Missing: fail}, []observe.Update{late, missing, unknownUpdate("x", "BadScope"), barred}, observe.OutcomeForbidden, ""},
		{observe.Policy{Missing: fail}, []observe.Update{late, missing, unknownUpdate("x", "BadScope")}, observe.OutcomeUnknown, ""},
		{observe.Policy{Missing: fail}, []observe.Update{late, missing}, observe.OutcomeMissing, ""},
		{once, []observe.Update{failed, missing, barred, unknownUpdate("x", "Transport"), open}, observe.OutcomeFailure, ""},
		{once, []observe.Update{missing, barred, unknownUpdate("x", "Transport"), open}, observe.OutcomeForbidden, ""},
		{once, []observe.Update{missing, unknownUpdate("x", "Transport"), open}, observe.OutcomeUnknown, ""},
		{once, []observe.Update{missing, unknownUpdate("x", "Malformed"), open}, observe.OutcomeUnknown, ""},
		{once, []observe.Update{missing, stale}, observe.OutcomeUnknown, ""},
		{once, []observe.Update{missing, open}, observe.OutcomeMissing, ""},
		{once, []observe.Update{met, open}, observe.OutcomeTimeout, ""},
		{once, []observe.Update{met, failing}, observe.OutcomeFailure, ""},
		{once, []observe.Update{met, ignored}, observe.OutcomeSuccess, ""},

		// With KeepGoing, a wait ends only when no target is pending.
		{keep, []observe.Update{failed, open}, observe.OutcomePending, observe.OutcomeFailure},
		{keep, []observe.Update{failed, missing}, observe.OutcomePending, observe.OutcomeFailure},
		{keep, []observe.Update{barred, failing}, observe.OutcomePending, observe.OutcomeFailure},
		{keep, []observe.Update{barred, open}, observe.OutcomePending, observe.OutcomeForbidden},
		{keep, []observe.Update{late, open}, observe.OutcomePending, observe.OutcomeTimeout},
		{keep, []observe.Update{late, met}, observe.OutcomeTimeout, ""},
		{keep, []observe.Update{late, failed, met}, observe.OutcomeFailure, ""},
		{keep, []observe.Update{barred, met}, observe.OutcomeForbidden, ""},
		{observe.Policy{KeepGoing: true, Missing: fail}, []observe.Update{missing, open}, observe.OutcomePending, observe.OutcomeMissing},
		{observe.Policy{KeepGoing: true, Missing: fail}, []observe.Update{missing, late, met}, observe.OutcomeMissing, ""},
		{observe.Policy{KeepGoing: true, Once: true}, []observe.Update{failed, open}, observe.OutcomeFailure, ""},

		// A missing target that is optional does not time out.
		{observe.Policy{Missing: ignore}, []observe.Update{met, missing}, observe.OutcomeSuccess, ""},
		{observe.Policy{Missing: ignore}, []observe.Update{met, lateAndAbsent}, observe.OutcomeSuccess, ""},
		{observe.Policy{Missing: ignore, Once: true}, []observe.Update{met, missing}, observe.OutcomeSuccess, ""},
		{observe.Policy{Missing: ignore}, []observe.Update{open, missing}, observe.OutcomePending, observe.OutcomeTimeout},
		{observe.Policy{Missing: fail}, []observe.Update{met, lateAndAbsent}, observe.OutcomeMissing, ""},
		{plain, []observe.Update{met, lateAndAbsent}, observe.OutcomeTimeout, ""},
	}
	for _, row := range rows {
		t.Run(nameOf(row.policy, row.board), func(t *testing.T) {
			// The outcome does not depend on the order of the updates.
			for range 5 {
				b := new(observe.Board)
				for _, i := range rand.Perm(len(row.board)) {
					u := row.board[i]
					u.Target = target(fmt.Sprint("t", i))
					b.Add(u)
				}
				now, end := b.Outcome(row.policy), observe.Outcome("")
				if now == observe.OutcomePending {
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
	if p.Missing != observe.MissingWait {
		policy = append(policy, "missing "+string(p.Missing))
	}
	for _, u := range board {
		text := string(u.Progress) + " " + u.Result.Reason
		if !u.StaleSince.IsZero() {
			text += " stale"
		}
		updates = append(updates, text)
	}
	return strings.TrimPrefix(strings.Join(policy, ", ")+": "+strings.Join(updates, ", "), ": ")
}

func TestNoOutcomeBeforeSync(t *testing.T) {
	b := new(observe.Board)
	u := updateWith("a", observe.ProgressFailed)
	u.Synced = false
	b.Add(u)
	if b.Outcome(observe.Policy{}) != observe.OutcomePending || b.Outcome(observe.Policy{Once: true}) != observe.OutcomePending || b.Synced() {
		t.Error("there is an outcome before all have been heard of")
	}
	if end := b.End(observe.Policy{}, errors.New("Ctrl-C")); end != observe.OutcomeInterrupted {
		t.Errorf("it ends with %s", end)
	}
}

// A board does not depend on the order in which different targets are added.
func TestBoardIsIndependentOfOrder(t *testing.T) {
	all := []observe.Progress{observe.ProgressPending, observe.ProgressReached, observe.ProgressFailing, observe.ProgressFailed, observe.ProgressMissing, observe.ProgressUnreadable, observe.ProgressTimedOut, observe.ProgressIgnored}
	var updates []observe.Update
	for i := range 40 {
		updates = append(updates, updateWith(fmt.Sprint("t", i), all[i%len(all)]))
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
		have += fmt.Sprint(b.StatusCounts(), b.ProgressCounts(), b.Len(), len(b.Unmet()))
		if want == "" {
			want = have
		}
		if have != want {
			t.Fatalf("have %s, want %s", have, want)
		}
		if !maps.Equal(b.ProgressCounts(), map[observe.Progress]int{"open": 5, "met": 5, "failing": 5, "failed": 5, "missing": 5, "barred": 5, "late": 5, "ignored": 5}) {
			t.Fatal(b.ProgressCounts())
		}
	}
}

// A board with changed rows has the same outcome as a board that got only the last update
// of each target.
func TestBoardReplacesEarlierUpdates(t *testing.T) {
	standings := []observe.Progress{observe.ProgressPending, observe.ProgressReached, observe.ProgressFailing, observe.ProgressFailed, observe.ProgressMissing, observe.ProgressUnreadable, observe.ProgressTimedOut, observe.ProgressIgnored}
	policies := []observe.Policy{{}, {Once: true}, {KeepGoing: true}, {Missing: observe.MissingFail}, {Missing: observe.MissingIgnore}, {Missing: observe.MissingIgnore, KeepGoing: true}}
	b := new(observe.Board)
	for range 3000 {
		u := updateWith(fmt.Sprint("t", rand.IntN(4)), standings[rand.IntN(len(standings))])
		switch rand.IntN(6) {
		case 0:
			u.Result.Reason = []string{"NoMatch", "NeverSeen", "Transport", "Malformed"}[rand.IntN(4)]
		case 1:
			u.StaleSince = time.Now()
		case 2:
			u.Removed = true
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
		if !maps.Equal(b.ProgressCounts(), fresh.ProgressCounts()) || !maps.Equal(b.StatusCounts(), fresh.StatusCounts()) {
			t.Fatalf("have %v, want %v", b.ProgressCounts(), fresh.ProgressCounts())
		}
	}
}

// With Once, a failure has no grace, whatever the requirements are.
func TestOnceHasNoGrace(t *testing.T) {
	own := &observe.Requirements{Timeout: time.Hour}
	w := observe.Watcher{Source: sendAll(failingFor("CrashLoop")), RequirementsFor: func(observe.Target) *observe.Requirements { return own }}
	w.Evaluator.Rules = status.Rules{target("a").Kind: {Rule: failByPhase}}
	outcome, _, err := w.Wait(t.Context(), observe.Policy{Once: true}, target("a"))
	if err != nil || outcome != observe.OutcomeFailure {
		t.Errorf("have %s, %v, want %s", outcome, err, observe.OutcomeFailure)
	}
}

func TestWaitWithoutTargets(t *testing.T) {
	rows := []struct {
		it     string
		goal   observe.Goal
		policy observe.Policy
		want   observe.Outcome
	}{
		{"reports missing objects", goal.Current(), observe.Policy{}, observe.OutcomeMissing},
		{"succeeds if missing objects are ignored", goal.Current(), observe.Policy{Missing: observe.MissingIgnore}, observe.OutcomeSuccess},
		{"succeeds if objects are to be deleted", goal.Deleted(), observe.Policy{}, observe.OutcomeSuccess},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			w := observe.Watcher{Source: silentSource{}, Requirements: observe.Requirements{Goals: []observe.Goal{row.goal}}}
			if outcome, _, err := w.Wait(t.Context(), row.policy); err != nil || outcome != row.want {
				t.Errorf("have %s, %v, want %s", outcome, err, row.want)
			}
		})
	}
}

// A target with its own timeout ends the wait when that has passed, unless KeepGoing is
// set.
func TestTargetsThatTimeOut(t *testing.T) {
	rows := []struct {
		it     string
		policy observe.Policy
		after  time.Duration
	}{
		{"ends the wait", observe.Policy{}, 10 * time.Second},
		{"does not end a wait with KeepGoing", observe.Policy{KeepGoing: true}, 20 * time.Second},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := observe.Watcher{
					Source: sendAt(timedEvent{0, widget("a", "False", "", nil)}, timedEvent{0, widget("b", "False", "", nil)}, timedEvent{20 * time.Second, widget("b", "True", "", nil)}),
					RequirementsFor: func(of observe.Target) *observe.Requirements {
						if of == target("a") {
							return &observe.Requirements{Timeout: 10 * time.Second}
						}
						return nil
					},
				}
				start := time.Now()
				outcome, _, err := w.Wait(minute(t), row.policy, target("a"), target("b"))
				if took := time.Since(start); err != nil || outcome != observe.OutcomeTimeout || took != row.after {
					t.Errorf("have %s, %v after %s, want %s after %s", outcome, err, took, observe.OutcomeTimeout, row.after)
				}
			})
		})
	}
}

// A target that is failing at its own timeout, or at that of the wait, has failed.
// FailsAt is never later than that.
func TestFailingAtATimeoutIsFailed(t *testing.T) {
	rows := []struct {
		it    string
		own   time.Duration
		event observe.Event
		want  []string
		ends  observe.Outcome
	}{
		{"fails at its own timeout", 10 * time.Second, failingFor("Unschedulable"),
			[]string{"0s InProgress failing 10s", "10s Failed failed"}, observe.OutcomeFailure},
		{"fails at its own timeout although its goal tolerates failures", 10 * time.Second, failingFor("Young"),
			[]string{"0s InProgress failing", "10s Failed failed"}, observe.OutcomeFailure},
		{"times out if it does not fail", 10 * time.Second, widget("a", "False", "", nil),
			[]string{"0s InProgress open", "10s InProgress late"}, observe.OutcomeTimeout},
		{"fails at the timeout of the wait", 0, failingFor("Unschedulable"),
			[]string{"0s InProgress failing 1m0s"}, observe.OutcomeFailure},
		{"has FailsAt at the end of its grace, if that is earlier", 0, failingFor("CrashLoop"),
			[]string{"0s InProgress failing 30s", "30s Failed failed"}, observe.OutcomeFailure},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := observe.Watcher{Source: sendAll(row.event), Requirements: observe.Requirements{Timeout: row.own}}
				w.Evaluator.Rules = status.Rules{target("a").Kind: {Rule: failByPhase}}
				if row.it == "times out if it does not fail" {
					w.Evaluator.Rules = nil
				}
				start, b := time.Now(), new(observe.Board)
				var got []string
				ends := observe.OutcomePending
				ctx := minute(t)
				for u := range w.Updates(ctx, target("a")) {
					line := fmt.Sprint(time.Since(start), " ", u.Result.Status, " ", u.Progress)
					if !u.FailsAt.IsZero() {
						line += fmt.Sprint(" ", u.FailsAt.Sub(start))
					}
					got = append(got, line)
					b.Add(u)
					if ends = b.Outcome(observe.Policy{}); ends != observe.OutcomePending {
						break
					}
				}
				if ends == observe.OutcomePending {
					ends = b.End(observe.Policy{}, context.Cause(ctx))
				}
				expect(t, got, row.want...)
				if ends != row.ends {
					t.Errorf("have %s, want %s", ends, row.ends)
				}
			})
		})
	}
}

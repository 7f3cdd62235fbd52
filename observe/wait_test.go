package observe_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"kstatus.dev/internal/bubble"
	"kstatus.dev/observe"
	"kstatus.dev/observe/goal"
	"kstatus.dev/status"
)

func TestWaitOutcomes(t *testing.T) {
	rows := []struct {
		it     string
		source scriptedSource
		watch  observe.Watcher
		policy observe.Policy
		want   observe.Outcome
		after  time.Duration
	}{
		{it: "succeeds when all are met", source: sendPaced(widget("a", "True", "", nil), widget("b", "False", "", nil), widget("b", "True", "", nil)),
			want: observe.OutcomeSuccess, after: 2 * time.Second},
		{it: "fails at once if the controller reports a final failure", source: sendPaced(widget("a", "False", "", nil), stalled("b")),
			want: observe.OutcomeFailure, after: time.Second},
		{it: "continues after a failure with KeepGoing", source: sendPaced(stalled("a"), widget("b", "False", "", nil), widget("b", "True", "", nil)),
			policy: observe.Policy{KeepGoing: true}, want: observe.OutcomeFailure, after: 2 * time.Second},
		{it: "times out", source: sendAll(widget("a", "True", "", nil), widget("b", "False", "", nil)),
			want: observe.OutcomeTimeout, after: time.Hour},
		{it: "reports a failure before a timeout", source: sendAll(stalled("a"), widget("b", "False", "", nil)),
			policy: observe.Policy{KeepGoing: true}, want: observe.OutcomeFailure, after: time.Hour},
		{it: "reports a missing permission before a timeout", source: sendAll(widget("a", "False", "", nil), unreadable("b", "Forbidden")),
			policy: observe.Policy{KeepGoing: true}, want: observe.OutcomeForbidden, after: time.Hour},
		{it: "reports a missing object before a timeout", source: sendAll(widget("a", "False", "", nil), missing("b")),
			policy: observe.Policy{KeepGoing: true, Missing: observe.MissingFail}, want: observe.OutcomeMissing, after: time.Hour},
		{it: "is unknown for a malformed object", source: sendAll(observe.Event{Target: target("a"), Object: status.Map{}}, widget("b", "True", "", nil)),
			want: observe.OutcomeTimeout, after: time.Hour},
		{it: "waits for missing objects", source: sendPaced(widget("a", "True", "", nil), missing("b"), widget("b", "True", "", nil)),
			want: observe.OutcomeSuccess, after: 2 * time.Second},
		{it: "fails for missing objects with MissingFail", source: sendPaced(widget("a", "False", "", nil), missing("b")),
			policy: observe.Policy{Missing: observe.MissingFail}, want: observe.OutcomeMissing, after: time.Second},
		{it: "ignores missing objects with MissingIgnore", source: sendPaced(widget("a", "True", "", nil), missing("b")),
			policy: observe.Policy{Missing: observe.MissingIgnore}, want: observe.OutcomeSuccess, after: time.Second},
		{it: "treats an unserved kind as missing", source: sendAll(widget("a", "True", "", nil), unreadable("b", "NoMatch")),
			policy: observe.Policy{Missing: observe.MissingFail}, want: observe.OutcomeMissing},
		{it: "ends if objects are forbidden", source: sendAll(widget("a", "False", "", nil), unreadable("b", "Forbidden")),
			want: observe.OutcomeForbidden},
		{it: "reports a failure before a missing permission", source: sendAll(stalled("a"), unreadable("b", "Forbidden")),
			want: observe.OutcomeFailure},
		{it: "reports a missing permission before a missing object", source: sendAll(missing("a"), unreadable("b", "Forbidden")),
			policy: observe.Policy{Missing: observe.MissingFail}, want: observe.OutcomeForbidden},
		{it: "is unknown for an invalid request", source: sendAll(widget("a", "True", "", nil), unreadable("b", "BadScope")),
			want: observe.OutcomeUnknown},
		{it: "waits for an unreachable server", source: sendPaced(widget("a", "True", "", nil), unreadable("b", "Transport"), widget("b", "True", "", nil)),
			want: observe.OutcomeSuccess, after: 2 * time.Second},
		{it: "is unknown for an unreachable server with Once", source: sendAll(widget("a", "True", "", nil), unreadable("b", "Transport")),
			policy: observe.Policy{Once: true}, want: observe.OutcomeUnknown},
		{it: "looks once", source: sendAll(widget("a", "True", "", nil), widget("b", "False", "", nil)),
			policy: observe.Policy{Once: true}, want: observe.OutcomeTimeout},
		{it: "reports a missing object with Once", source: sendAll(widget("a", "False", "", nil), missing("b")),
			policy: observe.Policy{Once: true}, want: observe.OutcomeMissing},
		{it: "ignores a missing object with Once", source: sendAll(widget("a", "True", "", nil), missing("b")),
			policy: observe.Policy{Once: true, Missing: observe.MissingIgnore}, want: observe.OutcomeSuccess},
		{it: "reports a failure with Once", source: sendAll(stalled("a"), widget("b", "False", "", nil)),
			policy: observe.Policy{Once: true, KeepGoing: true}, want: observe.OutcomeFailure},
		{it: "succeeds with Once", source: sendAll(widget("a", "True", "", nil), widget("b", "True", "", nil)),
			policy: observe.Policy{Once: true}, want: observe.OutcomeSuccess},
		{it: "fails for a deleted object that does not return", source: sendPaced(widget("a", "True", "", nil), widget("b", "False", "", nil), missing("b")),
			want: observe.OutcomeFailure, after: 62 * time.Second},
		{it: "accepts an object that returns", source: sendPaced(widget("a", "True", "", nil), widget("b", "False", "", nil), missing("b"), widget("b", "True", "", map[string]any{"uid": "u2"})),
			want: observe.OutcomeSuccess, after: 3 * time.Second},
		{it: "fails for an object whose deletion takes long", source: sendAll(widget("a", "True", "", nil), widget("b", "True", "", map[string]any{"deletionTimestamp": "2000-01-01T00:00:00Z"})),
			want: observe.OutcomeFailure, after: time.Minute},
		{it: "waits until all are deleted, failed or not", watch: observe.Watcher{Requirements: observe.Requirements{Goals: []observe.Goal{goal.Deleted()}}},
			source: sendPaced(stalled("a"), missing("b"), missing("a")), want: observe.OutcomeSuccess, after: 2 * time.Second},
		{it: "does not treat an unreadable object as deleted", watch: observe.Watcher{Requirements: observe.Requirements{Goals: []observe.Goal{goal.Deleted()}}},
			source: sendAll(missing("a"), unreadable("b", "Forbidden")), want: observe.OutcomeForbidden},
		{it: "treats an object of another UID as deleted", watch: observe.Watcher{Requirements: observe.Requirements{Goals: []observe.Goal{goal.Deleted()}}},
			source: sendPaced(missing("a"), widget("b", "True", "", nil), widget("b", "True", "", map[string]any{"uid": "u2"})), want: observe.OutcomeSuccess, after: 2 * time.Second},
		{it: "treats an unserved kind as deleted", watch: observe.Watcher{Requirements: observe.Requirements{Goals: []observe.Goal{goal.Deleted()}}},
			source: sendAll(missing("a"), unreadable("b", "NoMatch")), want: observe.OutcomeSuccess},
		{it: "waits for creation", watch: observe.Watcher{Requirements: observe.Requirements{Goals: []observe.Goal{goal.Created()}}},
			source: sendPaced(stalled("a"), missing("b"), stalled("b")), want: observe.OutcomeSuccess, after: 2 * time.Second},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeoutCause(t.Context(), time.Hour, observe.ErrTimeout)
				defer cancel()
				start := time.Now()
				row.watch.Source = row.source
				outcome, _, err := row.watch.Wait(ctx, row.policy, target("a"), target("b"))
				if took := time.Since(start); err != nil || outcome != row.want || took != row.after {
					t.Errorf("it %s: have %s, %v after %s, want %s after %s", row.it, outcome, err, took, row.want, row.after)
				}
			})
		})
	}
}

func TestCanceledWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		source := scriptedSource(func(_ context.Context, report func(observe.Event) bool) error {
			report(stalled("a"))
			bubble.Sleep(time.Second)
			cancel(errors.New("Ctrl-C"))
			return nil
		})
		outcome, board, err := observe.Watcher{Source: source}.Wait(ctx, observe.Policy{}, target("a"), target("b"))
		if err != nil || outcome != observe.OutcomeInterrupted || board.Len() != 1 {
			t.Errorf("have %s, %v and %d rows, want %s and 1", outcome, err, board.Len(), observe.OutcomeInterrupted)
		}
	})
}

// The end of a context cancels requests. That they fail is no verdict on their targets.
func TestRequestsFailAtATimeout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeoutCause(t.Context(), time.Second, observe.ErrTimeout)
		defer cancel()
		source := scriptedSource(func(ctx context.Context, report func(observe.Event) bool) error {
			<-ctx.Done()
			report(unreadable("a", "Transport"))
			return nil
		})
		var updates []observe.Update
		for u, err := range (observe.Watcher{Source: source}).Updates(ctx, target("a")) {
			if err != nil {
				t.Fatal(err)
			}
			updates = append(updates, u)
		}
		if len(updates) > 0 {
			t.Errorf("have %d updates, the first %s", len(updates), format(updates[0]))
		}
	})
}

func TestGoalsHoldAtTheSameTime(t *testing.T) {
	two := func(a, b string) observe.Event {
		s := widget("a", "True", "", nil)
		s.Object.UnstructuredContent()["status"] = map[string]any{"conditions": []any{
			map[string]any{"type": "A", "status": a}, map[string]any{"type": "B", "status": b, "reason": "Wait"},
		}}
		return s
	}
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeoutCause(t.Context(), time.Hour, observe.ErrTimeout)
		defer cancel()
		w := observe.Watcher{
			Source:       sendPaced(two("True", "False"), two("False", "True"), two("True", "False")),
			Requirements: observe.Requirements{Goals: []observe.Goal{goal.Condition("a", "True"), goal.Condition("B", "true")}},
		}
		outcome, board, err := w.Wait(ctx, observe.Policy{}, target("a"))
		if err != nil || outcome != observe.OutcomeTimeout {
			t.Fatalf("have %s, %v, want %s", outcome, err, observe.OutcomeTimeout)
		}
		if wants := board.Unmet()[0].Unmet; wants != "condition B is False: Wait" {
			t.Errorf("it says %q", wants)
		}
	})
}

func TestBoardListsTheWorstFirst(t *testing.T) {
	result := func(s status.Status, f status.Failure) status.Result { return status.Result{Status: s, Failure: f} }
	paused := status.Result{Status: status.CurrentStatus, Suspended: status.SuspendedByUser}
	want := []observe.Update{
		{Target: target("failed-for-good"), Result: result(status.FailedStatus, status.FailureTerminal), Progress: observe.ProgressFailed},
		{Target: target("forbidden"), Result: result(status.UnknownStatus, ""), Progress: observe.ProgressUnreadable},
		{Target: target("leaving"), Result: result(status.TerminatingStatus, ""), Progress: observe.ProgressFailing},
		{Target: target("failing"), Result: result(status.InProgressStatus, status.FailureRecoverable), Progress: observe.ProgressFailing},
		{Target: target("malformed"), Result: result(status.UnknownStatus, ""), Progress: observe.ProgressPending},
		{Target: target("busy-a"), Result: result(status.InProgressStatus, ""), Progress: observe.ProgressPending},
		{Target: target("busy-b"), Result: result(status.InProgressStatus, ""), Progress: observe.ProgressPending},
		{Target: target("absent"), Result: result(status.NotFoundStatus, ""), Progress: observe.ProgressMissing},
		{Target: target("paused"), Result: paused, Progress: observe.ProgressReached},
		{Target: target("done"), Result: result(status.CurrentStatus, ""), Progress: observe.ProgressReached},
	}
	board := new(observe.Board)
	for _, i := range rand.Perm(len(want)) {
		board.Add(want[i])
	}
	for i, u := range board.Updates() {
		if u.Target != want[i].Target {
			t.Errorf("row %d is %s, want %s", i, u.Target, want[i].Target)
		}
	}
	if n := len(board.Unmet()); n != 8 {
		t.Errorf("%d are not met, want 8", n)
	}
	if n := board.StatusCounts()[status.UnknownStatus]; n != 2 {
		t.Errorf("%d are Unknown, want 2", n)
	}
}

func TestTargetString(t *testing.T) {
	node := observe.Target{Kind: status.Kind{Kind: "Node"}, Name: "n1"}
	if node.String() != "Node/n1" || target("a").String() != "Widget/shop/a" {
		t.Errorf("have %s and %s", node, target("a"))
	}
	if node.Compare(target("a")) >= 0 || target("a").Compare(target("b")) >= 0 || node.Compare(node) != 0 {
		t.Error("targets are not ordered by kind and name")
	}
}

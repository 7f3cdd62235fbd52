package observe_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"kstatus.dev/observe"
	"kstatus.dev/status"
)

func TestHowAWaitEnds(t *testing.T) {
	rows := []struct {
		it     string
		source script
		watch  observe.Watcher
		policy observe.Policy
		want   observe.Outcome
		after  time.Duration
	}{
		{it: "succeeds when all are met", source: paced(widget("a", "True", "", nil), widget("b", "False", "", nil), widget("b", "True", "", nil)),
			want: observe.Success, after: 2 * time.Second},
		{it: "fails at once where the controller has given up", source: paced(widget("a", "False", "", nil), stalled("b")),
			want: observe.Failure, after: time.Second},
		{it: "goes on after a failure if it is to", source: paced(stalled("a"), widget("b", "False", "", nil), widget("b", "True", "", nil)),
			policy: observe.Policy{KeepGoing: true}, want: observe.Failure, after: 2 * time.Second},
		{it: "times out", source: sights(widget("a", "True", "", nil), widget("b", "False", "", nil)),
			want: observe.Timeout, after: time.Hour},
		{it: "tells a failure rather than the timeout", source: sights(stalled("a"), widget("b", "False", "", nil)),
			policy: observe.Policy{KeepGoing: true}, want: observe.Failure, after: time.Hour},
		{it: "tells a lack of permission rather than the timeout", source: sights(widget("a", "False", "", nil), unreadable("b", "Forbidden")),
			policy: observe.Policy{KeepGoing: true}, want: observe.Forbidden, after: time.Hour},
		{it: "tells what is missing rather than the timeout", source: sights(widget("a", "False", "", nil), absent("b")),
			policy: observe.Policy{KeepGoing: true, Missing: observe.FailIfMissing}, want: observe.Absent, after: time.Hour},
		{it: "cannot judge what is no object", source: sights(observe.Sighting{Target: target("a"), Object: status.Map{}}, widget("b", "True", "", nil)),
			want: observe.Timeout, after: time.Hour},
		{it: "waits for what is missing", source: paced(widget("a", "True", "", nil), absent("b"), widget("b", "True", "", nil)),
			want: observe.Success, after: 2 * time.Second},
		{it: "fails for what is missing if it is to", source: paced(widget("a", "False", "", nil), absent("b")),
			policy: observe.Policy{Missing: observe.FailIfMissing}, want: observe.Absent, after: time.Second},
		{it: "ignores what is missing if it is to", source: paced(widget("a", "True", "", nil), absent("b")),
			policy: observe.Policy{Missing: observe.IgnoreMissing}, want: observe.Success, after: time.Second},
		{it: "takes a kind that is not served for missing", source: sights(widget("a", "True", "", nil), unreadable("b", "NoMatch")),
			policy: observe.Policy{Missing: observe.FailIfMissing}, want: observe.Absent},
		{it: "ends where it may not look", source: sights(widget("a", "False", "", nil), unreadable("b", "Forbidden")),
			want: observe.Forbidden},
		{it: "tells a failure rather than a lack of permission", source: sights(stalled("a"), unreadable("b", "Forbidden")),
			want: observe.Failure},
		{it: "tells a lack of permission rather than what is missing", source: sights(absent("a"), unreadable("b", "Forbidden")),
			policy: observe.Policy{Missing: observe.FailIfMissing}, want: observe.Forbidden},
		{it: "cannot tell of a question that makes no sense", source: sights(widget("a", "True", "", nil), unreadable("b", "BadScope")),
			want: observe.Unsure},
		{it: "waits for a server that is out of reach", source: paced(widget("a", "True", "", nil), unreadable("b", "Transport"), widget("b", "True", "", nil)),
			want: observe.Success, after: 2 * time.Second},
		{it: "cannot tell at once of a server that is out of reach", source: sights(widget("a", "True", "", nil), unreadable("b", "Transport")),
			policy: observe.Policy{Once: true}, want: observe.Unsure},
		{it: "looks once", source: sights(widget("a", "True", "", nil), widget("b", "False", "", nil)),
			policy: observe.Policy{Once: true}, want: observe.Timeout},
		{it: "looks once and misses one", source: sights(widget("a", "False", "", nil), absent("b")),
			policy: observe.Policy{Once: true}, want: observe.Absent},
		{it: "looks once and ignores what is missing", source: sights(widget("a", "True", "", nil), absent("b")),
			policy: observe.Policy{Once: true, Missing: observe.IgnoreMissing}, want: observe.Success},
		{it: "looks once and finds a failure", source: sights(stalled("a"), widget("b", "False", "", nil)),
			policy: observe.Policy{Once: true, KeepGoing: true}, want: observe.Failure},
		{it: "looks once and finds all there", source: sights(widget("a", "True", "", nil), widget("b", "True", "", nil)),
			policy: observe.Policy{Once: true}, want: observe.Success},
		{it: "fails for what was deleted and did not come back", source: paced(widget("a", "True", "", nil), widget("b", "False", "", nil), absent("b")),
			want: observe.Failure, after: 62 * time.Second},
		{it: "takes what comes back", source: paced(widget("a", "True", "", nil), widget("b", "False", "", nil), absent("b"), widget("b", "True", "", map[string]any{"uid": "u2"})),
			want: observe.Success, after: 3 * time.Second},
		{it: "fails for what is being deleted for long", source: sights(widget("a", "True", "", nil), widget("b", "True", "", map[string]any{"deletionTimestamp": "2000-01-01T00:00:00Z"})),
			want: observe.Failure, after: time.Minute},
		{it: "waits until all are gone, failed or not", watch: observe.Watcher{Terms: observe.Terms{Goals: []observe.Goal{observe.Deleted()}}},
			source: paced(stalled("a"), absent("b"), absent("a")), want: observe.Success, after: 2 * time.Second},
		{it: "does not take what it may not read for gone", watch: observe.Watcher{Terms: observe.Terms{Goals: []observe.Goal{observe.Deleted()}}},
			source: sights(absent("a"), unreadable("b", "Forbidden")), want: observe.Forbidden},
		{it: "takes an object of another UID for gone", watch: observe.Watcher{Terms: observe.Terms{Goals: []observe.Goal{observe.Deleted()}}},
			source: paced(absent("a"), widget("b", "True", "", nil), widget("b", "True", "", map[string]any{"uid": "u2"})), want: observe.Success, after: 2 * time.Second},
		{it: "takes a kind that is not served for gone", watch: observe.Watcher{Terms: observe.Terms{Goals: []observe.Goal{observe.Deleted()}}},
			source: sights(absent("a"), unreadable("b", "NoMatch")), want: observe.Success},
		{it: "waits for what is to be created", watch: observe.Watcher{Terms: observe.Terms{Goals: []observe.Goal{observe.Created()}}},
			source: paced(stalled("a"), absent("b"), stalled("b")), want: observe.Success, after: 2 * time.Second},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeoutCause(t.Context(), time.Hour, observe.ErrTimeout)
				defer cancel()
				start := time.Now()
				row.watch.Source = row.source
				end, err := row.watch.Wait(ctx, row.policy, target("a"), target("b"))
				if took := time.Since(start); err != nil || end.Outcome != row.want || took != row.after {
					t.Errorf("it %s: have %s, %v after %s, want %s after %s", row.it, end.Outcome, err, took, row.want, row.after)
				}
			})
		})
	}
}

func TestWaitThatIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		source := script(func(_ context.Context, saw func(observe.Sighting) bool) error {
			saw(stalled("a"))
			time.Sleep(time.Second)
			cancel(errors.New("Ctrl-C"))
			return nil
		})
		end, err := observe.Watcher{Source: source}.Wait(ctx, observe.Policy{}, target("a"), target("b"))
		if err != nil || end.Outcome != observe.Interrupted || end.Board.Len() != 1 {
			t.Errorf("have %s, %v and %d rows, want %s and 1", end.Outcome, err, end.Board.Len(), observe.Interrupted)
		}
	})
}

func TestGoalsHoldAtTheSameTime(t *testing.T) {
	two := func(a, b string) observe.Sighting {
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
			Source: paced(two("True", "False"), two("False", "True"), two("True", "False")),
			Terms:  observe.Terms{Goals: []observe.Goal{observe.Condition("a", "True"), observe.Condition("B", "true")}},
		}
		end, err := w.Wait(ctx, observe.Policy{}, target("a"))
		if err != nil || end.Outcome != observe.Timeout {
			t.Fatalf("have %s, %v, want %s", end.Outcome, err, observe.Timeout)
		}
		if wants := end.Board.Unmet()[0].Wants; wants != "condition B is False: Wait" {
			t.Errorf("it says %q", wants)
		}
	})
}

func TestConditionGoal(t *testing.T) {
	rows := []struct {
		it    string
		state map[string]any
		met   bool
		wants string
	}{
		{"is met by the value", map[string]any{"conditions": []any{map[string]any{"type": "Ready", "status": "True"}}}, true, ""},
		{"is not met without a status", nil, false, "it has no condition Ready"},
		{"is not met by odd conditions", map[string]any{"conditions": []any{"Ready", nil, map[string]any{"type": 1}}}, false, "it has no condition Ready"},
		{"is not met by conditions of the wrong shape", map[string]any{"conditions": "Ready"}, false, "it has no condition Ready"},
		{"is not met by a condition without a status", map[string]any{"conditions": []any{map[string]any{"type": "Ready"}}}, false, "condition Ready is "},
		{"is not met by a stale condition", map[string]any{"conditions": []any{map[string]any{"type": "Ready", "status": "True", "observedGeneration": int64(1)}}},
			false, "condition Ready speaks of an earlier generation than 2"},
		{"is not met by a stale status", map[string]any{"observedGeneration": 1.0, "conditions": []any{map[string]any{"type": "Ready", "status": "True"}}},
			false, "condition Ready speaks of an earlier generation than 2"},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			obj := status.Map{"metadata": map[string]any{"generation": int64(2)}, "status": row.state}
			u := observe.Update{Version: observe.Version{Generation: 2}}
			if row.state["observedGeneration"] != nil {
				u.Version.Observed = 1
			}
			met, wants := observe.Condition("Ready", "True").Met(u, obj)
			if met != row.met || wants != row.wants {
				t.Errorf("have %t %q, want %t %q", met, wants, row.met, row.wants)
			}
		})
	}
	if name := observe.Condition("Ready", "False").Name; name != "condition=Ready=False" {
		t.Errorf("its name is %s", name)
	}
}

func TestBoardListsTheWorstFirst(t *testing.T) {
	result := func(s status.Status, f status.Failure) status.Result { return status.Result{Status: s, Failure: f} }
	paused := status.Result{Status: status.CurrentStatus, Suspended: status.Asked}
	want := []observe.Update{
		{Target: target("failed-for-good"), Result: result(status.FailedStatus, status.Terminal), Standing: observe.Failed},
		{Target: target("forbidden"), Result: result(status.UnknownStatus, ""), Standing: observe.Barred},
		{Target: target("leaving"), Result: result(status.TerminatingStatus, ""), Standing: observe.Failing},
		{Target: target("failing"), Result: result(status.InProgressStatus, status.Recoverable), Standing: observe.Failing},
		{Target: target("malformed"), Result: result(status.UnknownStatus, ""), Standing: observe.Open},
		{Target: target("busy-a"), Result: result(status.InProgressStatus, ""), Standing: observe.Open},
		{Target: target("busy-b"), Result: result(status.InProgressStatus, ""), Standing: observe.Open},
		{Target: target("absent"), Result: result(status.NotFoundStatus, ""), Standing: observe.Missing},
		{Target: target("paused"), Result: paused, Standing: observe.Met},
		{Target: target("done"), Result: result(status.CurrentStatus, ""), Standing: observe.Met},
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
	if n := board.Counts()[status.UnknownStatus]; n != 2 {
		t.Errorf("%d are Unknown, want 2", n)
	}
}

func TestTargetsInWords(t *testing.T) {
	node := observe.Target{Kind: status.Kind{Kind: "Node"}, Name: "n1"}
	if node.String() != "Node/n1" || target("a").String() != "Widget/shop/a" {
		t.Errorf("have %s and %s", node, target("a"))
	}
	if node.Compare(target("a")) >= 0 || target("a").Compare(target("b")) >= 0 || node.Compare(node) != 0 {
		t.Error("targets are not ordered by kind and name")
	}
}

package observe_test

import (
	"context"
	"fmt"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"kstatus.dev/internal/bubble"
	"kstatus.dev/observe"
	"kstatus.dev/observe/grace"
	"kstatus.dev/status"
)

// failByPhase is a rule by which an object fails, with its phase as the reason.
func failByPhase(o *status.Fields) status.Result {
	switch reason := o.Text("status.phase", ""); reason {
	case "":
		return status.Current("Reconciled", "well")
	case "Young":
		r := status.InProgress("ImagePullBackOff", "it ails")
		r.Failure = status.FailureRecoverable
		return r
	case "Pulling":
		return o.FailAfterWindow(o.Text("status.since", ""), status.FailedRecoverable("ImagePullBackOff", "it ails"))
	case "Busy":
		return status.InProgress("NotAvailable", "it works")
	case "Unschedulable":
		return status.InProgress(reason, "no node fits")
	case "JobFailed":
		return status.FailedTerminal(reason, "for good")
	default:
		return status.FailedRecoverable(reason, "it ails")
	}
}

func failingFor(phase string) observe.Event {
	return observe.Event{Target: target("a"), Object: status.Map{
		"apiVersion": "example.com/v1", "kind": "Widget", "metadata": map[string]any{"name": "a", "namespace": "shop"},
		"status": map[string]any{"phase": phase},
	}}
}

// failingForTwentySeconds returns an object that has failed for 20 s. Its verdict becomes Failed
// after 60 s.
func failingForTwentySeconds() observe.Event {
	s := failingFor("Pulling")
	began := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC) // the time in a test of synctest
	s.Object.UnstructuredContent()["status"].(map[string]any)["since"] = began.Add(-20 * time.Second).Format(time.RFC3339)
	return s
}

// The grace of a deletion begins after the grace period of the deletion, or at the end of
// the object.
func TestGraceOfADeletion(t *testing.T) {
	named := func(seconds int64) observe.Event {
		s := deletingMember(observe.Target{}, "a", seconds)
		return s
	}
	rows := []struct {
		it     string
		source scriptedSource
		grace  map[string]time.Duration
		want   []string
	}{
		{"begins after the grace period of the deletion", func(_ context.Context, report func(observe.Event) bool) error {
			report(named(120))
			return nil
		}, nil, []string{"0s a Terminating/Deleting open", "2m0s a Terminating/Deleting failing, fails at 3m0s", "3m0s a Terminating/Deleting failed"}},
		{"begins when the object is deleted earlier", func(_ context.Context, report func(observe.Event) bool) error {
			report(named(120))
			bubble.Sleep(90 * time.Second)
			report(missing("a"))
			return nil
		}, nil, []string{"0s a Terminating/Deleting open", "1m30s a NotFound/Deleted failing, fails at 2m30s", "2m30s a NotFound/Deleted failed"}},
		{"continues when the object is deleted later", func(_ context.Context, report func(observe.Event) bool) error {
			report(named(10))
			bubble.Sleep(30 * time.Second)
			report(missing("a"))
			return nil
		}, nil, []string{"0s a Terminating/Deleting open", "10s a Terminating/Deleting failing, fails at 1m10s", "30s a NotFound/Deleted failing, fails at 1m10s", "1m10s a NotFound/Deleted failed"}},
		{"restarts after another failure", func(_ context.Context, report func(observe.Event) bool) error {
			report(stalled("a"))
			bubble.Sleep(50 * time.Second)
			report(named(30))
			return nil
		}, grace.Uniform(time.Minute), []string{"0s a InProgress/Stalled failing, fails at 1m0s", "50s a Terminating/Deleting open", "1m20s a Terminating/Deleting failing, fails at 2m20s", "2m20s a Terminating/Deleting failed"}},
		{"ends with the grace period without other grace", func(_ context.Context, report func(observe.Event) bool) error {
			report(named(30))
			return nil
		}, grace.Uniform(0), []string{"0s a Terminating/Deleting open", "30s a Terminating/Deleting failed"}},
		{"belongs to the object, not to the next one with its name", func(_ context.Context, report func(observe.Event) bool) error {
			report(named(120))
			bubble.Sleep(10 * time.Second)
			next := stalled("a")
			next.Object.UnstructuredContent()["metadata"].(map[string]any)["uid"] = "u2"
			report(next)
			return nil
		}, grace.Uniform(time.Minute), []string{"0s a Terminating/Deleting open", "10s a InProgress/Stalled failing, fails at 1m10s", "1m10s a Failed/Stalled failed"}},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := observe.Watcher{Source: row.source, Requirements: observe.Requirements{Grace: row.grace}}
				expect(t, history(t, w, target("a")), row.want...)
			})
		})
	}
}

func TestGrace(t *testing.T) {
	rows := []struct {
		it     string
		source scriptedSource
		grace  map[string]time.Duration
		want   []string
	}{
		{"is half a minute for a crash", sendAll(failingFor("CrashLoop")), nil,
			[]string{"0s InProgress failing", "30s Failed failed"}},
		{"is a minute for an error", sendAll(failingFor("Dangling")), nil,
			[]string{"0s InProgress failing", "1m0s Failed failed"}},
		{"is five minutes for an unscheduled Pod", sendAll(failingFor("Unschedulable")), nil,
			[]string{"0s InProgress failing", "5m0s Failed failed"}},
		{"is zero for a failure that the controller reports as final", sendAll(failingFor("ProgressDeadlineExceeded")), nil,
			[]string{"0s Failed failed"}},
		{"is zero for a terminal failure", sendAll(failingFor("JobFailed")), grace.Uniform(time.Hour),
			[]string{"0s Failed failed"}},
		{"is the configured time", sendAll(failingFor("CrashLoop")), grace.Uniform(7 * time.Second),
			[]string{"0s InProgress failing", "7s Failed failed"}},
		{"has no end while the verdict is not Failed", sendAll(failingFor("Young")), nil,
			[]string{"0s InProgress failing"}},
		{"ends although the verdict is not Failed", sendPaced(failingForTwentySeconds()), grace.Uniform(7 * time.Second),
			[]string{"0s InProgress failing", "7s Failed failed"}},
		{"is zero although the verdict is not Failed", sendPaced(failingForTwentySeconds()), map[string]time.Duration{"": time.Hour, "ImagePullBackOff": 0},
			[]string{"0s Failed failed"}},
		{"is that of the verdict by default", sendPaced(failingForTwentySeconds()), nil,
			[]string{"0s InProgress failing", "40s Failed failed"}},
		{"is that of the verdict with Once", sendPaced(failingForTwentySeconds()), grace.None(),
			[]string{"0s InProgress failing", "40s Failed failed"}},
		{"applies although the controller reports a final failure", sendAll(failingFor("ProgressDeadlineExceeded")), grace.Uniform(7 * time.Second),
			[]string{"0s InProgress failing", "7s Failed failed"}},
		{"may be unlimited", sendAll(failingFor("CrashLoop")), grace.Uniform(math.MaxInt64),
			[]string{"0s InProgress failing"}},
		{"is zero if none is configured", sendAll(failingFor("CrashLoop")), grace.None(),
			[]string{"0s Failed failed"}},
		{"restarts after a recovery", func(_ context.Context, report func(observe.Event) bool) error {
			report(failingFor("CrashLoop"))
			bubble.Sleep(20 * time.Second)
			report(failingFor(""))
			bubble.Sleep(20 * time.Second)
			report(failingFor("CrashLoop"))
			return nil
		}, nil, []string{"0s InProgress failing", "20s Current met", "40s InProgress failing", "1m10s Failed failed"}},
		{"restarts after the object was InProgress without a failure", func(_ context.Context, report func(observe.Event) bool) error {
			report(failingFor("CrashLoop"))
			bubble.Sleep(20 * time.Second)
			report(failingFor("Busy"))
			bubble.Sleep(time.Second)
			report(failingFor("CrashLoop"))
			return nil
		}, nil, []string{"0s InProgress failing", "20s InProgress open", "21s InProgress failing", "51s Failed failed"}},
		{"of a longer reason starts with the first failure", func(_ context.Context, report func(observe.Event) bool) error {
			report(failingFor("CrashLoop"))
			bubble.Sleep(20 * time.Second)
			report(failingFor("Dangling"))
			return nil
		}, nil, []string{"0s InProgress failing", "20s InProgress failing", "1m0s Failed failed"}},
		{"of a shorter reason starts with the first failure", func(_ context.Context, report func(observe.Event) bool) error {
			report(failingFor("Dangling"))
			bubble.Sleep(40 * time.Second)
			report(failingFor("CrashLoop"))
			return nil
		}, nil, []string{"0s InProgress failing", "40s Failed failed"}},
		{"continues while only the message changes", func(_ context.Context, report func(observe.Event) bool) error {
			report(failingFor("CrashLoop"))
			bubble.Sleep(20 * time.Second)
			s := failingFor("CrashLoop")
			s.Object.UnstructuredContent()["metadata"].(map[string]any)["generation"] = 2
			report(s)
			return nil
		}, nil, []string{"0s InProgress failing", "20s InProgress failing", "30s Failed failed"}},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
				defer cancel()
				w := observe.Watcher{Source: row.source, Requirements: observe.Requirements{Grace: row.grace}}
				w.Evaluator.Rules = status.Rules{target("a").Kind: {Rule: failByPhase}}
				start := time.Now()
				var got []string
				for u := range w.Updates(ctx, target("a")) {
					got = append(got, fmt.Sprint(time.Since(start), " ", u.Result.Status, " ", u.Progress))
				}
				expect(t, got, row.want...)
			})
		})
	}
}

func TestMissingObjects(t *testing.T) {
	completed := func(*status.Fields) status.Result { return status.Current("Completed", "done") }
	synctest.Test(t, func(t *testing.T) {
		w := observe.Watcher{Source: sendPaced(widget("a", "True", "", nil), missing("a"), missing("a"))}
		w.Evaluator.Rules = status.Rules{target("a").Kind: {Rule: completed}}
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		var got []string
		for u := range w.Updates(ctx, target("a")) {
			got = append(got, fmt.Sprint(u.Result.Reason, " ", u.Progress, " ", u.Version.UID))
		}
		expect(t, got, "Completed met u1", "ExpiredTTL met u1")
	})
}

func TestReplacedObjects(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var got []string
		w := observe.Watcher{Source: sendPaced(widget("a", "True", "", nil), widget("a", "True", "", map[string]any{"uid": "u2"}))}
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		for u := range w.Updates(ctx, target("a")) {
			got = append(got, fmt.Sprint(u.Version.UID, " ", u.Version.ReplacedUID, " ", u.Result.Warnings))
		}
		expect(t, got, "u1  []", "u2 u1 [it replaced an object of the same name, with UID u1]")
	})
}

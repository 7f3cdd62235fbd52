package observe_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"kstatus.dev/observe"
	"kstatus.dev/observe/goal"
	"kstatus.dev/status"
)

var jobTarget = observe.Target{Kind: status.Kind{Group: "batch", Kind: "Job"}, Namespace: "shop", Name: "a"}

// job returns a Job in a state, with additional metadata and spec.
func job(state string, meta, spec map[string]any) observe.Event {
	m := map[string]any{"name": "a", "namespace": "shop", "uid": "u1", "generation": int64(1)}
	for k, v := range meta {
		m[k] = v
	}
	conditions := []any{}
	if state != "Running" {
		conditions = append(conditions, map[string]any{"type": state, "status": "True", "message": "text of " + state, "reason": "Test"})
	}
	return observe.Event{Target: jobTarget, Object: status.Map{
		"apiVersion": "batch/v1", "kind": "Job", "metadata": m, "spec": spec,
		"status": map[string]any{"startTime": "2026-11-20T10:00:00Z", "active": 1, "conditions": conditions},
	}}
}

func TestDeletedObjects(t *testing.T) {
	gone := observe.Event{Target: jobTarget}
	deleting := map[string]any{"deletionTimestamp": "2000-01-01T00:00:00Z", "finalizers": []any{"foregroundDeletion"}}
	ttl := map[string]any{"ttlSecondsAfterFinished": int64(0)}
	rows := []struct {
		it      string
		source  scriptedSource
		want    []string
		message string // of the last update
	}{
		{"counts a deleted Job that had completed", sendPaced(job("Complete", nil, nil), gone, gone),
			[]string{"0s a Current/Completed met", "1s a NotFound/ExpiredTTL met"}, "it had completed and was removed"},
		{"counts a deleted Job that had completed and was seen while it was deleted", sendPaced(job("Complete", nil, ttl), job("Complete", deleting, ttl), gone),
			[]string{"0s a Current/Completed met", "1s a Terminating/DependentsBlocking open", "2s a NotFound/ExpiredTTL met"}, "it had completed and was removed"},
		{"counts a Job that completes with its last event", sendPaced(job("Running", nil, ttl), job("Complete", deleting, ttl), gone),
			[]string{"0s a InProgress/Running open", "1s a Terminating/DependentsBlocking open", "2s a NotFound/ExpiredTTL met"}, "it had completed and was removed"},
		{"does not count a Job that completes after a user deleted it", sendPaced(job("Running", nil, nil), job("Complete", deleting, nil), gone),
			[]string{"0s a InProgress/Running open", "1s a Terminating/DependentsBlocking failing, fails at 1m1s", "2s a NotFound/Deleted failing, fails at 1m1s", "1m1s a NotFound/Deleted failed"},
			"it was deleted"},
		{"stays failed", sendPaced(job("Failed", nil, ttl), job("Failed", deleting, ttl), gone, gone),
			[]string{"0s a Failed/JobFailed failed", "1s a Terminating/DependentsBlocking failed", "2s a NotFound/Deleted failed"},
			"it had failed and was removed"},
		{"keeps the reason of the failure", sendPaced(job("Failed", nil, nil), gone),
			[]string{"0s a Failed/JobFailed failed", "1s a NotFound/Deleted failed"}, "it had failed and was removed: Test: text of Failed"},
		{"reports that the result of a Job with a TTL was not seen", sendPaced(job("Running", nil, ttl), gone),
			[]string{"0s a InProgress/Running open", "1s a NotFound/Deleted failing, fails at 1m1s", "1m1s a NotFound/Deleted failed"},
			"it was deleted; its final state is unknown"},
		{"waits for a deleted object to return", sendPaced(job("Running", nil, nil), gone, job("Complete", map[string]any{"uid": "u2"}, nil)),
			[]string{"0s a InProgress/Running open", "1s a NotFound/Deleted failing, fails at 1m1s", "2s a Current/Completed met"}, "0/1 completed"},
		{"does not apply the result of one object to the next", sendPaced(job("Complete", nil, nil), job("Running", map[string]any{"uid": "u2"}, nil), gone),
			[]string{"0s a Current/Completed met", "1s a InProgress/Running open", "2s a NotFound/Deleted failing, fails at 1m2s", "1m2s a NotFound/Deleted failed"}, "it was deleted"},
		{"waits for a removed kind to return", sendPaced(job("Running", nil, nil), unknownKind(jobTarget), job("Complete", nil, nil)),
			[]string{"0s a InProgress/Running open", "1s a NotFound/KindRemoved failing, fails at 1m1s", "2s a Current/Completed met"}, "0/1 completed"},
		{"fails if a removed kind does not return", sendPaced(job("Running", nil, nil), unknownKind(jobTarget), unknownKind(jobTarget), gone),
			[]string{"0s a InProgress/Running open", "1s a NotFound/KindRemoved failing, fails at 1m1s", "1m1s a NotFound/KindRemoved failed"}, "its kind is no longer served, so it no longer exists"},
		{"waits for a kind that is not served yet", sendPaced(unknownKind(jobTarget), gone),
			[]string{"0s a Unknown/NoMatch missing", "1s a NotFound/NeverSeen missing"}, "it does not exist"},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var message string
				w := observe.Watcher{Source: row.source}
				w.Requirements.Goals = []observe.Goal{{Name: "spy", Met: func(u observe.Update, obj status.Object) (bool, string) {
					message = u.Result.Message
					return goal.Current().Met(u, obj)
				}}}
				expect(t, history(t, w, jobTarget), row.want...)
				if message != row.message {
					t.Errorf("it says %q, want %q", message, row.message)
				}
			})
		})
	}
}

func unknownKind(t observe.Target) observe.Event {
	return observe.Event{Target: t, Err: &observe.Unreadable{Reason: "NoMatch", Text: "no such kind"}}
}

// Objects that reappear unchanged with their kind are not replaced objects.
func TestKindServedAgainIsNoReplacement(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var got []string
		w := observe.Watcher{Source: sendPaced(job("Running", nil, nil), unknownKind(jobTarget), job("Running", nil, nil), job("Running", map[string]any{"uid": "u2"}, nil))}
		for u, err := range w.Updates(t.Context(), jobTarget) {
			if err != nil {
				t.Fatal(err)
			}
			if got = append(got, fmt.Sprintf("%s %s %q", u.Result.Reason, u.Version.UID, u.Version.ReplacedUID)); len(got) == 4 {
				break
			}
		}
		expect(t, got, `Running u1 ""`, `KindRemoved u1 ""`, `Running u1 ""`, `Running u2 "u1"`)
	})
}

// While a target cannot be reached, its verdict stays. One update reports that it cannot
// be reached, and one that it can again. Meanwhile goals are not newly met, and failures
// do not get older.
func TestUnreachableTargets(t *testing.T) {
	lost := unreadable("a", "Transport")
	ready := widget("a", "True", "", nil)
	rows := []struct {
		it           string
		requirements observe.Requirements
		source       scriptedSource
		want         []string
	}{
		{"keeps the verdict and the time of the last contact", observe.Requirements{},
			sendPaced(widget("a", "False", "", nil), lost, lost, widget("a", "False", "", nil)),
			[]string{"0s a InProgress/SummaryConditionNotTrue open", "1s a InProgress/SummaryConditionNotTrue open, stale since 1s",
				"3s a InProgress/SummaryConditionNotTrue open"}},
		{"does not meet its goals meanwhile", observe.Requirements{}, sendPaced(ready, lost, ready),
			[]string{"0s a Current/Reconciled met", "1s a Current/Reconciled open, stale since 1s", "2s a Current/Reconciled met"}},
		{"stays met with Latch", observe.Requirements{Latch: true}, sendPaced(ready, lost, ready),
			[]string{"0s a Current/Reconciled met", "1s a Current/Reconciled met, stale since 1s", "2s a Current/Reconciled met"}},
		{"fails after two minutes", observe.Requirements{}, sendPaced(ready, lost),
			[]string{"0s a Current/Reconciled met", "1s a Current/Reconciled open, stale since 1s", "2m1s a Unknown/Transport open, stale since 1s"}},
		{"is unknown if nothing was seen", observe.Requirements{}, sendPaced(lost, lost, ready),
			[]string{"0s a Unknown/Transport open", "2s a Current/Reconciled met"}},
		{"restarts the settle time", observe.Requirements{Settle: 10 * time.Second}, sendAt(timedEvent{0, ready}, timedEvent{8 * time.Second, lost}, timedEvent{9 * time.Second, ready}),
			[]string{"0s a Current/Reconciled open", "8s a Current/Reconciled open, stale since 8s", "9s a Current/Reconciled open", "19s a Current/Reconciled met"}},
		{"exceeds its own timeout", observe.Requirements{Timeout: 5 * time.Second}, sendPaced(ready, lost),
			[]string{"0s a Current/Reconciled met", "1s a Current/Reconciled open, stale since 1s", "5s a Current/Reconciled late, stale since 1s",
				"2m1s a Unknown/Transport late, stale since 1s"}},
		{"keeps a missing permission", observe.Requirements{}, sendPaced(unreadable("a", "Forbidden"), lost),
			[]string{"0s a Unknown/Forbidden barred", "1s a Unknown/Forbidden barred, stale since 1s", "2m1s a Unknown/Transport open, stale since 1s"}},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				expect(t, history(t, observe.Watcher{Source: row.source, Requirements: row.requirements}, target("a")), row.want...)
			})
		})
	}
}

func TestGraceStopsWhileUnreachable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := observe.Watcher{Source: sendAt(
			timedEvent{0, failingFor("CrashLoop")},
			timedEvent{20 * time.Second, unreadable("a", "Transport")},
			timedEvent{80 * time.Second, failingFor("CrashLoop")})}
		w.Evaluator.Rules = status.Rules{target("a").Kind: {Rule: failByPhase}}
		expect(t, history(t, w, target("a")),
			"0s a InProgress/CrashLoop failing, fails at 30s",
			"20s a InProgress/CrashLoop failing, stale since 20s",
			"1m20s a InProgress/CrashLoop failing, fails at 1m30s",
			"1m30s a Failed/CrashLoop failed")
	})
}

// An object that is being deleted is Terminating since its deletionTimestamp, unless that is in
// the future.
func TestTerminatingSince(t *testing.T) {
	for _, row := range []struct{ at, want time.Duration }{{-time.Minute, -time.Minute}, {time.Minute, 0}} {
		synctest.Test(t, func(t *testing.T) {
			start := time.Now()
			deleted := map[string]any{"deletionTimestamp": start.Add(row.at).UTC().Format(time.RFC3339), "finalizers": []any{"example.com/hold"}}
			w := observe.Watcher{Source: sendAll(widget("a", "True", "", deleted))}
			for u, err := range w.Updates(minute(t), target("a")) {
				if have := u.Since.Sub(start); err != nil || u.Result.Status != status.TerminatingStatus || have != row.want {
					t.Errorf("have %s since %s, %v; want Terminating since %s", u.Result.Status, have, err, row.want)
				}
			}
		})
	}
}

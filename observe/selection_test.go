package observe_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"kstatus.dev/internal/bubble"
	"kstatus.dev/observe"
	"kstatus.dev/observe/goal"
)

var (
	shops = observe.Target{Kind: target("").Kind, Namespace: "shop", LabelSelector: "app=web"}
	other = observe.Target{Kind: target("").Kind, Namespace: "shop", FieldSelector: "metadata.name!=x"}
)

var jobs = observe.Target{Kind: jobTarget.Kind, Namespace: "shop"}

func someJob(state string) observe.Event {
	s := job(state, nil, nil)
	s.Of = jobs
	return s
}

// has returns the event of a widget in a selection, and notMember the event that it has
// left. deletingJob returns the completed Job while it is being deleted.
func deletingJob() observe.Event {
	s := someJob("Complete")
	s.Object.UnstructuredContent()["metadata"].(map[string]any)["deletionTimestamp"] = "2000-01-01T00:00:00Z"
	return s
}

func member(of observe.Target, name, ready string) observe.Event {
	s := widget(name, ready, "", nil)
	s.Of = of
	return s
}

// deletingMember returns an object of a selection with so many seconds left of its grace period.
func deletingMember(of observe.Target, name string, seconds int64) observe.Event {
	s := widget(name, "True", "", map[string]any{
		"deletionTimestamp":          time.Now().Add(time.Duration(seconds) * time.Second).UTC().Format(time.RFC3339),
		"deletionGracePeriodSeconds": seconds,
	})
	s.Of = of
	return s
}

func notMember(of observe.Target, name string) observe.Event {
	return observe.Event{Target: target(name), Of: of}
}

// listed returns the event that all objects of a selection were reported, and selectionUnreadable the
// event that none can be read.
func listed(of observe.Target) observe.Event { return observe.Event{Target: of} }

func selectionUnreadable(of observe.Target, reason string) observe.Event {
	return observe.Event{Target: of, Err: &observe.Unreadable{Reason: reason, Text: "text of " + reason}}
}

func TestSelections(t *testing.T) {
	newer := member(shops, "a", "True")
	newer.Object.UnstructuredContent()["metadata"].(map[string]any)["resourceVersion"] = "20"
	older := member(other, "a", "False")
	older.Object.UnstructuredContent()["metadata"].(map[string]any)["resourceVersion"] = "9"
	rows := []struct {
		it      string
		watch   observe.Watcher
		targets []observe.Target
		source  scriptedSource
		want    []string // the selection has no name
	}{
		{it: "reports its members before itself", source: sendAll(member(shops, "a", "True"), member(shops, "b", "False"), listed(shops)),
			want: []string{"0s a Current/Reconciled met", "0s b InProgress/SummaryConditionNotTrue open", "0s  Current/NoStatusExpected met"}},
		{it: "misses objects", source: sendPaced(listed(shops), member(shops, "a", "True")),
			want: []string{"0s  NotFound/NeverSeen missing", "1s a Current/Reconciled met", "1s  Current/NoStatusExpected met"}},
		{it: "needs as many members as MinObjects", watch: observe.Watcher{MinObjects: 2}, source: sendPaced(member(shops, "a", "True"), listed(shops), member(shops, "b", "True"), notMember(shops, "a")),
			want: []string{"0s a Current/Reconciled met", "1s  NotFound/NeverSeen missing", "2s b Current/Reconciled met", "2s  Current/NoStatusExpected met",
				"3s  NotFound/NeverSeen missing", "3s a NotFound/Deleted ignored, left"}},
		{it: "counts selections together", watch: observe.Watcher{Together: [][]observe.Target{{shops, other}}},
			source: sendPaced(listed(shops), member(other, "a", "True"), listed(other), notMember(other, "a"), member(shops, "b", "True")), targets: []observe.Target{shops, other},
			want: []string{"0s  NotFound/NeverSeen missing", "1s a Current/Reconciled met", "1s  Current/NoStatusExpected met", "2s  Current/NoStatusExpected met",
				"3s  NotFound/NeverSeen missing", "3s a NotFound/Deleted ignored, left", "4s b Current/Reconciled met", "4s  Current/NoStatusExpected met"}},
		{it: "counts as many members as MinObjects together", watch: observe.Watcher{MinObjects: 2, Together: [][]observe.Target{{shops, other}}},
			source: sendPaced(member(shops, "a", "True"), listed(shops), listed(other), member(other, "b", "True")), targets: []observe.Target{shops, other},
			want: []string{"0s a Current/Reconciled met", "1s  NotFound/NeverSeen missing", "2s  Current/NoStatusExpected met", "3s b Current/Reconciled met", "3s  Current/NoStatusExpected met"}},
		{it: "accepts a member that returns", source: sendPaced(member(shops, "a", "True"), listed(shops), notMember(shops, "a"), member(shops, "a", "False")),
			want: []string{"0s a Current/Reconciled met", "1s  Current/NoStatusExpected met", "2s  NotFound/NeverSeen missing", "2s a NotFound/Deleted ignored, left",
				"3s a InProgress/SummaryConditionNotTrue open", "3s  Current/NoStatusExpected met"}},
		{it: "ignores objects that were never members", source: sendPaced(listed(shops), notMember(shops, "a"), member(other, "a", "True"), observe.Event{Target: target("b"), Of: shops, Err: errors.New("x")}),
			want: []string{"0s  NotFound/NeverSeen missing"}},
		{it: "waits until all members are deleted", watch: observe.Watcher{Requirements: observe.Requirements{Goals: []observe.Goal{goal.Deleted()}}},
			source: sendPaced(member(shops, "a", "True"), listed(shops), notMember(shops, "a")),
			want:   []string{"0s a Current/Reconciled open", "1s  Current/NoStatusExpected met", "2s  Current/NoStatusExpected met", "2s a NotFound/Deleted met"}},
		{it: "drops a member that is being deleted", source: sendPaced(member(shops, "a", "True"), listed(shops), deletingMember(shops, "a", 0), deletingMember(shops, "a", 0), notMember(shops, "a")),
			want: []string{"0s a Current/Reconciled met", "1s  Current/NoStatusExpected met", "2s  NotFound/NeverSeen missing", "2s a NotFound/Deleted ignored, left"}},
		{it: "does not add an object that is being deleted", source: sendPaced(deletingMember(shops, "a", 0), member(shops, "b", "True"), listed(shops), notMember(shops, "a")),
			want: []string{"1s b Current/Reconciled met", "2s  Current/NoStatusExpected met"}},
		{it: "keeps a member that is being deleted with KeepDeleted", watch: observe.Watcher{Requirements: observe.Requirements{KeepDeleted: true}},
			source: sendPaced(deletingMember(shops, "a", 0), listed(shops), notMember(shops, "a")),
			want:   []string{"0s a Terminating/Deleting failing, fails at 1m0s", "1s  Current/NoStatusExpected met", "2s  NotFound/NeverSeen missing", "2s a NotFound/Deleted ignored, left"}},
		{it: "keeps an ignored member that is being deleted", watch: observe.Watcher{Requirements: observe.Requirements{Ignore: true}},
			source: sendPaced(deletingMember(shops, "a", 0), listed(shops)),
			want:   []string{"0s a Terminating/Deleting ignored", "1s  Current/NoStatusExpected ignored"}},
		{it: "still counts a completed member while it is deleted", targets: []observe.Target{jobs},
			source: sendPaced(someJob("Complete"), listed(jobs), deletingJob(), notCounted(someJob("Complete"))),
			want:   []string{"0s a Current/Completed met", "1s  Current/NoStatusExpected met", "2s a NotFound/ExpiredTTL met"}},
		{it: "is met without members if the goal is deletion", watch: observe.Watcher{Requirements: observe.Requirements{Goals: []observe.Goal{goal.Deleted()}}},
			source: sendAll(listed(shops)), want: []string{"0s  Current/NoStatusExpected met"}},
		{it: "treats an unserved kind as deleted", watch: observe.Watcher{Requirements: observe.Requirements{Goals: []observe.Goal{goal.Deleted()}}},
			source: sendAll(selectionUnreadable(shops, "NoMatch")), want: []string{"0s  Unknown/NoMatch met"}},
		{it: "may be forbidden", source: sendAll(selectionUnreadable(shops, "Forbidden")), want: []string{"0s  Unknown/Forbidden barred"}},
		{it: "is not met before all members are reported again", source: sendPaced(selectionUnreadable(shops, "NoMatch"), member(shops, "a", "True"), member(shops, "b", "False"), listed(shops)),
			want: []string{"0s  Unknown/NoMatch missing", "1s a Current/Reconciled met", "2s b InProgress/SummaryConditionNotTrue open", "3s  Current/NoStatusExpected met"}},
		{it: "propagates lost and restored contact to its members", source: sendPaced(member(shops, "a", "True"), listed(shops), selectionUnreadable(shops, "Transport"), listed(shops)),
			want: []string{"0s a Current/Reconciled met", "1s  Current/NoStatusExpected met", "2s a Current/Reconciled open, stale since 2s",
				"2s  Current/NoStatusExpected open, stale since 2s", "3s a Current/Reconciled met", "3s  Current/NoStatusExpected met"}},
		{it: "propagates a lost permission to its members", source: sendPaced(member(shops, "a", "True"), listed(shops), selectionUnreadable(shops, "Forbidden"), member(shops, "a", "True"), listed(shops)),
			want: []string{"0s a Current/Reconciled met", "1s  Current/NoStatusExpected met", "2s a Unknown/Forbidden barred",
				"2s  Unknown/Forbidden barred", "3s a Current/Reconciled met", "4s  Current/NoStatusExpected met"}},
		{it: "loses its members with their kind", source: sendPaced(member(shops, "a", "True"), listed(shops), selectionUnreadable(shops, "NoMatch")),
			want: []string{"0s a Current/Reconciled met", "1s  Current/NoStatusExpected met", "2s  Unknown/NoMatch missing", "2s a NotFound/Deleted ignored, left"}},
		{it: "counts a target that is also requested by name, which stays when it leaves", targets: []observe.Target{shops, target("a")},
			source: sendPaced(member(shops, "a", "True"), listed(shops), notMember(shops, "a"), missing("a")),
			want: []string{"0s a Current/Reconciled met", "1s  Current/NoStatusExpected met", "2s  NotFound/NeverSeen missing",
				"3s a NotFound/Deleted failing, fails at 1m3s", "1m3s a NotFound/Deleted failed"}},
		{it: "shares members with another selection", targets: []observe.Target{shops, other},
			source: sendPaced(member(shops, "a", "True"), member(other, "a", "True"), listed(shops), listed(other), notMember(shops, "a"), notMember(other, "a")),
			want: []string{"0s a Current/Reconciled met", "2s  Current/NoStatusExpected met", "3s  Current/NoStatusExpected met",
				"4s  NotFound/NeverSeen missing", "5s  NotFound/NeverSeen missing", "5s a NotFound/Deleted ignored, left"}},
		{it: "ignores an older version from another source", targets: []observe.Target{shops, other}, source: sendPaced(newer, older),
			want: []string{"0s a Current/Reconciled met"}},
		{it: "does not treat a deleted named target as existing", targets: []observe.Target{shops, target("a")},
			source: sendPaced(widget("a", "True", "", nil), member(shops, "a", "True"), listed(shops), missing("a"), member(shops, "a", "True"), notMember(shops, "a")),
			want: []string{"0s a Current/Reconciled met", "2s  Current/NoStatusExpected met", "3s a NotFound/Deleted failing, fails at 1m3s",
				"5s  NotFound/NeverSeen missing", "1m3s a NotFound/Deleted failed"}},
		{it: "continues to count a completed member", targets: []observe.Target{jobs}, source: sendPaced(someJob("Complete"), listed(jobs), notCounted(someJob("Complete"))),
			want: []string{"0s a Current/Completed met", "1s  Current/NoStatusExpected met", "2s a NotFound/ExpiredTTL met"}},
		{it: "applies the timeout of each member from its arrival", watch: observe.Watcher{Requirements: observe.Requirements{Timeout: 10 * time.Second}},
			source: sendAt(timedEvent{0, listed(shops)}, timedEvent{7 * time.Second, member(shops, "a", "False")}),
			want: []string{"0s  NotFound/NeverSeen missing", "7s a InProgress/SummaryConditionNotTrue open", "7s  Current/NoStatusExpected met",
				"17s a InProgress/SummaryConditionNotTrue late"}},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				if row.targets == nil {
					row.targets = []observe.Target{shops}
				}
				row.watch.Source = row.source
				expect(t, history(t, row.watch, row.targets...), row.want...)
			})
		})
	}
}

func TestShortLivedMembersAreSkipped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		source := scriptedSource(func(_ context.Context, report func(observe.Event) bool) error {
			report(listed(shops))
			synctest.Wait() // until the reader is busy with that
			report(member(shops, "a", "True"))
			report(notMember(shops, "a"))
			report(member(shops, "b", "True"))
			return nil
		})
		var got []string
		for u := range (observe.Watcher{Source: source}).Updates(minute(t), shops) {
			got = append(got, format(u))
			bubble.Sleep(time.Second)
		}
		expect(t, got, " NotFound missing, synced", " Current met after NotFound, synced", "b Current met, synced")
	})
}

func TestWaitsForSelections(t *testing.T) {
	rows := []struct {
		it     string
		policy observe.Policy
		goal   observe.Goal
		source scriptedSource
		want   observe.Outcome
		rows   int // on the board
	}{
		{"succeeds when all are met", observe.Policy{}, goal.Current(), sendAll(member(shops, "a", "True"), member(shops, "b", "True"), listed(shops)), observe.OutcomeSuccess, 2},
		{"waits for the first member", observe.Policy{}, goal.Current(), sendPaced(listed(shops), member(shops, "a", "False"), member(shops, "a", "True")), observe.OutcomeSuccess, 1},
		{"has no members with Once", observe.Policy{Once: true}, goal.Current(), sendAll(listed(shops)), observe.OutcomeMissing, 1},
		{"fails without members if the policy requires one", observe.Policy{Missing: observe.MissingFail}, goal.Current(), sendAll(listed(shops)), observe.OutcomeMissing, 1},
		{"fails without members after the last was deleted, if the policy requires one", observe.Policy{Missing: observe.MissingFail}, goal.Current(),
			sendPaced(member(shops, "a", "False"), listed(shops), notMember(shops, "a")), observe.OutcomeMissing, 2},
		{"waits for another member after the last was deleted", observe.Policy{}, goal.Current(), sendPaced(member(shops, "a", "False"), listed(shops), notMember(shops, "a")), observe.OutcomeTimeout, 1},
		{"ignores missing members if the policy permits it", observe.Policy{Missing: observe.MissingIgnore}, goal.Current(), sendAll(listed(shops)), observe.OutcomeSuccess, 1},
		{"has a member in progress with Once", observe.Policy{Once: true}, goal.Current(), sendAll(member(shops, "a", "True"), member(shops, "b", "False"), listed(shops)), observe.OutcomeTimeout, 2},
		{"ends if it is forbidden", observe.Policy{}, goal.Current(), sendAll(selectionUnreadable(shops, "Forbidden")), observe.OutcomeForbidden, 1},
		{"does not wait for a removed member", observe.Policy{}, goal.Current(), sendPaced(member(shops, "a", "True"), member(shops, "b", "False"), listed(shops), notMember(shops, "b")), observe.OutcomeSuccess, 1},
		{"ends when all members are deleted", observe.Policy{}, goal.Deleted(), sendPaced(member(shops, "a", "True"), listed(shops), notMember(shops, "a")), observe.OutcomeSuccess, 1},
		{"does not end before all members are known again", observe.Policy{}, goal.Current(),
			sendPaced(selectionUnreadable(shops, "NoMatch"), member(shops, "a", "True"), member(shops, "b", "False"), listed(shops)), observe.OutcomeTimeout, 2},
		{"does not end while it is unreachable", observe.Policy{}, goal.Current(),
			sendPaced(member(shops, "a", "True"), member(shops, "b", "False"), listed(shops), selectionUnreadable(shops, "Transport")), observe.OutcomeUnknown, 3},
		{"does not wait for a member that is being deleted", observe.Policy{}, goal.Current(),
			sendPaced(deletingMember(shops, "a", 0), member(shops, "b", "False"), member(shops, "c", "True"), listed(shops), deletingMember(shops, "b", 0)), observe.OutcomeSuccess, 1},
		{"waits for other members if all are being deleted", observe.Policy{}, goal.Current(),
			sendPaced(deletingMember(shops, "a", 0), listed(shops)), observe.OutcomeTimeout, 1},
		{"waits until deleted members are gone, if that is the goal", observe.Policy{}, goal.Deleted(),
			sendPaced(deletingMember(shops, "a", 0), listed(shops)), observe.OutcomeTimeout, 1},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, stop := context.WithTimeoutCause(t.Context(), time.Minute, observe.ErrTimeout)
				defer stop()
				w := observe.Watcher{Source: row.source, Requirements: observe.Requirements{Goals: []observe.Goal{row.goal}}}
				outcome, board, err := w.Wait(ctx, row.policy, shops)
				if err != nil || outcome != row.want || board.Len() != row.rows {
					t.Errorf("have %s, %v with %d rows, want %s with %d", outcome, err, board.Len(), row.want, row.rows)
				}
			})
		})
	}
}

func TestRequirementsOfSelections(t *testing.T) {
	if fmt.Sprint(shops, other) != "Widget/shop/* -l app=web Widget/shop/* --field-selector metadata.name!=x" {
		t.Errorf("have %s and %s", shops, other)
	}
	if !shops.IsSelection() || target("a").IsSelection() {
		t.Error("a selection is a target without a name")
	}
}

package observe_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

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

// has returns the event of a widget in a selection, and hasNot the event that it has
// left. dyingJob returns the completed Job while it is being deleted.
func dyingJob() observe.Event {
	s := someJob("Complete")
	s.Object.UnstructuredContent()["metadata"].(map[string]any)["deletionTimestamp"] = "2000-01-01T00:00:00Z"
	return s
}

func has(of observe.Target, name, ready string) observe.Event {
	s := widget(name, ready, "", nil)
	s.Of = of
	return s
}

// dying returns an object of a selection with so many seconds left of its grace period.
func dying(of observe.Target, name string, seconds int64) observe.Event {
	s := widget(name, "True", "", map[string]any{
		"deletionTimestamp":          time.Now().Add(time.Duration(seconds) * time.Second).UTC().Format(time.RFC3339),
		"deletionGracePeriodSeconds": seconds,
	})
	s.Of = of
	return s
}

func hasNot(of observe.Target, name string) observe.Event {
	return observe.Event{Target: target(name), Of: of}
}

// told returns the event that all objects of a selection were reported, and lost the
// event that none can be read.
func told(of observe.Target) observe.Event { return observe.Event{Target: of} }

func lost(of observe.Target, reason string) observe.Event {
	return observe.Event{Target: of, Err: &observe.Unreadable{Reason: reason, Text: "text of " + reason}}
}

func TestSelections(t *testing.T) {
	newer := has(shops, "a", "True")
	newer.Object.UnstructuredContent()["metadata"].(map[string]any)["resourceVersion"] = "20"
	older := has(other, "a", "False")
	older.Object.UnstructuredContent()["metadata"].(map[string]any)["resourceVersion"] = "9"
	rows := []struct {
		it      string
		watch   observe.Watcher
		targets []observe.Target
		source  script
		want    []string // the selection has no name
	}{
		{it: "tells what it has before it is told itself", source: sights(has(shops, "a", "True"), has(shops, "b", "False"), told(shops)),
			want: []string{"0s a Current/Reconciled met", "0s b InProgress/SummaryConditionNotTrue open", "0s  Current/NoStatusExpected met"}},
		{it: "misses objects", source: paced(told(shops), has(shops, "a", "True")),
			want: []string{"0s  NotFound/NeverSeen missing", "1s a Current/Reconciled met", "1s  Current/NoStatusExpected met"}},
		{it: "needs as many as are asked for", watch: observe.Watcher{MinObjects: 2}, source: paced(has(shops, "a", "True"), told(shops), has(shops, "b", "True"), hasNot(shops, "a")),
			want: []string{"0s a Current/Reconciled met", "1s  NotFound/NeverSeen missing", "2s b Current/Reconciled met", "2s  Current/NoStatusExpected met",
				"3s a NotFound/Deleted ignored, left", "3s  NotFound/NeverSeen missing"}},
		{it: "takes back what comes again", source: paced(has(shops, "a", "True"), told(shops), hasNot(shops, "a"), has(shops, "a", "False")),
			want: []string{"0s a Current/Reconciled met", "1s  Current/NoStatusExpected met", "2s a NotFound/Deleted ignored, left", "2s  NotFound/NeverSeen missing",
				"3s a InProgress/SummaryConditionNotTrue open", "3s  Current/NoStatusExpected met"}},
		{it: "does not know what it never had", source: paced(told(shops), hasNot(shops, "a"), has(other, "a", "True"), observe.Event{Target: target("b"), Of: shops, Err: errors.New("x")}),
			want: []string{"0s  NotFound/NeverSeen missing"}},
		{it: "waits until all it has are gone", watch: observe.Watcher{Requirements: observe.Requirements{Goals: []observe.Goal{goal.Deleted()}}},
			source: paced(has(shops, "a", "True"), told(shops), hasNot(shops, "a")),
			want:   []string{"0s a Current/Reconciled open", "1s  Current/NoStatusExpected met", "2s a NotFound/Deleted met", "2s  Current/NoStatusExpected met"}},
		{it: "gives up what is being deleted at once", source: paced(has(shops, "a", "True"), told(shops), dying(shops, "a", 0), dying(shops, "a", 0), hasNot(shops, "a")),
			want: []string{"0s a Current/Reconciled met", "1s  Current/NoStatusExpected met", "2s a NotFound/Deleted ignored, left", "2s  NotFound/NeverSeen missing"}},
		{it: "does not take in what is being deleted", source: paced(dying(shops, "a", 0), has(shops, "b", "True"), told(shops), hasNot(shops, "a")),
			want: []string{"1s b Current/Reconciled met", "2s  Current/NoStatusExpected met"}},
		{it: "keeps what is being deleted where that is followed", watch: observe.Watcher{Requirements: observe.Requirements{KeepDeleted: true}},
			source: paced(dying(shops, "a", 0), told(shops), hasNot(shops, "a")),
			want:   []string{"0s a Terminating/Deleting failing, fails at 1m0s", "1s  Current/NoStatusExpected met", "2s a NotFound/Deleted ignored, left", "2s  NotFound/NeverSeen missing"}},
		{it: "keeps what is being deleted where nothing is waited for", watch: observe.Watcher{Requirements: observe.Requirements{Ignore: true}},
			source: paced(dying(shops, "a", 0), told(shops)),
			want:   []string{"0s a Terminating/Deleting ignored", "1s  Current/NoStatusExpected ignored"}},
		{it: "goes on to count what had completed while it is being deleted", targets: []observe.Target{jobs},
			source: paced(someJob("Complete"), told(jobs), dyingJob(), withdrawn(someJob("Complete"))),
			want:   []string{"0s a Current/Completed met", "1s  Current/NoStatusExpected met", "2s a NotFound/ExpiredTTL met"}},
		{it: "is content with nothing where all are to be gone", watch: observe.Watcher{Requirements: observe.Requirements{Goals: []observe.Goal{goal.Deleted()}}},
			source: sights(told(shops)), want: []string{"0s  Current/NoStatusExpected met"}},
		{it: "takes a kind that is not served for gone", watch: observe.Watcher{Requirements: observe.Requirements{Goals: []observe.Goal{goal.Deleted()}}},
			source: sights(lost(shops, "NoMatch")), want: []string{"0s  Unknown/NoMatch met"}},
		{it: "may be forbidden", source: sights(lost(shops, "Forbidden")), want: []string{"0s  Unknown/Forbidden barred"}},
		{it: "is not there before all have been told again", source: paced(lost(shops, "NoMatch"), has(shops, "a", "True"), has(shops, "b", "False"), told(shops)),
			want: []string{"0s  Unknown/NoMatch missing", "1s a Current/Reconciled met", "2s b InProgress/SummaryConditionNotTrue open", "3s  Current/NoStatusExpected met"}},
		{it: "shares with what it has that it is out of reach, and that it is back", source: paced(has(shops, "a", "True"), told(shops), lost(shops, "Transport"), told(shops)),
			want: []string{"0s a Current/Reconciled met", "1s  Current/NoStatusExpected met", "2s a Current/Reconciled open, stale since 2s",
				"2s  Current/NoStatusExpected open, stale since 2s", "3s a Current/Reconciled met", "3s  Current/NoStatusExpected met"}},
		{it: "shares with what it has that it may no longer be read", source: paced(has(shops, "a", "True"), told(shops), lost(shops, "Forbidden"), has(shops, "a", "True"), told(shops)),
			want: []string{"0s a Current/Reconciled met", "1s  Current/NoStatusExpected met", "2s a Unknown/Forbidden barred",
				"2s  Unknown/Forbidden barred", "3s a Current/Reconciled met", "4s  Current/NoStatusExpected met"}},
		{it: "loses what it has with its kind", source: paced(has(shops, "a", "True"), told(shops), lost(shops, "NoMatch")),
			want: []string{"0s a Current/Reconciled met", "1s  Current/NoStatusExpected met", "2s a NotFound/Deleted ignored, left", "2s  Unknown/NoMatch missing"}},
		{it: "counts what is asked for by name as well, which stays when it leaves", targets: []observe.Target{shops, target("a")},
			source: paced(has(shops, "a", "True"), told(shops), hasNot(shops, "a"), absent("a")),
			want: []string{"0s a Current/Reconciled met", "1s  Current/NoStatusExpected met", "2s  NotFound/NeverSeen missing",
				"3s a NotFound/Deleted failing, fails at 1m3s", "1m3s a NotFound/Deleted failed"}},
		{it: "shares objects with another selection", targets: []observe.Target{shops, other},
			source: paced(has(shops, "a", "True"), has(other, "a", "True"), told(shops), told(other), hasNot(shops, "a"), hasNot(other, "a")),
			want: []string{"0s a Current/Reconciled met", "2s  Current/NoStatusExpected met", "3s  Current/NoStatusExpected met",
				"4s  NotFound/NeverSeen missing", "5s a NotFound/Deleted ignored, left", "5s  NotFound/NeverSeen missing"}},
		{it: "does not go back to an older version that comes another way", targets: []observe.Target{shops, other}, source: paced(newer, older),
			want: []string{"0s a Current/Reconciled met"}},
		{it: "does not take for there what is known by its name to be gone", targets: []observe.Target{shops, target("a")},
			source: paced(widget("a", "True", "", nil), has(shops, "a", "True"), told(shops), absent("a"), has(shops, "a", "True"), hasNot(shops, "a")),
			want: []string{"0s a Current/Reconciled met", "2s  Current/NoStatusExpected met", "3s a NotFound/Deleted failing, fails at 1m3s",
				"5s  NotFound/NeverSeen missing", "1m3s a NotFound/Deleted failed"}},
		{it: "goes on to count what had completed", targets: []observe.Target{jobs}, source: paced(someJob("Complete"), told(jobs), withdrawn(someJob("Complete"))),
			want: []string{"0s a Current/Completed met", "1s  Current/NoStatusExpected met", "2s a NotFound/ExpiredTTL met"}},
		{it: "has each of its objects' own time, from when it came", watch: observe.Watcher{Requirements: observe.Requirements{Timeout: 10 * time.Second}},
			source: at(timedSighting{0, told(shops)}, timedSighting{7 * time.Second, has(shops, "a", "False")}),
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

func TestWhatComesAndGoesBetweenTwoUpdatesIsPassedOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		source := script(func(_ context.Context, saw func(observe.Event) bool) error {
			saw(told(shops))
			synctest.Wait() // until the reader is busy with that
			saw(has(shops, "a", "True"))
			saw(hasNot(shops, "a"))
			saw(has(shops, "b", "True"))
			return nil
		})
		var got []string
		for u := range (observe.Watcher{Source: source}).Updates(minute(t), shops) {
			got = append(got, said(u))
			time.Sleep(time.Second)
		}
		expect(t, got, " NotFound missing, synced", " Current met after NotFound, synced", "b Current met, synced")
	})
}

func TestWaitsForSelections(t *testing.T) {
	rows := []struct {
		it     string
		policy observe.Policy
		goal   observe.Goal
		source script
		want   observe.Outcome
		rows   int // on the board
	}{
		{"succeeds when all are met", observe.Policy{}, goal.Current(), sights(has(shops, "a", "True"), has(shops, "b", "True"), told(shops)), observe.OutcomeSuccess, 2},
		{"waits for objects to come", observe.Policy{}, goal.Current(), paced(told(shops), has(shops, "a", "False"), has(shops, "a", "True")), observe.OutcomeSuccess, 1},
		{"looks once and finds none", observe.Policy{Once: true}, goal.Current(), sights(told(shops)), observe.OutcomeMissing, 1},
		{"fails where there are none, if it is to", observe.Policy{Missing: observe.MissingFail}, goal.Current(), sights(told(shops)), observe.OutcomeMissing, 1},
		{"ignores that there are none, if it is to", observe.Policy{Missing: observe.MissingIgnore}, goal.Current(), sights(told(shops)), observe.OutcomeSuccess, 1},
		{"looks once and finds one that is not there yet", observe.Policy{Once: true}, goal.Current(), sights(has(shops, "a", "True"), has(shops, "b", "False"), told(shops)), observe.OutcomeTimeout, 2},
		{"ends where it may not look", observe.Policy{}, goal.Current(), sights(lost(shops, "Forbidden")), observe.OutcomeForbidden, 1},
		{"does not wait for what has left", observe.Policy{}, goal.Current(), paced(has(shops, "a", "True"), has(shops, "b", "False"), told(shops), hasNot(shops, "b")), observe.OutcomeSuccess, 1},
		{"ends when all are gone", observe.Policy{}, goal.Deleted(), paced(has(shops, "a", "True"), told(shops), hasNot(shops, "a")), observe.OutcomeSuccess, 1},
		{"does not end before all are known again", observe.Policy{}, goal.Current(),
			paced(lost(shops, "NoMatch"), has(shops, "a", "True"), has(shops, "b", "False"), told(shops)), observe.OutcomeTimeout, 2},
		{"does not end while it is out of reach", observe.Policy{}, goal.Current(),
			paced(has(shops, "a", "True"), has(shops, "b", "False"), told(shops), lost(shops, "Transport")), observe.OutcomeUnknown, 3},
		{"does not wait for what is being deleted", observe.Policy{}, goal.Current(),
			paced(dying(shops, "a", 0), has(shops, "b", "False"), has(shops, "c", "True"), told(shops), dying(shops, "b", 0)), observe.OutcomeSuccess, 1},
		{"waits for others if all are being deleted", observe.Policy{}, goal.Current(),
			paced(dying(shops, "a", 0), told(shops)), observe.OutcomeTimeout, 1},
		{"waits until what is being deleted is gone, if that is the goal", observe.Policy{}, goal.Deleted(),
			paced(dying(shops, "a", 0), told(shops)), observe.OutcomeTimeout, 1},
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

func TestSelectionsAreAskedForWhatTheySay(t *testing.T) {
	if fmt.Sprint(shops, other) != "Widget/shop/* -l app=web Widget/shop/* --field-selector metadata.name!=x" {
		t.Errorf("have %s and %s", shops, other)
	}
	if !shops.IsSelection() || target("a").IsSelection() {
		t.Error("a selection is a target without a name")
	}
}

package observe_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// The result of each report is whether its target is still waited for.
func TestReportReturnsWhetherTargetIsPending(t *testing.T) {
	a := target("a")
	ignored := widget("b", "False", "", map[string]any{"annotations": map[string]any{"kstatus.dev/ignore": "true"}})
	rows := []struct {
		it   string
		s    observe.Event
		open bool
	}{
		{"is pending while missing", missing("a"), true},
		{"is pending when a part comes first", crashLoopPod(a, "p", 4), true},
		{"is pending while in progress", widget("a", "False", "", nil), true},
		{"is pending after a failure, which may end", stalled("a"), true},
		{"is pending while unreadable", unreadable("a", "Forbidden"), true},
		{"is not pending once met", widget("a", "True", "", nil), false},
		{"is not pending for parts of a met target", crashLoopPod(a, "p", 5), false},
		{"is no longer pending for parts of a met target", widget("a", "False", "", nil), true},
		{"is not pending when ignored", ignored, false},
		{"is not pending for an unknown target", widget("stranger", "False", "", nil), false},
		{"is not pending for parts of an unknown target", crashLoopPod(target("stranger"), "p", 4), false},
		{"is not pending for a member of another selection", member(other, "m", "False"), false},
		{"is pending for a member", member(shops, "m", "False"), true},
		{"is pending for parts of a member", crashLoopPod(target("m"), "p", 4), true},
		{"is not pending for a selection with enough members", listed(shops), false},
		{"is not pending for a met member", member(shops, "m", "True"), false},
		{"is not pending for a removed member", notMember(shops, "m"), false},
		{"is pending for a selection with too few members", listed(shops), true},
	}
	synctest.Test(t, func(t *testing.T) {
		source := scriptedSource(func(_ context.Context, report func(observe.Event) bool) error {
			for _, row := range rows {
				if open := report(row.s); open != row.open {
					t.Errorf("it %s: have %t", row.it, open)
				}
				synctest.Wait() // until the update has been yielded
			}
			return nil
		})
		for range (observe.Watcher{Source: source, Requirements: observe.Requirements{ObjectDirectives: true}}).Updates(second(t), a, target("b"), shops) {
		}
	})
}

// The evaluator's clock is the watcher's.
func TestNowIsUsed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Date(1999, 12, 31, 23, 0, 0, 0, time.UTC)
		ahead := time.Since(start)
		w := observe.Watcher{Source: sendAt(timedEvent{0, failingFor("CrashLoop")}, timedEvent{10 * time.Second, unreadable("a", "Transport")})}
		w.Evaluator.Rules = status.Rules{target("a").Kind: {Rule: failByPhase}}
		w.Evaluator.Now = func() time.Time { return time.Now().Add(-ahead) }
		var got []string
		for u := range w.Updates(minute(t), target("a")) {
			line := fmt.Sprintf("%s since %s", u.Progress, u.Since.Sub(start))
			if !u.FailsAt.IsZero() {
				line += fmt.Sprintf(", fails at %s", u.FailsAt.Sub(start))
			}
			if !u.StaleSince.IsZero() {
				line += fmt.Sprintf(", stale since %s", u.StaleSince.Sub(start))
			}
			got = append(got, line)
		}
		expect(t, got, "failing since 0s, fails at 30s", "failing since 0s, stale since 10s")
	})
}

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
		{"waits for what is missing", missing("a"), true},
		{"waits where a part comes first", crashLoopPod(a, "p", 4), true},
		{"waits for what is on its way", widget("a", "False", "", nil), true},
		{"waits for what has failed, which may change", stalled("a"), true},
		{"waits for what may not be read", unreadable("a", "Forbidden"), true},
		{"does not wait for what is met", widget("a", "True", "", nil), false},
		{"does not wait for the parts of what is met", crashLoopPod(a, "p", 5), false},
		{"waits for parts of what is met no longer", widget("a", "False", "", nil), true},
		{"does not wait for what is ignored", ignored, false},
		{"does not know a stranger", widget("stranger", "False", "", nil), false},
		{"does not know parts of a stranger", crashLoopPod(target("stranger"), "p", 4), false},
		{"does not know what another selection has", member(other, "m", "False"), false},
		{"waits for one of a selection", member(shops, "m", "False"), true},
		{"waits for parts of that", crashLoopPod(target("m"), "p", 4), true},
		{"does not wait for a selection that has enough", listed(shops), false},
		{"does not wait for one that is met", member(shops, "m", "True"), false},
		{"does not wait for one that has left", notMember(shops, "m"), false},
		{"waits for a selection that has too few", listed(shops), true},
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

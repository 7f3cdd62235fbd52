package main

import (
	"testing"

	"kstatus.dev/observe"
	"kstatus.dev/status"
)

func TestTracker(t *testing.T) {
	a, b := observe.Target{Name: "a"}, observe.Target{Name: "b"}
	current := func(t observe.Target, generation int64) update { return update{t, status.CurrentStatus, generation} }
	rows := []struct {
		it     string
		asked  int64
		heard  []update
		behind int
	}{
		{"has heard of nothing", notCurrent, nil, 2},
		{"has heard of both once each has been", notCurrent, []update{current(a, 1), {b, status.NotFoundStatus, 0}}, 0},
		{"counts what is current at the generation", 2, []update{current(a, 2), current(b, 1)}, 1},
		{"counts what is there at the same time only", 1, []update{current(a, 1), {a, status.InProgressStatus, 2}, current(b, 1)}, 1},
		{"counts what has come back", 1, []update{current(a, 1), {a, status.InProgressStatus, 2}, current(b, 1), current(a, 2)}, 0},
		{"counts what has no generations", 2, []update{current(a, 2), current(b, 0)}, 0},
		{"does not count what nobody asked for", 0, []update{current(a, 0), current(observe.Target{Name: "c"}, 0)}, 1},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			tr := newTracker([]observe.Target{a, b})
			done := tr.reached(row.asked)
			for _, n := range row.heard {
				tr.add(n)
			}
			if behind, _ := tr.count(); behind != row.behind {
				t.Errorf("it %s: have %d behind, want %d", row.it, behind, row.behind)
			}
			select {
			case <-done:
				if row.behind > 0 {
					t.Errorf("it %s: it says that all are there", row.it)
				}
			default:
				if row.behind == 0 {
					t.Errorf("it %s: it does not say that all are there", row.it)
				}
			}
		})
	}
}

package main

import (
	"testing"
	"time"
)

// A short soak with at least one fault finds nothing wrong.
func TestSoak(t *testing.T) {
	if err := soak(t.Context(), options{time: 20 * time.Second, round: 20 * time.Second, seed: 1}, t.Output()); err != nil {
		t.Error(err)
	}
}

func TestQuarters(t *testing.T) {
	rows := []struct {
		it          string
		all         []int64
		first, last int64
	}{
		{"has no measurement", nil, 0, 0},
		{"has one", []int64{7}, 7, 7},
		{"leaves the start out", []int64{100, 1, 3}, 1, 3},
		{"takes the means", []int64{100, 1, 3, 9, 9, 9, 9, 10, 20}, 2, 15},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			var all []measurement
			for _, n := range row.all {
				all = append(all, measurement{heap: n})
			}
			if first, last := quarters(all, func(m measurement) int64 { return m.heap }); first != row.first || last != row.last {
				t.Errorf("it %s: have %d and %d, want %d and %d", row.it, first, last, row.first, row.last)
			}
		})
	}
}

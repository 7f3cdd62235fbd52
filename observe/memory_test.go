package observe_test

import (
	"context"
	"fmt"
	"runtime"
	"testing"

	"kstatus.dev/observe"
)

// What is kept of a target, its place on a board included, is at most 2 KiB,
// however large its object is.
func TestMemoryPerTarget(t *testing.T) {
	const many = 5000
	targets := make([]observe.Target, many)
	for i := range targets {
		targets[i] = target(fmt.Sprintf("w%d", i))
	}
	source := script(func(_ context.Context, saw func(observe.Sighting) bool) error {
		for _, tgt := range targets {
			s := widget(tgt.Name, "False", "the widget is being made", nil)
			s.Object.UnstructuredContent()["spec"] = map[string]any{"ballast": make([]any, 1000)}
			saw(s)
		}
		return nil
	})
	before := heap()
	board := new(observe.Board)
	for u, err := range (observe.Watcher{Source: source}).Updates(t.Context(), targets...) {
		if err != nil {
			t.Fatal(err)
		}
		board.Add(u)
		if u.Synced {
			each := (heap() - before) / many
			t.Logf("%d bytes per target", each)
			if each > 2<<10 {
				t.Error("more than 2 KiB are kept of each target")
			}
			break
		}
	}
	runtime.KeepAlive(board)
}

func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

package observe_test

import (
	"context"
	"fmt"
	"runtime"
	"testing"
	"time"

	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// The memory for a target and its place on a board is at most 2.1 KiB. It does not depend
// on the size of the object or on the requirements.
func TestMemoryPerTarget(t *testing.T) {
	requirements := observe.Requirements{Timeout: time.Hour, Settle: time.Minute, Latch: true, FirstStatus: time.Minute}
	latched := requirements
	latched.Settle = 0
	rows := []struct {
		it    string
		watch observe.Watcher
		see   func(name string) observe.Event
	}{
		{"is in progress", observe.Watcher{}, func(name string) observe.Event { return widget(name, "False", "the widget is being made", nil) }},
		{"has every requirement", observe.Watcher{Requirements: requirements}, func(name string) observe.Event { return widget(name, "False", "the widget is being made", nil) }},
		{"is met", observe.Watcher{Requirements: latched}, func(name string) observe.Event { return widget(name, "True", "the widget is made", nil) }},
		{"does not exist", observe.Watcher{Requirements: requirements}, missing},
		{"has reached its minimum version", observe.Watcher{Requirements: latched, MinVersion: func(observe.Target) observe.Version { return observe.Version{UID: "u1", Generation: 1} }},
			func(name string) observe.Event { return widget(name, "True", "the widget is made", nil) }},
		{"was read twice", observe.Watcher{}, func(name string) observe.Event {
			return widget(name, "False", "the widget is being made", map[string]any{"resourceVersion": "7"})
		}},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) { memoryPerTarget(t, 2150, row.watch, row.see) })
	}
}

func memoryPerTarget(t *testing.T, most int64, w observe.Watcher, see func(string) observe.Event) {
	const many = 5000
	targets := make([]observe.Target, many)
	for i := range targets {
		targets[i] = target(fmt.Sprintf("w%d", i))
	}
	reported := make(chan bool, 1)
	w.Source = scriptedSource(func(_ context.Context, report func(observe.Event) bool) error {
		for range 2 {
			for _, tgt := range targets {
				s := see(tgt.Name)
				if s.Object != nil {
					s.Object.UnstructuredContent()["spec"] = map[string]any{"ballast": make([]any, 1000)}
				}
				report(s)
			}
		}
		reported <- true
		return nil
	})
	before := heap()
	board := new(observe.Board)
	n := 0
	for u, err := range w.Updates(t.Context(), targets...) {
		if err != nil {
			t.Fatal(err)
		}
		board.Add(u)
		if n++; n < many {
			continue
		}
		<-reported
		each := (heap() - before) / many
		t.Logf("%d bytes per target", each)
		if each > most {
			t.Errorf("%d bytes are kept per target, more than %d", each, most)
		}
		break
	}
	runtime.KeepAlive(board)
}

// An object with a later check is not kept if its verdict at that time is already known.
// The verdict needs a little more memory until then.
func TestObjectsAreNotRetainedForFirstStatus(t *testing.T) {
	expect := crd(map[string]any{"conditions": map[string]any{"type": "array"}})
	memoryPerTarget(t, 2457, observe.Watcher{Requirements: observe.Requirements{FirstStatus: time.Hour}, Evaluator: status.Evaluator{Expect: expect}},
		func(name string) observe.Event {
			s := widget(name, "", "", nil)
			delete(s.Object.UnstructuredContent(), "status")
			return s
		})
}

func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

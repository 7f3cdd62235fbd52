package observe_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"kstatus.dev/observe"
)

// BenchmarkEvents measures a thousand events among ten thousand targets. Each target has
// a timer of its own.
func BenchmarkEvents(b *testing.B) {
	const many, each = 10_000, 1000
	rows := []struct {
		name         string
		requirements observe.Requirements
		make         func(name string, n int) observe.Event
	}{
		{"progress", observe.Requirements{}, func(name string, n int) observe.Event { return widget(name, "False", fmt.Sprint(n%2), nil) }},
		{"timed", observe.Requirements{Timeout: time.Hour, Settle: time.Minute, FirstStatus: time.Minute}, func(name string, n int) observe.Event {
			return widget(name, []string{"False", "True"}[n%2], "", nil)
		}},
		{"same", observe.Requirements{Timeout: time.Hour}, func(name string, _ int) observe.Event { return widget(name, "False", "", nil) }},
	}
	for _, row := range rows {
		b.Run(row.name, func(b *testing.B) {
			targets, events := make([]observe.Target, many), make([]observe.Event, 2*many)
			for i := range events {
				targets[i%many] = target(fmt.Sprint("w", i%many))
				events[i] = row.make(fmt.Sprint("w", i%many), i/many)
			}
			synced, done := make(chan bool), make(chan bool)
			source := scriptedSource(func(_ context.Context, report func(observe.Event) bool) error {
				defer close(done)
				for _, s := range events[:many] {
					report(s)
				}
				<-synced
				n := many
				for b.Loop() {
					for range each {
						report(events[n%len(events)])
						n++
					}
				}
				return nil
			})
			ctx, stop := context.WithCancel(b.Context())
			go func() {
				<-done
				stop()
			}()
			b.ReportAllocs()
			for u, err := range (observe.Watcher{Source: source, Requirements: row.requirements}).Updates(ctx, targets...) {
				if err != nil {
					b.Fatal(err)
				}
				if u.Synced && synced != nil {
					close(synced)
					synced = nil
				}
			}
		})
	}
}

// BenchmarkParts measures five thousand Pods of one object that become ready one after
// the other, after all had problems.
func BenchmarkParts(b *testing.B) {
	const many = 5000
	a := target("a")
	var pods, gone []observe.Event
	for i := range many {
		pods = append(pods, waitingPod(a, fmt.Sprint("p", i), "ErrImagePull"))
		gone = append(gone, notCounted(pods[i]))
	}
	b.ReportAllocs()
	for b.Loop() {
		source := sendAll(slices.Concat([]observe.Event{widget("a", "False", "1/3", nil)}, pods, gone, []observe.Event{widget("a", "True", "", nil)})...)
		outcome, _, err := observe.Watcher{Source: source}.Wait(b.Context(), observe.Policy{}, a)
		if err != nil || outcome != observe.OutcomeSuccess {
			b.Fatal(outcome, err)
		}
	}
}

// BenchmarkBoard measures a thousand updates on a board of ten thousand targets, with the
// outcome after each, as in a wait.
func BenchmarkBoard(b *testing.B) {
	const many, each = 10_000, 1000
	board := new(observe.Board)
	var updates []observe.Update
	for i := range many {
		updates = append(updates, updateWith(fmt.Sprint("w", i), observe.ProgressPending))
		board.Add(updates[i])
	}
	n := 0
	for b.Loop() {
		for range each {
			board.Add(updates[n%many])
			if board.Outcome(observe.Policy{}) != observe.OutcomePending {
				b.Fatal("it has ended")
			}
			n++
		}
	}
}

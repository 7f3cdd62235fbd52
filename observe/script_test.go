package observe_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"kstatus.dev/internal/bubble"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// A scriptedSource is a function as a Source. Observe returns its error at once or, without an
// error, when ctx ends.
type scriptedSource func(ctx context.Context, report func(observe.Event) bool) error

func (s scriptedSource) Observe(ctx context.Context, _ []observe.Target, report func(observe.Event) bool) error {
	if err := s(ctx, report); err != nil {
		return err
	}
	<-ctx.Done()
	return nil
}

// silentSource is a Source that ends at once.
type silentSource struct{}

func (silentSource) Observe(context.Context, []observe.Target, func(observe.Event) bool) error {
	return nil
}

// sendAll sends events, one right after the other.
func sendAll(all ...observe.Event) scriptedSource {
	return func(_ context.Context, report func(observe.Event) bool) error {
		for _, s := range all {
			report(s)
		}
		return nil
	}
}

// sendPaced sends events one second apart.
func sendPaced(all ...observe.Event) scriptedSource {
	return func(ctx context.Context, report func(observe.Event) bool) error {
		for i, s := range all {
			if i > 0 {
				bubble.Sleep(time.Second)
			}
			if ctx.Err() != nil {
				return nil
			}
			report(s)
		}
		return nil
	}
}

// A steppedSource sends the first event at once, and another after each step.
type steppedSource struct {
	events []observe.Event
	steps  chan struct{}
}

func newSteps(events ...observe.Event) steppedSource {
	return steppedSource{events: events, steps: make(chan struct{}, len(events))}
}

func (s steppedSource) step() { s.steps <- struct{}{} }

func (s steppedSource) Observe(ctx context.Context, _ []observe.Target, report func(observe.Event) bool) error {
	for _, e := range s.events {
		report(e)
		select {
		case <-s.steps:
		case <-ctx.Done():
			return nil
		}
	}
	return nil
}

func target(name string) observe.Target {
	return observe.Target{Kind: status.Kind{Group: "example.com", Kind: "Widget"}, Namespace: "shop", Name: name}
}

// widget returns an object with a Ready condition and additional metadata.
func widget(name, ready, message string, meta map[string]any) observe.Event {
	m := map[string]any{"name": name, "namespace": "shop", "uid": "u1", "generation": int64(1)}
	for k, v := range meta {
		m[k] = v
	}
	return observe.Event{Target: target(name), Object: status.Map{
		"apiVersion": "example.com/v1", "kind": "Widget", "metadata": m,
		"status": map[string]any{"conditions": []any{
			map[string]any{"type": "Ready", "status": ready, "message": message, "reason": "Test"},
		}},
	}}
}

// stalled returns an object whose controller reports that it is stalled.
func stalled(name string) observe.Event {
	s := widget(name, "False", "no", nil)
	s.Object.UnstructuredContent()["status"] = map[string]any{"conditions": []any{
		map[string]any{"type": "Stalled", "status": "True", "message": "gave up"},
	}}
	return s
}

// generation returns an object with a generation, and with the generation that its
// controller has observed.
func generation(name string, is, observed int64) observe.Event {
	s := widget(name, "True", "", map[string]any{"generation": is})
	s.Object.UnstructuredContent()["status"].(map[string]any)["observedGeneration"] = observed
	return s
}

// second and minute return contexts that end after that time.
func second(t *testing.T) context.Context { return contextWithTimeout(t, time.Second) }
func minute(t *testing.T) context.Context { return contextWithTimeout(t, time.Minute) }

func contextWithTimeout(t *testing.T, d time.Duration) context.Context {
	ctx, stop := context.WithTimeout(t.Context(), d)
	t.Cleanup(stop)
	return ctx
}

func missing(name string) observe.Event { return observe.Event{Target: target(name)} }

func unreadable(name, reason string) observe.Event {
	return observe.Event{Target: target(name), Err: &observe.Unreadable{Reason: reason, Text: "text of " + reason}}
}

// format renders an update in the form of the tests.
func format(u observe.Update) string {
	text := u.Target.Name + " " + string(u.Result.Status) + " " + string(u.Progress)
	if u.Previous != "" {
		text += " after " + string(u.Previous)
	}
	if u.Synced {
		text += ", synced"
	}
	return text
}

// collectAll collects the updates of one minute.
func collectAll(t *testing.T, w observe.Watcher, targets ...observe.Target) (lines []string) {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	for u, err := range w.Updates(ctx, targets...) {
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, format(u))
	}
	return lines
}

// A timedEvent is an event and its time.
type timedEvent struct {
	at    time.Duration
	event observe.Event
}

// sendAt sends events at their times, which ascend.
func sendAt(events ...timedEvent) scriptedSource {
	return func(ctx context.Context, report func(observe.Event) bool) error {
		start := time.Now()
		for _, m := range events {
			select {
			case <-ctx.Done():
				return nil
			case <-time.After(m.at - time.Since(start)):
			}
			report(m.event)
		}
		return nil
	}
}

// history returns the updates of ten minutes: the time, the target, its status and
// reason, and its progress.
func history(t *testing.T, w observe.Watcher, targets ...observe.Target) (lines []string) {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), 10*time.Minute)
	defer stop()
	start := time.Now()
	for u, err := range w.Updates(ctx, targets...) {
		if err != nil {
			t.Fatal(err)
		}
		line := fmt.Sprintf("%s %s %s/%s %s", time.Since(start), u.Target.Name, u.Result.Status, u.Result.Reason, u.Progress)
		if !u.StaleSince.IsZero() {
			line += fmt.Sprintf(", stale since %s", u.StaleSince.Sub(start))
		}
		if !u.FailsAt.IsZero() {
			line += fmt.Sprintf(", fails at %s", u.FailsAt.Sub(start))
		}
		if u.Removed {
			line += ", left"
		}
		lines = append(lines, line)
	}
	return lines
}

// sortWithin sorts lines that begin with the same time.
func sortWithin(lines []string) {
	slices.SortStableFunc(lines, func(a, b string) int {
		x, _, _ := strings.Cut(a, " ")
		y, _, _ := strings.Cut(b, " ")
		if x != y {
			return 0
		}
		return strings.Compare(a, b)
	})
}

func expect(t *testing.T, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("updates:\n have %s\n want %s", strings.Join(got, "\n      "), strings.Join(want, "\n      "))
	}
}

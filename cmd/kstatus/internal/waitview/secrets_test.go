package waitview

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/cmd/kstatus/internal/explainer"
	"kstatus.dev/cmd/kstatus/internal/goals"
	"kstatus.dev/internal/planted"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// A secretSource is a source that reports objects with secrets. For every tenth object it reports
// an error with the secret.
type secretSource map[observe.Target]planted.Plant

// Observe reports each target once.
func (g secretSource) Observe(ctx context.Context, targets []observe.Target, report func(observe.Event) bool) error {
	for i, t := range targets {
		e := observe.Event{Target: t, Object: &unstructured.Unstructured{Object: g[t].Object}}
		if i%10 == 0 {
			e.Object, e.Err = nil, &observe.Unreadable{Reason: "Transport", Text: "get: login with password=" + g[t].Secret + " failed"}
		}
		report(e)
	}
	<-ctx.Done()
	return nil
}

// waitForPlants waits for objects with secrets in a view, and returns the objects.
func waitForPlants(t *testing.T, view View, clock *EventClock, show bool) []planted.Plant {
	t.Helper()
	source := secretSource{}
	var targets []observe.Target
	plants := planted.Plants()
	for _, p := range plants {
		o := unstructured.Unstructured{Object: p.Object}
		gvk := o.GroupVersionKind()
		at := observe.Target{Kind: status.Kind(gvk.GroupKind()), Namespace: o.GetNamespace(), Name: o.GetName()}
		source[at], targets = p, append(targets, at)
	}
	view.SetTargets(nil)
	var notes bytes.Buffer
	loop := &Loop{
		Plan: &goals.Plan{Policy: observe.Policy{Once: true}}, Targets: targets, Show: view, Clock: clock, Now: time.Now, Notes: &notes,
		Explain: func(*observe.Board) *explainer.Explanation { return nil }, ShowSecrets: show,
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := loop.Run(ctx, observe.Watcher{Source: source, Evidence: true}); err == nil {
		t.Error("all objects are Current")
	}
	return plants
}

// TestNoSecretIsShown waits for objects with secrets, and searches the output of the views.
func TestNoSecretIsShown(t *testing.T) {
	for _, show := range []bool{false, true} {
		var log, lines, quiet bytes.Buffer
		clock := NewEventClock(time.Now())
		look := func(out *bytes.Buffer) Config {
			return Config{Out: out, Now: time.Now, EventTime: clock.Now, Began: clock.First, Full: true}
		}
		plants := waitForPlants(t, Multi{NewLog(look(&log)), NewJSON(look(&lines)), &Quiet{Log: NewLog(look(&quiet))}}, clock, show)
		for name, out := range map[string]*bytes.Buffer{"log": &log, "lines": &lines, "quiet": &quiet} {
			found := planted.Count(plants, out.String())
			if !show && found > 0 || show && found == 0 || strings.Count(out.String(), "\n") < 100 {
				t.Errorf("show is %t: %s has %d of %d secrets in %d bytes", show, name, found, len(plants), out.Len())
			}
		}
	}
}

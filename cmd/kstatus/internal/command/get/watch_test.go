package get

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/cmd/kstatus/internal/printer"
	"kstatus.dev/cmd/kstatus/internal/waitview"
	"kstatus.dev/internal/bubble"
	"kstatus.dev/internal/planted"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// A secretSource is a source that reports objects with secrets, until each has been reported.
type secretSource struct {
	plants map[observe.Target]planted.Plant
	done   context.CancelFunc
}

// Observe reports each target twice, since a watch also prints changes.
func (g secretSource) Observe(ctx context.Context, targets []observe.Target, report func(observe.Event) bool) error {
	for _, generation := range []int64{1, 2} {
		for _, t := range targets {
			o := &unstructured.Unstructured{Object: g.plants[t].Object}
			o = o.DeepCopy()
			o.SetGeneration(generation)
			report(observe.Event{Target: t, Object: o})
		}
		bubble.Sleep(time.Second) // until both are printed
	}
	g.done()
	<-ctx.Done()
	return nil
}

// A watch prints no secret in any format.
func TestWatchPrintsNoSecret(t *testing.T) { synctest.Test(t, testWatchPrintsNoSecret) }

func testWatchPrintsNoSecret(t *testing.T) {
	plants := planted.Plants()
	for _, format := range printer.FormatNames() {
		for _, show := range []bool{false, true} {
			if show && format != "json" {
				continue
			}
			source := secretSource{plants: map[observe.Target]planted.Plant{}}
			var targets []observe.Target
			for _, p := range plants {
				o := unstructured.Unstructured{Object: p.Object}
				kind := o.GroupVersionKind()
				at := observe.Target{Kind: status.Kind(kind.GroupKind()), Namespace: o.GetNamespace(), Name: o.GetName()}
				source.plants[at], targets = p, append(targets, at)
			}
			ctx, done := context.WithTimeout(t.Context(), time.Minute)
			source.done = done
			var out bytes.Buffer
			clock := waitview.NewEventClock(time.Now())
			view := &changePrinter{
				Config:  waitview.Config{Out: &out, Now: time.Now, EventTime: clock.Now, Began: clock.First},
				printer: printer.FormatOf(format).New(&out, printer.Options{Now: clock.First, Headers: true}), opening: output.Start{},
			}
			view.SetTargets(nil)
			if err := view.Start(); err != nil {
				t.Fatal(err)
			}
			loop := &changeLoop{targets: targets, show: view, clock: clock, now: time.Now, showSecrets: show}
			if err := (&command{}).watchChanges(ctx, observe.Watcher{Source: source, Evidence: true}, loop); err == nil {
				t.Error("a watch ends well only by an interrupt")
			}
			done()
			found := planted.Count(plants, out.String())
			if !show && found > 0 || show && found == 0 || strings.Count(out.String(), "\n") < 100 {
				t.Errorf("%s, show is %t: %d of %d secrets in %d bytes", format, show, found, len(plants), out.Len())
			}
		}
	}
}

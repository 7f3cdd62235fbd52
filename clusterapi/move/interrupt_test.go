package move_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"testing"
	"testing/synctest"

	"kstatus.dev/clusterapi/move"
)

// stride is the distance between the requests of TestInterruptions. It has no divisor in common
// with the number of ways to interrupt and to go on, so all of them meet all phases.
const stride = 11

// A mover is interrupted at a request, in three ways. It handles that itself, unlike a crash. Then
// the move is resumed or rolled back.
func TestInterruptions(t *testing.T) {
	ways := []string{"the network is cut before the request", "the answer is lost and the network is cut", "the context ends at the request"}
	for at, n := 1, 0; ; at, n = at+stride, n+1 {
		reached, way, goesBack := true, ways[n%3], n%2 == 1
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(t, fleetKinds, fleet+strangers, targetStrangers)
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			l := &line{w: w, at: at, lost: way == ways[1]}
			l.do = l.down
			if way == ways[2] {
				l.do = func() { cancel(errors.New("stopped by the test")) }
			}
			_, err := run(ctx, l.through(w.options()))
			if reached = l.sent >= at; !reached {
				return
			}
			l.up()
			phase := w.lastPhase()
			if err == nil {
				w.watcher.checkMoved(copied...)
				return // the request was one that the move can do without
			}
			if err := w.settle(w.options(), goesBack); err != nil {
				t.Errorf("%v, after %v", err, phase)
			}
			if t.Failed() {
				t.Errorf("interrupted at request %d while %s: %s", at, phase, way)
			}
		})
		if !reached || t.Failed() {
			t.Logf("%d interruptions in %d requests", n, at)
			return
		}
	}
}

// lastPhase returns the phase of the last event.
func (w *world) lastPhase() move.Phase {
	if len(w.events) == 0 {
		return ""
	}
	return w.events[len(w.events)-1].Phase
}

// settle rolls a move back, or completes it, and checks the end.
func (w *world) settle(o move.Options, goesBack bool) error {
	s, err := move.ReadStatus(w.Context(), o)
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && s.Phase == move.RolledBack:
		w.watcher.checkRolledBack()
		if o.Journal != "" {
			o.Journal += ".next"
		}
		_, err = run(w.Context(), o)
	case err == nil && goesBack && s.MayRollBack:
		_, err = rollBack(w.Context(), o)
		if _, is := errors.AsType[*move.IrreversibleError](err); !is {
			w.watcher.checkRolledBack()
			return err
		}
		_, err = resume(w.Context(), o)
	case err == nil:
		_, err = resume(w.Context(), o)
	}
	if err != nil {
		return fmt.Errorf("with the status %+v: %w", s, err)
	}
	w.watcher.checkMoved(copied...)
	return nil
}

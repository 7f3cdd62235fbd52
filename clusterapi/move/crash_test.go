package move_test

import (
	"errors"
	"io/fs"
	"testing"
	"testing/synctest"

	"kstatus.dev/clusterapi/move"
	"kstatus.dev/kube/wiretest"
)

// A move crashes after each request. Another process resumes it from what the first one has left.
func TestCrashes(t *testing.T) {
	for _, row := range places {
		t.Run("it resumes with the journal in "+row.it, func(t *testing.T) {
			record(t, row.change).each(t, func(w *world) {
				if err := w.goOn(with(w.options(), row.change)); err != nil {
					w.Error(err)
					return
				}
				w.watcher.checkMoved(copied...)
			})
		})
	}
}

// goOn resumes a move, or begins it if it has no journal yet. A move that is over has none either.
func (w *world) goOn(o move.Options) error {
	_, err := move.ReadStatus(w.Context(), o)
	switch {
	case err == nil:
		_, err = resume(w.Context(), o)
	case errors.Is(err, fs.ErrNotExist) && w.find(w.from, "Cluster shop/a") != nil:
		_, err = run(w.Context(), o)
	case errors.Is(err, fs.ErrNotExist):
		return nil
	}
	for _, s := range []*wiretest.Server{w.from, w.to} {
		for _, u := range s.Objects() {
			if u.GetNamespace() == "journals" {
				w.Errorf("%s is left", nameOf(u))
			}
		}
	}
	return err
}

// A move crashes after each request, and is rolled back. Once an original is prepared for its
// deletion, that is refused, and the move is resumed.
func TestRollbackAfterCrashes(t *testing.T) {
	rolledBack, refused := 0, 0
	record(t, places[0].change).each(t, func(w *world) {
		_, err := rollBack(w.Context(), w.options())
		if _, is := errors.AsType[*move.IrreversibleError](err); is {
			refused++
			if _, err := resume(w.Context(), w.options()); err != nil {
				w.Error(err)
				return
			}
			w.watcher.checkMoved(copied...)
			return
		}
		if err != nil {
			w.Error(err)
			return
		}
		rolledBack++
		w.watcher.checkRolledBack()
	})
	if rolledBack == 0 || refused == 0 {
		t.Errorf("%d moves were rolled back, and %d were not", rolledBack, refused)
	}
}

// A rollback crashes after each request, and is made again.
func TestCrashesOfRollbacks(t *testing.T) {
	shoot(t, func(w *world, begin func(move.Options) move.Options) {
		repair := reject(target, "create", "web-1-x")(w, nil)
		_, err := run(w.Context(), w.options())
		w.mustFail(err, "no room for web-1-x")
		repair()
		if _, err := rollBack(w.Context(), begin(w.options())); err != nil {
			w.Error(err)
		}
		w.watcher.checkRolledBack()
	}).each(t, func(w *world) {
		r, err := rollBack(w.Context(), w.options())
		if err != nil || r.Phase != move.RolledBack {
			w.Errorf("have the result %+v: %v", r, err)
			return
		}
		w.watcher.checkRolledBack()
	})
}

// A rollback that fails says so, and is made again.
func TestRollbackFails(t *testing.T) {
	inBubble(t, "it can be repeated", func(t *testing.T) {
		w := newWorld(t, fleetKinds, fleet+strangers, targetStrangers)
		accept := reject(target, "create", "web-1-x")(w, nil)
		_, err := run(t.Context(), w.options())
		w.mustFail(err, "no room for web-1-x")
		accept()
		repair := reject(target, "delete", "own")(w, nil)
		_, err = rollBack(t.Context(), w.options())
		interrupted, is := errors.AsType[*move.InterruptedError](err)
		if !is || interrupted.Phase != move.RollingBack {
			t.Errorf("have %#v, want an interruption of the rollback", err)
		}
		w.mustFail(err, "no room for own; roll it back again")
		_, err = resume(t.Context(), w.options())
		w.mustFail(err, "has begun to be rolled back; roll it back again")
		repair()
		if _, err := rollBack(t.Context(), w.options()); err != nil {
			t.Fatal(err)
		}
		w.watcher.checkRolledBack()
	})
}

// places are where the journal may be.
var places = []struct {
	it     string
	change func(*move.Options)
}{
	{"a file", func(*move.Options) {}},
	{"ConfigMaps", func(o *move.Options) { o.Journal, o.JournalNamespace, o.ID = "", "journals", "film" }},
}

// copied are the objects of a fleet that stay in the source too.
var copied = []string{"Secret shop/password"}

// each runs a test at each moment of a film.
func (f film) each(t *testing.T, test func(*world)) {
	t.Helper()
	t.Logf("%d moments", len(f.moments))
	for n, m := range f.moments {
		synctest.Test(t, func(t *testing.T) {
			w := f.restore(t, m)
			test(w)
			if t.Failed() {
				t.Errorf("moment %d, after %d changes, while %s", n, m.change, m.phase)
			}
		})
		if t.Failed() {
			return
		}
	}
}

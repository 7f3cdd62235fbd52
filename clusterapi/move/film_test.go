package move_test

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"kstatus.dev/clusterapi/internal/clusterapitest"
	"kstatus.dev/clusterapi/move"
	"kstatus.dev/kube/wiretest"
)

// A moment is everything that a crash of the mover leaves behind.
type moment struct {
	change  int // how many changes of both servers came before
	at      time.Time
	sides   [2]side
	journal []byte // nil: the file does not exist
	phase   move.Phase
}

// A film is a move from its first change to its last, as a sequence of moments.
type film struct {
	before  [2]side
	moments []moment
}

// record plays a move, and takes each moment at which the servers or the journal differ from the
// one before. A request that changes nothing leaves nothing behind. So these moments are what a
// crash after any request leaves, whether its answer arrived or not.
func record(t *testing.T, change func(*move.Options)) (f film) {
	return shoot(t, func(w *world, begin func(move.Options) move.Options) {
		w.mustRun(begin(with(w.options(), change)))
		w.watcher.checkMoved(copied...)
	})
}

// shoot records what play does after begin.
func shoot(t *testing.T, play func(w *world, begin func(move.Options) move.Options)) (f film) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, fleetKinds, fleet+strangers, targetStrangers)
		play(w, func(o move.Options) move.Options { return f.roll(w, o) })
	})
	return f
}

// roll begins to record, and returns options that record the journal too.
func (f *film) roll(w *world, o move.Options) move.Options {
	f.before = w.watcher.before
	changes, phase, seen := 0, move.Planned, map[string]bool{}
	last := [2]side{maps.Clone(w.watcher.now[source]), maps.Clone(w.watcher.now[target])}
	take := func(sides [2]side) {
		journal, err := os.ReadFile(w.journal)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			w.Error(err)
		}
		if key := fmt.Sprint(changes, sha256.Sum256(journal)); !seen[key] {
			seen[key] = true
			f.moments = append(f.moments, moment{changes, time.Now(), sides, journal, phase})
		}
	}
	w.watcher.changes = func() {
		take(last)
		changes++
		last = [2]side{maps.Clone(w.watcher.now[source]), maps.Clone(w.watcher.now[target])}
		take(last)
	}
	report := o.OnEvent
	o.OnEvent = func(e move.Event) {
		w.watcher.mu.Lock()
		phase = e.Phase
		take(last)
		w.watcher.mu.Unlock()
		report(e)
	}
	return o
}

// restore starts two clusters as they were at a moment.
func (f film) restore(t *testing.T, m moment) *world {
	w := &world{T: t, from: clusterapitest.NewServer(t, "source", fleetKinds...), to: clusterapitest.NewServer(t, "target", fleetKinds...), journal: journalIn(t)}
	time.Sleep(time.Until(m.at)) // a bubble begins at the same time as the one before
	for i, s := range []*wiretest.Server{w.from, w.to} {
		s.Load(slices.Collect(maps.Values(m.sides[i])))
	}
	if m.journal != nil {
		if err := os.WriteFile(w.journal, m.journal, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	w.start()
	w.watcher.before = f.before
	return w
}

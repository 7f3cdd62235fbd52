package move_test

import (
	"testing"
)

func TestMoveOnTheWire(t *testing.T) {
	inBubble(t, "moves a fleet", func(t *testing.T) {
		w := newWorld(t, fleetKinds, fleet+strangers, targetStrangers)
		r := w.mustRun(w.options())
		t.Log(r.Requests, r.Ended.Sub(r.Began), r.Moved, r.Copied, r.Kept)
		t.Log(w.notes())
		w.watcher.checkMoved("Secret shop/password")
	})
}

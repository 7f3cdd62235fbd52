package source

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/kube/internal/sleep"
	"kstatus.dev/kube/source/internal/listwatch"
	"kstatus.dev/status"
)

// checkPause is the minimum time between two checks of a definition.
const checkPause = 200 * time.Millisecond

// A gate delays events of a custom kind if its definition may have been replaced since it was read.
// That is possible if an object is newer. So no object is judged by an old schema. Events keep
// their order.
//
// The mutex of the target store guards the fields that change. A nil gate holds no events
// back.
type gate struct {
	schemas *schemas
	kind    status.Kind
	wakeup  chan struct{}

	closed bool
	held   []func()
	listed bool // all objects have been listed once
}

// newGate returns the gate for the objects of a kind; nil for kinds that need no schema.
func (s *schemas) newGate(kind status.Kind) *gate {
	if !s.isCustom(kind) {
		return nil
	}
	return &gate{schemas: s, kind: kind, wakeup: make(chan struct{}, 1)}
}

// relist records that a list of all objects begins.
func (g *gate) relist() {
	if g == nil {
		return
	}
	if g.listed {
		g.schemas.expire(g.kind)
	}
	g.listed = true
}

// checkCreated closes the gate if the object may belong to another definition than the loaded one.
func (g *gate) checkCreated(u *unstructured.Unstructured) {
	if g == nil || g.closed || g.schemas.predates(g.kind, u.GetCreationTimestamp().Time) {
		return
	}
	g.closed = true
	g.wakeup <- struct{}{} // does not block: only an open gate is closed
}

// isClosed reports whether events are held back.
func (g *gate) isClosed() bool { return g != nil && g.closed }

// handleEvent handles an event now, or holds it back if the gate is closed. The caller holds mu.
func (ts *targetStore) handleEvent(event func()) {
	if ts.gate.isClosed() {
		ts.gate.held = append(ts.gate.held, event)
		return
	}
	event()
}

// serveGate checks the definition when the gate is closed, and opens the gate. After a timeout
// it opens the gate without a readable definition.
func (st *strategy) serveGate(ctx context.Context, m *meta.RESTMapping) {
	g := st.targets.gate
	if g == nil {
		return
	}
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
			return
		case <-g.wakeup:
		}
		covered := 0 // the number of held events before the check
		pause := checkPause
		for began := time.Now(); ; pause = min(2*pause, listwatch.PendingPause) {
			st.targets.mu.Lock()
			covered = len(g.held)
			st.targets.mu.Unlock()
			if g.schemas.check(ctx, m, time.Now()) == nil || time.Since(began) >= schemaTimeout {
				break
			}
			if !sleep.For(ctx, pause) {
				return
			}
		}
		st.targets.open(covered)
		sleep.For(ctx, checkPause)
	}
}

// open releases the first held events. Events that came during the check are held until the next
// check, which is due if any exist.
func (ts *targetStore) open(first int) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	g := ts.gate
	for _, event := range g.held[:first] {
		event()
	}
	g.held = append([]func(){}, g.held[first:]...)
	if g.closed = len(g.held) > 0; g.closed {
		g.wakeup <- struct{}{} // does not block: the signal that closed the gate has been received
	}
}

package source

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/kube/source/internal/listwatch"
	"kstatus.dev/status"
)

// checkPause is the time from one check of a definition to the next, at least.
const checkPause = 200 * time.Millisecond

// A gate holds back what is read of a custom kind while its definition may have been
// replaced since it was read: when an object comes that is younger. So no object is
// judged by what an earlier definition promised. Events keep their order.
//
// The targets' mutex guards the fields that change. A nil gate holds nothing back.
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

// relist notes that all objects are about to be listed, perhaps again.
func (g *gate) relist() {
	if g == nil {
		return
	}
	if g.listed {
		g.schemas.expire(g.kind)
	}
	g.listed = true
}

// admit closes the gate if an object may be of another definition than the one that was read.
func (g *gate) admit(u *unstructured.Unstructured) {
	if g == nil || g.closed || g.schemas.predates(g.kind, u.GetCreationTimestamp().Time) {
		return
	}
	g.closed = true
	g.wakeup <- struct{}{} // has room: only a gate that was open is closed
}

// isClosed reports whether events are held back.
func (g *gate) isClosed() bool { return g != nil && g.closed }

// pass handles an event now, or holds it back if the gate is closed. The caller holds mu.
func (ts *targetStore) pass(event func()) {
	if ts.gate.isClosed() {
		ts.gate.held = append(ts.gate.held, event)
		return
	}
	event()
}

// serveGate checks the definition whenever the gate is closed, and opens it. A definition
// that cannot be read is done without after a while.
func (st *strategy) serveGate(ctx context.Context, m *meta.RESTMapping) {
	g := st.targets.gate
	if g == nil {
		return
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-g.wakeup:
		}
		covered := 0 // how many events were held back before the check that succeeds
		pause := checkPause
		for began := time.Now(); ; pause = min(2*pause, listwatch.PendingPause) {
			st.targets.mu.Lock()
			covered = len(g.held)
			st.targets.mu.Unlock()
			if g.schemas.check(ctx, m, time.Now()) == nil || time.Since(began) >= schemaTimeout {
				break
			}
			if !listwatch.Sleep(ctx, pause) {
				return
			}
		}
		st.targets.open(covered)
		if !listwatch.Sleep(ctx, checkPause) {
			return
		}
	}
}

// open opens the gate for the first events that are held back. The others have come
// during the check: they are held back until the next, which is due if there are any.
func (ts *targetStore) open(first int) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	g := ts.gate
	for _, event := range g.held[:first] {
		event()
	}
	g.held = append([]func(){}, g.held[first:]...)
	if g.closed = len(g.held) > 0; g.closed {
		g.wakeup <- struct{}{} // has room: the one that had closed the gate has been taken
	}
}

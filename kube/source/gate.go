package source

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/internal/sleep"
	"kstatus.dev/kube/source/internal/evictions"
	"kstatus.dev/kube/source/internal/expect"
	"kstatus.dev/kube/watcher"
	"kstatus.dev/status"
)

// checkPause is the minimum time between two loads.
const checkPause = 200 * time.Millisecond

// A gate delays events until what the verdicts on their objects need is loaded. A custom kind needs
// its definition, which may have been replaced since it was read. That is possible if an object is
// newer. A Pod or Job that has succeeded needs the events about its eviction. Events keep their order,
// and no request is sent while a lock is held.
//
// The mutex of the target store guards the fields that change. A nil gate holds no events
// back.
type gate struct {
	needs  func(u *unstructured.Unstructured) bool                          // reports whether an object must wait for a load
	load   func(ctx context.Context, waiting []status.Object) (loaded bool) // loads what they need; it is called again if it fails
	expire func()                                                           // called before each list of all objects but the first; nil: not
	wakeup chan struct{}

	closed  bool
	held    []func()
	waiting []status.Object // held objects that need a load
	listed  bool            // all objects have been listed once
}

// newGate returns the gate for the objects of a kind; nil for kinds that need nothing.
func (s *session) newGate(m *meta.RESTMapping) *gate {
	kind := expect.KindOf(m)
	switch {
	case s.schemas.isCustom(kind):
		return &gate{
			wakeup: make(chan struct{}, 1),
			needs: func(u *unstructured.Unstructured) bool {
				return !s.schemas.predates(kind, u.GetCreationTimestamp().Time)
			},
			load: func(ctx context.Context, _ []status.Object) bool {
				return s.schemas.check(ctx, m, time.Now()) == nil
			},
			expire: func() { s.schemas.expire(kind) },
		}
	case evictions.Concerns(kind):
		return &gate{
			wakeup: make(chan struct{}, 1),
			needs:  func(u *unstructured.Unstructured) bool { return s.evictions.Needs(u) },
			load: func(ctx context.Context, waiting []status.Object) bool {
				if err := s.evictions.Look(ctx, waiting...); err != nil && ctx.Err() == nil {
					s.Notes.Once("not read: " + err.Error())
				}
				return true
			},
		}
	}
	return nil
}

// relist records that a list of all objects begins.
func (g *gate) relist() {
	if g == nil {
		return
	}
	if g.listed && g.expire != nil {
		g.expire()
	}
	g.listed = true
}

// admit closes the gate if the object needs a load.
func (g *gate) admit(u *unstructured.Unstructured) {
	if g == nil || !g.needs(u) {
		return
	}
	g.waiting = append(g.waiting, u)
	if !g.closed {
		g.closed = true
		g.wakeup <- struct{}{} // does not block: only an open gate is closed
	}
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

// serveGate loads what the held events need, and opens the gate. After a timeout it opens the gate
// without it.
func (st *strategy) serveGate(ctx context.Context) {
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
		covered := 0 // the number of held events before the load
		pause := checkPause
		for began := time.Now(); ; pause = min(2*pause, watcher.UrgentPause) {
			st.targets.mu.Lock()
			covered = len(g.held)
			waiting := g.waiting
			g.waiting = nil
			st.targets.mu.Unlock()
			if g.load(ctx, waiting) || time.Since(began) >= schemaTimeout {
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

// open releases the first held events. Events that came during the load are held until the next
// one, which is due if any exist.
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

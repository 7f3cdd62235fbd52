package source

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/kube/source/internal/expect"
	"kstatus.dev/kube/source/internal/listwatch"
	"kstatus.dev/status"
)

// peerProbeInterval is the interval of checks for targets without a report. If two consecutive
// checks find any, other objects of their kind are read.
const peerProbeInterval = 4 * time.Second

// probePeers reads once what other objects of the kind report, if targets without a report are
// pending. It runs in the background, and is repeated if it fails.
func (st *strategy) probePeers(ctx context.Context, m *meta.RESTMapping) {
	s := st.session.schemas
	if !s.isCustom(st.targets.kind) {
		return
	}
	var tried time.Time
	for silent := 0; listwatch.Sleep(ctx, peerProbeInterval); {
		if silent++; !st.targets.hasUnreported() {
			silent = 0
		}
		if silent < 2 {
			continue
		}
		if tried.IsZero() {
			tried = time.Now()
		}
		err := s.readPeers(ctx, m)
		if err == nil || time.Since(tried) >= schemaTimeout {
			st.targets.closePeers()
		}
		if err == nil {
			return
		}
	}
}

// A peersClaim announces that a store's strategy will read other objects of its kind, because
// targets without a report are pending. The mutex of the store guards it.
type peersClaim struct {
	kinds  *expect.Kinds
	kind   status.Kind
	made   bool
	closed bool // they have been read, or cannot be read
}

// set makes the claim or withdraws it.
func (c *peersClaim) set(made bool) {
	if c == nil || c.closed || c.made == made {
		return
	}
	c.made = made
	if made {
		c.kinds.AwaitPeers(c.kind, 1)
	} else {
		c.kinds.AwaitPeers(c.kind, -1)
	}
}

// closePeers withdraws the claim of the store for good.
func (ts *targetStore) closePeers() {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	ts.peers.set(false)
	if ts.peers != nil {
		ts.peers.closed = true
	}
}

// readPeers reads what other objects of a kind report.
func (s *schemas) readPeers(ctx context.Context, m *meta.RESTMapping) error {
	this := s.schemaOf(expect.KindOf(m))
	this.mu.Lock()
	defer this.mu.Unlock()
	limited, cancel := context.WithTimeout(ctx, schemaTimeout)
	defer cancel()
	return s.reader.ReadPeers(limited, m)
}

// hasUnreported reports whether a target without a report is pending. If there is none, other
// objects are not awaited.
func (ts *targetStore) hasUnreported() bool {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	for _, state := range ts.states {
		if state.pending && state.unreported {
			return true
		}
	}
	ts.peers.set(false)
	return false
}

// unreportedBy returns a function that reports whether the controller has not yet written
// the declared fields of an object. It returns nil if that does not matter.
func (s *schemas) unreportedBy(m *meta.RESTMapping) func(*unstructured.Unstructured) bool {
	if !s.isCustom(expect.KindOf(m)) {
		return nil
	}
	return func(u *unstructured.Unstructured) bool { return !s.reader.Kinds.Reported(u) }
}

package source

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/internal/decoded"
	"kstatus.dev/internal/sleep"
	"kstatus.dev/kube/source/internal/expect"
)

const (
	peerProbeInterval = 4 * time.Second // of checks for targets without a report; the second one in a row reads other objects
	maxPeerProbes     = 8               // the number of checks in a row after which verdicts do not wait for other objects
)

// probePeers reads once what other objects of the kind report, if targets without a report are
// pending. It runs in the background, and is repeated if it fails.
func (st *strategy) probePeers(ctx context.Context, m *meta.RESTMapping) {
	s := st.session.schemas
	if !s.hasPeers(st.targets.kind) {
		return
	}
	for silent := 0; sleep.For(ctx, peerProbeInterval); {
		if silent++; !st.targets.hasUnreported() {
			silent = 0
		}
		read := silent >= 2 && s.readPeers(ctx, m) == nil
		if read || silent == maxPeerProbes {
			st.targets.peers.Close()
		}
		if read {
			return
		}
	}
}

// readPeers reads what other objects of a kind report.
func (s *schemas) readPeers(ctx context.Context, m *meta.RESTMapping) error {
	this := s.schemaOf(expect.KindOf(m))
	end, err := this.turn.Take(ctx)
	if err != nil {
		return err
	}
	defer end()
	limited, cancel := context.WithTimeout(ctx, schemaTimeout)
	defer cancel()
	return s.reader.ReadPeers(limited, m)
}

// hasUnreported reports whether a target without a report is pending. If not, it withdraws its claim.
func (ts *targetStore) hasUnreported() bool {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	for _, state := range ts.states {
		if state.pending && state.unreported {
			return true
		}
	}
	ts.peers.Set(false)
	return false
}

// unreportedBy returns a function that reports whether the controller has not yet written
// the declared fields of an object. It returns nil if that does not matter.
func (s *schemas) unreportedBy(m *meta.RESTMapping) func(*unstructured.Unstructured) bool {
	if field := parentLists[expect.KindOf(m)]; field != "" {
		return func(u *unstructured.Unstructured) bool {
			return len(decoded.List(u.Object, "status", field)) == 0
		}
	}
	if !s.isCustom(expect.KindOf(m)) {
		return nil
	}
	return func(u *unstructured.Unstructured) bool { return !s.reader.Kinds.Reported(u) }
}

package source

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/kube/expect"
	"kstatus.dev/kube/source/internal/listwatch"
)

// peerProbeInterval is how often targets without a report are looked for. If there
// are any twice in a row, other objects of their kind are read.
const peerProbeInterval = 4 * time.Second

// probePeers reads what other objects of the kind report, once, if targets are
// pending on which the controller has not reported. It keeps nobody waiting, and
// is repeated if it fails.
func (p *strategy) probePeers(ctx context.Context, m *meta.RESTMapping) {
	l := &p.session.schemas
	if l.reader.Kinds == nil || !l.isCustom(p.targets.kind) {
		return
	}
	for silent := 0; listwatch.Sleep(ctx, peerProbeInterval); {
		if silent++; !p.targets.hasUnreported() {
			silent = 0
		}
		if silent >= 2 && l.readPeers(ctx, m) == nil {
			return
		}
	}
}

// readPeers reads what other objects of a kind report.
func (l *schemas) readPeers(ctx context.Context, m *meta.RESTMapping) error {
	this := l.schemaOf(expect.KindOf(m))
	this.mu.Lock()
	defer this.mu.Unlock()
	limited, cancel := context.WithTimeout(ctx, schemaTimeout)
	defer cancel()
	return l.reader.Ask(limited, m)
}

// hasUnreported reports whether a target is pending on which nothing is reported.
func (r *targetStore) hasUnreported() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, st := range r.states {
		if st.pending && st.unreported {
			return true
		}
	}
	return false
}

// unreportedBy returns a function that tells whether the controller has not reported on an
// object what its kind promises; nil if that does not matter.
func (l *schemas) unreportedBy(m *meta.RESTMapping) func(*unstructured.Unstructured) bool {
	if l.reader.Kinds == nil || !l.isCustom(expect.KindOf(m)) {
		return nil
	}
	return func(u *unstructured.Unstructured) bool { return !l.reader.Kinds.Reported(u) }
}

package source

import (
	"context"
	"time"

	"kstatus.dev/kube/source/internal/listwatch"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/kube/expect"
)

// How often it is looked whether objects are waited for on which nothing has
// been reported. At the second time in a row others of their kind are looked at.
const peerProbeInterval = 4 * time.Second

// attend looks, while ctx lasts and once, at what others of a kind show, if
// objects are waited for on which its controller is silent. It keeps nobody
// waiting, and what goes wrong is tried again.
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

// ask looks at what others of a kind show.
func (l *schemas) readPeers(ctx context.Context, m *meta.RESTMapping) error {
	this := l.schemaOf(expect.KindOf(m))
	this.mu.Lock()
	defer this.mu.Unlock()
	limited, cancel := context.WithTimeout(ctx, schemaTimeout)
	defer cancel()
	return l.reader.Ask(limited, m)
}

// silent reports whether a target is waited for on which nothing has been reported.
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

// unheard returns what tells whether the controller of a kind is silent on an
// object; nil where that does not matter.
func (l *schemas) unreportedBy(m *meta.RESTMapping) func(*unstructured.Unstructured) bool {
	if l.reader.Kinds == nil || !l.isCustom(expect.KindOf(m)) {
		return nil
	}
	return func(u *unstructured.Unstructured) bool { return !l.reader.Kinds.Reported(u) }
}

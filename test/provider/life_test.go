package provider

import (
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/audit"
)

// A life is the audit of one object. The test decides how much time passes between its events, so
// that it need not wait for the limits of rules.
type life struct {
	auditor *audit.Auditor

	mu    sync.Mutex // guards the fields below, and the auditor
	ahead time.Duration
	seen  map[string]bool // the resourceVersions
	gone  bool
}

func newLife(o audit.Options) *life {
	return &life{auditor: audit.New(o), seen: map[string]bool{}}
}

// add audits a write.
func (l *life) add(write audit.Write) {
	l.mu.Lock()
	defer l.mu.Unlock()
	obj := &unstructured.Unstructured{Object: write.Object}
	l.seen[obj.GetResourceVersion()] = true
	l.gone = l.gone || write.Type == audit.WriteDeleted
	write.Time = write.Time.Add(l.ahead)
	l.auditor.Add(write)
}

// advance makes later writes later by d.
func (l *life) advance(d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ahead += d
	l.auditor.Add(audit.Write{Type: audit.WriteTick, Time: time.Now().Add(l.ahead)})
}

func (l *life) hasSeen(version string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.seen[version]
}

func (l *life) isGone() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.gone
}

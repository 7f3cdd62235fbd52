package watcher_test

import (
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/dropin"
	"kstatus.dev/dropin/internal/clustertest"
	"kstatus.dev/internal/bubble"
	"kstatus.dev/kube/wiretest"
)

const widget = "{apiVersion: example.com/v1, kind: Widget, metadata: {namespace: default, name: w}}"

// A kind that is not served any more has no objects, until it is served again.
func TestWithdrawnKind(t *testing.T) {
	inModes(t, func(w *wire, mode dropin.Mode) {
		w.Apply(clustertest.ConfigMap("a"), widget)
		r := w.watch(mode, nil, clustertest.ConfigMap("a"), widget)
		r.Within(time.Second, "Sync")
		w.Withdraw(clustertest.Widgets)
		w.EndWatches(wiretest.Close)
		bubble.Sleep(20 * time.Second)
		r.Within(0, "w NotFound")
		r.Expect()
		w.Serve(clustertest.Widgets)
		r.Within(20*time.Second, "w ")
	})
}

// A flakyMapper returns errors for kinds, and counts how often it is reset.
type flakyMapper struct {
	meta.RESTMapper

	mu     sync.Mutex // guards the fields below
	errs   map[string]error
	resets int
}

func (m *flakyMapper) RESTMapping(kind schema.GroupKind, versions ...string) (*meta.RESTMapping, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.errs[kind.Kind]; err != nil {
		return nil, err
	}
	return m.RESTMapper.RESTMapping(kind, versions...)
}

// Reset makes the mapper forget what it knows.
func (m *flakyMapper) Reset() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.resets++
}

// count returns how often the mapper was reset.
func (m *flakyMapper) count() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.resets
}

func (m *flakyMapper) repair(kind string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.errs, kind)
}

// A kind that cannot be read delays a deletion of another kind, but does not hide it.
func TestUnreadableKindHidesNoDeletion(t *testing.T) {
	for _, row := range []struct {
		it     string
		fail   func(w *wire) (repair func())
		within time.Duration // of the status after the repair
	}{
		{it: "always fails", within: 20 * time.Second, fail: func(w *wire) func() {
			return w.On(wiretest.Rule{Match: wiretest.Match{Resource: "secrets"}, Reply: unavailable})
		}},
		{it: "is not known because the discovery fails", within: 13 * time.Second, fail: func(w *wire) func() {
			m := &flakyMapper{RESTMapper: w.Mapper, errs: map[string]error{"Secret": errors.New("discovery is not available")}}
			w.Mapper = m
			return func() { m.repair("Secret") }
		}},
	} {
		t.Run(row.it, func(t *testing.T) {
			inModes(t, func(w *wire, mode dropin.Mode) {
				repair := row.fail(w)
				w.Apply(clustertest.ConfigMap("a"), clustertest.Secret("s"))
				r := w.watch(mode, nil, clustertest.ConfigMap("a"), clustertest.Secret("s"))
				r.Expect("a Current")
				w.Remove(clustertest.ConfigMap("a"))
				bubble.Sleep(29 * time.Second)
				r.Expect()
				bubble.Sleep(2 * time.Second)
				r.Expect("a NotFound")
				w.Apply(clustertest.ConfigMap("a"))
				r.Expect("a Current")
				repair()
				bubble.Sleep(row.within)
				r.Expect("s Current", "Sync")
			})
		})
	}
}

// A kind that is only slow holds deletions back for longer, since its statuses come first.
func TestSlowKindHoldsDeletions(t *testing.T) {
	inModes(t, func(w *wire, mode dropin.Mode) {
		w.Apply(clustertest.ConfigMap("a"), clustertest.Secret("s"))
		w.On(wiretest.Rule{Match: wiretest.Match{Resource: "secrets", Streamed: true}, Reply: badRequest})
		w.On(wiretest.Rule{Match: wiretest.Match{Resource: "secrets", Verbs: []string{"list"}}, Reply: wiretest.Reply{Delay: 50 * time.Second}})
		r := w.watch(mode, nil, clustertest.ConfigMap("a"), clustertest.Secret("s"))
		r.Expect("a Current")
		w.Remove(clustertest.ConfigMap("a"))
		w.Apply(clustertest.ConfigMap("a"))
		w.Remove(clustertest.ConfigMap("a"))
		bubble.Sleep(49 * time.Second)
		r.Expect()
		bubble.Sleep(2 * time.Second)
		r.Expect("s Current", "a NotFound", "a Current", "a NotFound", "Sync")
	})
}

// A kind that is defined during the watch is found, and the mapper is not reset more than once a
// second.
func TestKindThatIsDefinedLater(t *testing.T) {
	inModes(t, func(w *wire, mode dropin.Mode) {
		m := &flakyMapper{RESTMapper: w.Mapper, errs: map[string]error{"Widget": &meta.NoKindMatchError{}}}
		unknown := []string{strings.Replace(widget, "Widget", "Gadget", 1), strings.Replace(widget, "Widget", "Gizmo", 1)}
		w.Mapper = m
		w.Apply(clustertest.ConfigMap("a"), widget)
		r := w.watch(mode, nil, append(unknown, clustertest.ConfigMap("a"), widget)...)
		r.Within(time.Second, "Sync")
		bubble.Sleep(30 * time.Second)
		m.repair("Widget")
		if have := m.count(); have < 5 || have > 31 {
			t.Errorf("the mapper is reset %d times in 30 s", have)
		}
		r.Within(11*time.Second, map[dropin.Mode]string{dropin.Compat: "w Current", dropin.Right: "w InProgress"}[mode])
	})
}

// Errors of the discovery that a retry does not solve end the watch.
func TestForbiddenDiscovery(t *testing.T) {
	inModes(t, func(w *wire, mode dropin.Mode) {
		w.Mapper = &flakyMapper{RESTMapper: w.Mapper, errs: map[string]error{"Secret": forbiddenDiscovery{}}}
		r := w.watch(mode, nil, clustertest.Secret("s"))
		r.Expect("Error: discovery is forbidden")
	})
}

type forbiddenDiscovery struct{}

func (forbiddenDiscovery) Error() string { return "discovery is forbidden" }
func (forbiddenDiscovery) Status() metav1.Status {
	return metav1.Status{Code: http.StatusForbidden, Reason: metav1.StatusReasonForbidden}
}

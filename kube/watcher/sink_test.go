package watcher_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/dynamic"

	"kstatus.dev/internal/bubble"
	"kstatus.dev/kube/internal/wiretest"
	"kstatus.dev/kube/watcher"
)

var configMaps = wiretest.Resource{Version: "v1", Kind: "ConfigMap", Name: "configmaps"}

// quiet is how long a watch may be silent before it is checked.
const quiet = 30 * time.Second

// A sink records what it receives from a stream of a server.
type sink struct {
	t      *testing.T
	server *wiretest.Server

	mu    sync.Mutex // guards the fields below
	lines []string
	ends  bool // the next error ends the stream
	stale bool // the next check finds a difference
	over  bool // Run has returned

	checkTakes time.Duration // how long a check takes
	refuses    error         // the error for each object
}

// inBubble runs a test against a server. Time advances only while all goroutines wait.
func inBubble(t *testing.T, test func(t *testing.T, s *sink)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		test(t, &sink{t: t, server: wiretest.New(t, configMaps)})
	})
}

// start starts a stream that ends with the test.
func (s *sink) start(change func(*watcher.Stream)) {
	s.t.Helper()
	config := s.server.Config()
	config.QPS = -1
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		s.t.Fatal(err)
	}
	st := &watcher.Stream{
		Requests: watcher.RequestsFor(client.Resource(configMaps.GroupVersionResource()).Namespace("shop")), Sink: s,
		Unstreamed: new(atomic.Bool), Verifier: watcher.OnSilence(quiet, s.isStale),
	}
	if change != nil {
		change(st)
	}
	ctx, cancel := context.WithCancel(s.t.Context())
	var running sync.WaitGroup
	running.Go(func() {
		_ = st.Run(ctx) // the last line is the error
		s.mu.Lock()
		defer s.mu.Unlock()
		s.over = true
	})
	s.t.Cleanup(func() {
		cancel()
		running.Wait()
	})
}

// put stores a ConfigMap, and returns the line for its state.
func (s *sink) put(name string, labels ...string) string {
	u := configMap(name)
	if len(labels) > 0 {
		u.SetLabels(map[string]string{labels[0]: ""})
	}
	return name + "@" + s.server.Put(u)
}

func configMap(name string) *unstructured.Unstructured {
	u := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": "ConfigMap"}}
	u.SetNamespace("shop")
	u.SetName(name)
	return u
}

func (s *sink) record(line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lines = append(s.lines, line)
}

func (s *sink) Begin()     { s.record("begin") }
func (s *sink) End(string) { s.record("end") }

func (s *sink) Object(o metav1.Object, _ bool) error {
	s.record(o.GetName() + "@" + o.GetResourceVersion())
	return s.refuses
}

func (s *sink) Deleted(o metav1.Object) error {
	s.record(o.GetName() + " deleted")
	return nil
}

func (s *sink) Lost(restored bool) {
	if restored {
		s.record("restored")
	}
}

func (s *sink) Fail(f watcher.Failure) watcher.Reaction {
	switch {
	case f.Streamed:
		return watcher.ReactionListNow
	case f.IsResumable():
		return watcher.ReactionResume
	case errors.Is(f.Err, watcher.ErrShort):
		return watcher.ReactionList
	}
	s.record(f.Verb + " fails: " + f.Err.Error())
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ends {
		return watcher.ReactionEnd
	}
	return watcher.ReactionList
}

// beStale makes the next check find a difference.
func (s *sink) beStale() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stale = true
}

func (s *sink) isStale(context.Context) bool {
	s.record("check")
	bubble.Sleep(s.checkTakes)
	s.mu.Lock()
	defer s.mu.Unlock()
	stale := s.stale
	s.stale = false
	return stale
}

// received returns what was recorded since the last call.
func (s *sink) received() []string {
	synctest.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	have := s.lines
	s.lines = nil
	return have
}

// hasEnded reports whether the stream has ended.
func (s *sink) hasEnded() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.over
}

// expect fails the test unless exactly these lines were recorded since the last call, in order.
func (s *sink) expect(want ...string) {
	s.t.Helper()
	have := s.received()
	if !slices.Equal(have, want) {
		s.t.Errorf("the sink receives\n\t%s\nwant\n\t%s", strings.Join(have, "\n\t"), strings.Join(want, "\n\t"))
	}
}

// expectRequests fails the test unless exactly these requests were sent since the last call.
func (s *sink) expectRequests(want ...string) {
	s.t.Helper()
	synctest.Wait()
	var have []string
	for _, r := range s.server.Requests() {
		verb := r.Verb
		if r.Streamed {
			verb = "stream"
		}
		have = append(have, verb)
	}
	if !slices.Equal(have, want) {
		s.t.Errorf("requests %q, want %q", have, want)
	}
}

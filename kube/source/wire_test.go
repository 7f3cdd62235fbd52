package source_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/internal/bubble"
	"kstatus.dev/kube/internal/wiretest"
	"kstatus.dev/kube/source"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

var (
	configMaps  = wiretest.Resource{Version: "v1", Kind: "ConfigMap", Name: "configmaps"}
	secrets     = wiretest.Resource{Version: "v1", Kind: "Secret", Name: "secrets"}
	nodes       = wiretest.Resource{Version: "v1", Kind: "Node", Name: "nodes", ClusterScoped: true}
	widgets     = wiretest.Resource{Group: "example.com", Version: "v1", Kind: "Widget", Name: "widgets"}
	widgetsV2   = wiretest.Resource{Group: "example.com", Version: "v2", Kind: "Widget", Name: "widgets"}
	configMap   = status.Kind{Kind: "ConfigMap"}
	secret      = status.Kind{Kind: "Secret"}
	node        = status.Kind{Kind: "Node"}
	widget      = status.Kind{Group: "example.com", Kind: "Widget"}
	everyObject = wiretest.Match{Verbs: []string{"get", "list", "watch"}}
	anyList     = wiretest.Match{Verbs: []string{"list", "watch"}}
)

// A session is a Cluster that observes targets on a server, and its reports.
type session struct {
	t      *testing.T
	server *wiretest.Server

	mu     sync.Mutex // guards the fields below
	lines  []string
	notes  []string
	closed bool // targets are no longer waited for
	err    error
	over   bool // Observe has returned

	evaluator *status.Evaluator // of the last event
}

// inBubble runs a test against a server. Time advances only while all goroutines wait.
func inBubble(t *testing.T, test func(t *testing.T, s *session)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		test(t, &session{t: t, server: wiretest.New(t, configMaps, secrets, nodes, widgets)})
	})
}

// observe starts to observe targets, until the test ends.
func (s *session) observe(targets ...observe.Target) {
	s.t.Helper()
	s.observeAs(source.Cluster{}, targets...)
}

// observeAs is like observe, with the options of a Cluster.
func (s *session) observeAs(c source.Cluster, targets ...observe.Target) {
	s.t.Helper()
	if c.Client == nil {
		c.Config = s.server.Config()
	}
	c.OnNote = func(note string) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.notes = append(s.notes, note)
	}
	ctx, cancel := context.WithCancel(s.t.Context())
	var running sync.WaitGroup
	running.Go(func() {
		err := c.Observe(ctx, targets, s.recordEvent)
		s.mu.Lock()
		defer s.mu.Unlock()
		s.err, s.over = err, true
	})
	s.t.Cleanup(func() {
		cancel()
		running.Wait()
	})
	synctest.Wait()
}

// client returns a Client for the server, until the test ends.
func (s *session) client(o source.Options) *source.Client {
	s.t.Helper()
	c, err := source.NewClient(s.server.Config(), o)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(c.Close)
	return c
}

// onDefinition is a Rules that calls a function with each definition.
type onDefinition func(*unstructured.Unstructured)

func (f onDefinition) AddDefinition(o status.Object) { f(o.(*unstructured.Unstructured)) }

func (onDefinition) SelectRule(_ status.Kind, _ status.Object, builtin status.KindRule) status.KindRule {
	return builtin
}

func (s *session) recordEvent(event observe.Event) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.evaluator = event.Evaluator
	line := event.Target.Name
	if event.Target.IsSelection() {
		line = "all"
	}
	if event.Of != (observe.Target{}) && !event.Of.IsSelection() {
		line = event.Of.Name + " has " + line
	}
	switch {
	case event.Err != nil:
		line += " " + event.Err.(*observe.Unreadable).Reason + ": " + event.Err.Error()
	case event.Object != nil:
		line += "@" + event.Object.(*unstructured.Unstructured).GetResourceVersion()
	case !event.Target.IsSelection():
		line += " gone"
	}
	s.lines = append(s.lines, line)
	return !s.closed
}

// result returns the error of Observe, and whether it has returned.
func (s *session) result() (err error, over bool) {
	synctest.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err, s.over
}

// reported returns the reports since the last call, in order.
func (s *session) reported() []string {
	synctest.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	have := s.lines
	s.lines = nil
	return have
}

// expectReports fails the test unless exactly these lines were reported since the last call, in
// any order.
func (s *session) expectReports(lines ...string) {
	s.t.Helper()
	have := s.reported()
	slices.Sort(have)
	slices.Sort(lines)
	if !slices.Equal(have, lines) {
		s.t.Errorf("reported\n\t%s\nwant\n\t%s", strings.Join(have, "\n\t"), strings.Join(lines, "\n\t"))
	}
}

// expectNotes does the same for notes.
func (s *session) expectNotes(notes ...string) {
	s.t.Helper()
	synctest.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	have := s.notes
	s.notes = nil
	slices.Sort(have)
	slices.Sort(notes)
	if !slices.Equal(have, notes) {
		s.t.Errorf("noted\n\t%s\nwant\n\t%s", strings.Join(have, "\n\t"), strings.Join(notes, "\n\t"))
	}
}

// requested returns the requests for objects since the last call, in short form and
// sorted.
func (s *session) requested() (short []string) {
	synctest.Wait()
	for _, r := range s.server.Requests() {
		if r.Verb != "discover" && r.Verb != "create" {
			short = append(short, r.String())
		}
	}
	slices.Sort(short)
	return short
}

// expectRequests fails the test unless exactly these requests for objects were made.
func (s *session) expectRequests(requests ...string) {
	s.t.Helper()
	have := s.requested()
	slices.Sort(requests)
	if !slices.Equal(have, requests) {
		s.t.Errorf("requested\n\t%s\nwant\n\t%s", strings.Join(have, "\n\t"), strings.Join(requests, "\n\t"))
	}
}

// idle makes the wait end for every target at its next event.
func (s *session) idle() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
}

// within advances the clock until a reported line contains the text, and returns the time
// that took. It fails the test after a limit.
func (s *session) within(limit time.Duration, text string) time.Duration {
	s.t.Helper()
	began := time.Now()
	for {
		synctest.Wait()
		s.mu.Lock()
		found := slices.ContainsFunc(s.lines, func(line string) bool { return strings.Contains(line, text) })
		s.mu.Unlock()
		switch took := time.Since(began); {
		case found:
			return took
		case took >= limit:
			s.t.Fatalf("%q has not been reported within %s, but %q", text, limit, s.lines)
		}
		bubble.Sleep(10 * time.Millisecond)
	}
}

// object returns an object of a kind.
func object(kind status.Kind, namespace, name string) *unstructured.Unstructured {
	version := "v1"
	if kind.Group != "" {
		version = kind.Group + "/v1"
	}
	u := &unstructured.Unstructured{Object: map[string]any{"apiVersion": version, "kind": kind.Kind}}
	u.SetNamespace(namespace)
	u.SetName(name)
	return u
}

// named returns the targets of these names in a namespace.
func named(kind status.Kind, namespace string, names ...string) (all []observe.Target) {
	for _, name := range names {
		all = append(all, observe.Target{Kind: kind, Namespace: namespace, Name: name})
	}
	return all
}

// inNamespaces returns a target named x in each of n namespaces.
func inNamespaces(kind status.Kind, n int) (all []observe.Target) {
	for i := range n {
		all = append(all, observe.Target{Kind: kind, Namespace: fmt.Sprintf("ns%02d", i), Name: "x"})
	}
	return all
}

// numbered returns texts with the numbers from 0 to n-1 in them.
func numbered(format string, n int) (all []string) {
	for i := range n {
		all = append(all, fmt.Sprintf(format, i))
	}
	return all
}

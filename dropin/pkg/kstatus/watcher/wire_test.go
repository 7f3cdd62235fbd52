package watcher_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/client-go/dynamic"

	"kstatus.dev/dropin"
	"kstatus.dev/dropin/internal/clustertest"
	"kstatus.dev/dropin/pkg/kstatus/polling/event"
	"kstatus.dev/dropin/pkg/kstatus/watcher"
	"kstatus.dev/dropin/pkg/object"
)

// A wire is a cluster whose watches are recorded.
type wire struct{ *clustertest.Cluster }

// inBubble runs a test against a server. Time advances only while all goroutines wait.
func inBubble(t *testing.T, test func(w *wire)) {
	t.Helper()
	clustertest.Run(t, func(c *clustertest.Cluster) { test(&wire{c}) })
}

// inModes runs a test in both modes.
func inModes(t *testing.T, test func(w *wire, mode dropin.Mode)) {
	t.Helper()
	for _, mode := range []dropin.Mode{dropin.Compat, dropin.Right} {
		t.Run(mode.String(), func(t *testing.T) {
			inBubble(t, func(w *wire) { test(w, mode) })
		})
	}
}

// A record has the events of a watch.
type record struct {
	w *wire

	mu     sync.Mutex // guards the fields below
	lines  []string   // since the last call of a method
	last   map[string]event.Event
	closed bool
}

// watch starts a watch in a mode, which ends with the test.
func (w *wire) watch(mode dropin.Mode, change func(*watcher.DefaultStatusWatcher), targets ...string) *record {
	w.Helper()
	return w.watchIn(watcher.RESTScopeAutomatic, mode, change, clustertest.IDs(w.T, targets...))
}

// watchIn is watch with a strategy.
func (w *wire) watchIn(s watcher.RESTScopeStrategy, mode dropin.Mode, change func(*watcher.DefaultStatusWatcher), targets object.ObjMetadataSet) *record {
	w.Helper()
	client, err := dynamic.NewForConfig(w.REST)
	if err != nil {
		w.Fatal(err)
	}
	d := watcher.NewDefaultStatusWatcher(client, w.Mapper)
	d.Mode = mode
	if change != nil {
		change(d)
	}
	ctx, cancel := context.WithCancel(w.Context())
	r := &record{w: w, last: map[string]event.Event{}}
	var receiving sync.WaitGroup
	receiving.Go(func() {
		for e := range d.Watch(ctx, targets, watcher.Options{RESTScopeStrategy: s}) {
			r.add(e)
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		r.closed = true
	})
	w.Cleanup(func() {
		cancel()
		receiving.Wait()
	})
	return r
}

func (r *record) add(e event.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	line := words(e)
	if e.Resource != nil {
		r.last[e.Resource.Identifier.Name] = e
		if e.Resource.Error != nil {
			line += e.Resource.Error.Error()
		}
	}
	r.lines = append(r.lines, line)
}

// received returns the events since the last call in words.
func (r *record) received() []string {
	synctest.Wait()
	r.mu.Lock()
	defer r.mu.Unlock()
	have := r.lines
	r.lines = nil
	return have
}

// expect fails the test unless the events since the last call begin with these words.
func (r *record) expect(want ...string) {
	r.w.Helper()
	r.compare(r.received(), want)
}

// expectAnyOrder is expect for events whose order does not matter.
func (r *record) expectAnyOrder(want ...string) {
	r.w.Helper()
	have := r.received()
	slices.Sort(have)
	slices.Sort(want)
	r.compare(have, want)
}

func (r *record) compare(have, want []string) {
	r.w.Helper()
	if !slices.EqualFunc(have, want, strings.HasPrefix) {
		r.w.Errorf("events\n\t%s\nwant\n\t%s", strings.Join(have, "\n\t"), strings.Join(want, "\n\t"))
	}
}

// within advances the clock until an event begins with the words, and returns the time that took.
// It forgets the events until then, and fails the test after a limit.
func (r *record) within(limit time.Duration, want string) time.Duration {
	r.w.Helper()
	began := time.Now()
	for {
		synctest.Wait()
		r.mu.Lock()
		lines := r.lines
		at := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, want) })
		if at >= 0 {
			r.lines = lines[at+1:]
		}
		r.mu.Unlock()
		switch took := time.Since(began); {
		case at >= 0:
			return took
		case took >= limit:
			r.w.Fatalf("no event %q within %s, but\n\t%s", want, limit, strings.Join(lines, "\n\t"))
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// generated returns the generated resources of the last event of a target, as a tree in one line.
func (r *record) generated(name string) string {
	synctest.Wait()
	r.mu.Lock()
	defer r.mu.Unlock()
	e := r.last[name]
	if e.Resource == nil {
		return "no event"
	}
	return tree(e.Resource.GeneratedResources)
}

func tree(all event.ResourceStatuses) string {
	var texts []string
	for _, rs := range all {
		text := fmt.Sprintf("%s %s", rs.Identifier.Name, rs.Status)
		if below := tree(rs.GeneratedResources); below != "" {
			text += " (" + below + ")"
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, ", ")
}

// expectGenerated fails the test unless the last event of a target has these children.
func (r *record) expectGenerated(name, want string) {
	r.w.Helper()
	if have := r.generated(name); have != want {
		r.w.Errorf("%s has the children %q, want %q", name, have, want)
	}
}

package clustertest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing/synctest"
	"time"

	"kstatus.dev/dropin/pkg/kstatus/polling/event"
)

// Receive starts a watch or a poll that ends with the test, and records its events.
func (c *Cluster) Receive(start func(context.Context) <-chan event.Event) *Events {
	c.Helper()
	ctx, cancel := context.WithCancel(c.Context())
	r := &Events{c: c, last: map[string]event.Event{}}
	var receiving sync.WaitGroup
	receiving.Go(func() {
		for e := range start(ctx) {
			r.add(e)
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		r.closed = true
	})
	c.Cleanup(func() {
		cancel()
		receiving.Wait()
	})
	return r
}

// Events are those of a watch or of a poll.
type Events struct {
	c *Cluster

	mu     sync.Mutex // guards the fields below
	lines  []string   // since the last call of a method
	last   map[string]event.Event
	closed bool
}

func (r *Events) add(e event.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	line := Words(e)
	if e.Resource != nil {
		r.last[e.Resource.Identifier.Name] = e
		if e.Resource.Error != nil {
			line += e.Resource.Error.Error()
		}
	}
	r.lines = append(r.lines, line)
}

// Received returns the events since the last call in words.
func (r *Events) Received() []string {
	synctest.Wait()
	r.mu.Lock()
	defer r.mu.Unlock()
	have := r.lines
	r.lines = nil
	return have
}

// Expect fails the test unless the events since the last call begin with these words.
func (r *Events) Expect(want ...string) {
	r.c.Helper()
	r.compare(r.Received(), want)
}

// ExpectAnyOrder is Expect for events whose order does not matter.
func (r *Events) ExpectAnyOrder(want ...string) {
	r.c.Helper()
	have := r.Received()
	want = slices.Sorted(slices.Values(want))
	slices.Sort(have)
	r.compare(have, want)
}

func (r *Events) compare(have, want []string) {
	r.c.Helper()
	if !slices.EqualFunc(have, want, strings.HasPrefix) {
		r.c.Errorf("events\n\t%s\nwant\n\t%s", strings.Join(have, "\n\t"), strings.Join(want, "\n\t"))
	}
}

// Within advances the clock until an event begins with the words, and returns the time that took.
// It forgets the events until then, and fails the test after a limit.
func (r *Events) Within(limit time.Duration, want string) time.Duration {
	r.c.Helper()
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
			r.c.Fatalf("no event %q within %s, but\n\t%s", want, limit, strings.Join(lines, "\n\t"))
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// generated returns the generated resources of the last event of a target, as a tree in one line.
func (r *Events) generated(name string) string {
	e := r.Last(name)
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

// ExpectGenerated fails the test unless the last event of a target has these children.
func (r *Events) ExpectGenerated(name, want string) {
	r.c.Helper()
	if have := r.generated(name); have != want {
		r.c.Errorf("%s has the children %q, want %q", name, have, want)
	}
}

// Last returns the last event of a target. It has no resource if there is none.
func (r *Events) Last(name string) event.Event {
	synctest.Wait()
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.last[name]
}

// Closed reports whether the channel of events is closed.
func (r *Events) Closed() bool {
	synctest.Wait()
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.closed
}

// Words returns an event in words.
func Words(e event.Event) string {
	switch e.Type {
	case event.SyncEvent:
		return "Sync"
	case event.ErrorEvent:
		return "Error: " + e.Error.Error()
	}
	return strings.TrimSpace(fmt.Sprintf("%s %s: %s", e.Resource.Identifier.Name, e.Resource.Status, e.Resource.Message))
}

package observe_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"kstatus.dev/internal/bubble"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// FuzzUpdates generates events of a few targets from the data, and checks the guarantees
// of updates.
func FuzzUpdates(f *testing.F) {
	for _, seed := range [][]byte{{}, {1, 2, 3, 4}, []byte("\xccC0m\xf5\xe8"), []byte("\x80\x11\x22\x33\x44\x55\x66\x77\x88\x99\xaa\xbb\xcc\xdd\xee\xff\x01\x41\x52\x13\x64")} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) <= 200 {
			synctest.Test(t, func(t *testing.T) { newEventSequence(data).run(t) })
		}
	})
}

// TestUpdateInvariants does the same with random data.
func TestUpdateInvariants(t *testing.T) {
	random := rand.NewChaCha8([32]byte{1})
	for i := range 400 {
		data := make([]byte, 1+i%120)
		if _, err := random.Read(data); err != nil {
			t.Fatal(err)
		}
		synctest.Test(t, func(t *testing.T) { newEventSequence(data).run(t) })
		if t.Failed() {
			t.Fatalf("with the data %q", data)
		}
	}
}

// An eventSequence is a sequence of events. Each stream has its own goroutine, as a source may have
// for different targets. The last stream is the delay of the reader.
type eventSequence struct {
	streams [5][]byte
	last    map[observe.Target]observe.Event // the last event of each named target
	existed map[observe.Target]bool
	members map[observe.Target]bool
	mu      sync.Mutex
}

func newEventSequence(data []byte) *eventSequence {
	p := &eventSequence{last: map[observe.Target]observe.Event{}, existed: map[observe.Target]bool{}, members: map[observe.Target]bool{}}
	for i, b := range data {
		p.streams[i%len(p.streams)] = append(p.streams[i%len(p.streams)], b)
	}
	return p
}

var pauses = []time.Duration{0, 0, time.Millisecond, time.Second, 7 * time.Second, 31 * time.Second, 2 * time.Minute, 0}

// phaseEvent returns a widget with a phase that selects the verdict of its rule. n is the
// number of the event.
func phaseEvent(name string, b byte, n int) observe.Event {
	phase := []string{"Current", "Busy", "CrashLoop", "Young", "Dead", "Completed", "Gone"}[int(b)%7]
	meta := map[string]any{"generation": int64(1 + b>>7), "uid": fmt.Sprint("u", b>>6&1)}
	if phase == "Gone" {
		meta["deletionTimestamp"] = "2000-01-01T00:00:00Z"
	}
	s := widget(name, "", "", meta)
	s.Object.UnstructuredContent()["status"] = map[string]any{"phase": phase, "n": n}
	return s
}

// phaseRule is the rule for the widgets of phaseEvent. Its messages contain the number of the
// event.
func phaseRule(o *status.Fields) status.Result {
	n := o.Int("status.n", 0)
	switch phase := o.Text("status.phase", ""); phase {
	case "CrashLoop":
		return status.FailedRecoverable(phase, "%d:", n)
	case "Young":
		r := status.InProgress("ImagePullBackOff", "%d:", n)
		r.Failure, r.Recheck = status.FailureRecoverable, 10*time.Second
		return r
	case "Dead":
		return status.FailedTerminal("JobFailed", "%d:", n)
	case "Completed", "Current":
		return status.Current(phase, "%d:", n)
	}
	return status.InProgress("Busy", "%d:", n)
}

// named sends events of a target that is requested by name.
func (p *eventSequence) named(name string, stream []byte, report func(observe.Event) bool) {
	for n, b := range append(stream, 3) {
		bubble.Sleep(pauses[b>>3&7])
		s := missing(name)
		switch b & 7 {
		case 0, 1, 2, 3:
			s = phaseEvent(name, b>>1, n)
		case 5:
			s = unreadable(name, "Forbidden")
		case 6:
			s = unreadable(name, "Transport")
		case 7:
			s = unreadable(name, "NoMatch")
		}
		report(s)
		p.mu.Lock()
		p.last[s.Target] = s
		p.existed[s.Target] = p.existed[s.Target] || s.Object != nil
		p.mu.Unlock()
	}
}

// selected sends events of a selection.
func (p *eventSequence) selected(stream []byte, report func(observe.Event) bool) {
	for n, b := range stream {
		bubble.Sleep(pauses[b>>3&7])
		name := fmt.Sprint("m", b>>1&1)
		switch b & 7 {
		case 0, 1, 2:
			s := phaseEvent(name, b>>1, n)
			s.Of = shops
			report(s)
			p.members[s.Target] = true
			if state, _ := s.Object.UnstructuredContent()["status"].(map[string]any); state["phase"] == "Gone" {
				delete(p.members, s.Target) // deleted objects leave
			}
		case 3, 4:
			report(notMember(shops, name))
			delete(p.members, target(name))
		case 5:
			report(selectionUnreadable(shops, []string{"Forbidden", "Transport"}[b>>6&1]))
		case 6:
			report(selectionUnreadable(shops, "NoMatch"))
			clear(p.members)
		case 7:
			report(listed(shops))
		}
	}
	report(listed(shops))
}

// inParts sends events of the parts of the widget a.
func (p *eventSequence) inParts(stream []byte, report func(observe.Event) bool) {
	for _, b := range stream {
		bubble.Sleep(pauses[b>>3&7])
		name := fmt.Sprint("p", b>>1&1)
		switch b & 7 {
		case 0, 1:
			report(crashLoopPod(target("a"), name, int(b)))
		case 2, 3:
			report(waitingPod(target("a"), name, "ErrImagePull"))
		case 4:
			report(creatingPod(target("a"), name))
		default:
			report(notCounted(creatingPod(target("a"), name)))
		}
	}
}

func (p *eventSequence) Observe(ctx context.Context, _ []observe.Target, report func(observe.Event) bool) error {
	var group sync.WaitGroup
	group.Go(func() { p.named("a", p.streams[0], report) })
	group.Go(func() { p.named("b", p.streams[1], report) })
	group.Go(func() { p.selected(p.streams[2], report) })
	group.Go(func() { p.inParts(p.streams[3], report) })
	group.Wait()
	<-ctx.Done()
	return nil
}

// run sends the events and checks the updates.
func (p *eventSequence) run(t *testing.T) {
	w := observe.Watcher{Source: p, Heartbeat: 97 * time.Second}
	w.Evaluator.Rules = status.Rules{target("a").Kind: {Rule: phaseRule}}
	b := &observe.Requirements{Latch: true, Settle: 5 * time.Second, Timeout: 3 * time.Minute}
	w.RequirementsFor = func(of observe.Target) *observe.Requirements {
		if of == target("b") {
			return b
		}
		return nil
	}
	// Each stream pauses for at most two minutes at a time.
	ctx, stop := context.WithTimeout(t.Context(), time.Duration(len(p.streams[0])+5)*2*time.Minute+20*time.Minute)
	defer stop()
	c := &checker{t: t, requested: 3, lastOf: map[observe.Target]observe.Update{}, number: map[observe.Target]int{}}
	reads := 0
	for u, err := range w.Updates(ctx, target("a"), target("b"), shops) {
		if err != nil {
			t.Fatal(err)
		}
		c.check(u)
		if delay := p.streams[4]; len(delay) > 0 {
			bubble.Sleep(pauses[delay[reads%len(delay)]&7])
			reads++
		}
	}
	for of, s := range p.last {
		c.checkLast(c.lastOf[of], s, p.existed[of])
	}
	for of, u := range c.lastOf {
		if strings.HasPrefix(of.Name, "m") && !p.members[of] && u.Result.Reason != "ExpiredTTL" {
			t.Errorf("%s is not removed: %+v", of, u)
		}
	}
	for of := range p.members {
		if _, ok := c.lastOf[of]; !ok {
			t.Errorf("no update of %s", of)
		}
	}
	if !c.synced {
		t.Error("not all targets were reported")
	}
	c.board.Outcome(observe.Policy{})
}

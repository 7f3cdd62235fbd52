package source_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"kstatus.dev/internal/bubble"
	"kstatus.dev/kube/internal/wiretest"
	"kstatus.dev/kube/source"
	"kstatus.dev/observe"
)

// A follower is one of several waits that share a Client. It keeps the last event of each
// of its targets.
type follower struct {
	stop context.CancelFunc

	mu    sync.Mutex // guards the fields below
	last  map[string]string
	notes []string
	count int
}

// follow starts to observe targets through a Client, until the test or the follower ends.
func (s *session) follow(client *source.Client, c source.Cluster, targets ...observe.Target) *follower {
	f := &follower{last: map[string]string{}}
	ctx, stop := context.WithCancel(s.t.Context())
	var running sync.WaitGroup
	f.stop = func() { stop(); running.Wait() }
	c.Client = client
	c.OnNote = func(note string) {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.notes = append(f.notes, note)
	}
	running.Go(func() {
		err := c.Observe(ctx, targets, func(e observe.Event) bool {
			f.mu.Lock()
			defer f.mu.Unlock()
			f.count++
			switch {
			case e.Err != nil:
				f.last[e.Target.Name] = e.Err.Error()
			case e.Object == nil:
				f.last[e.Target.Name] = "gone"
			default:
				meta := e.Object.UnstructuredContent()["metadata"].(map[string]any)
				f.last[e.Target.Name] = fmt.Sprint(meta["resourceVersion"])
			}
			return true
		})
		if err != nil {
			s.t.Error(err)
		}
	})
	s.t.Cleanup(f.stop)
	return f
}

// expectObjects fails the test unless the last events of the follower are these, as name@version
// or name gone.
func (f *follower) expectObjects(t *testing.T, want ...string) {
	t.Helper()
	synctest.Wait()
	f.mu.Lock()
	defer f.mu.Unlock()
	var have []string
	for name, version := range f.last {
		have = append(have, strings.ReplaceAll(name+"@"+version, "@gone", " gone"))
	}
	slices.Sort(have)
	slices.Sort(want)
	if !slices.Equal(have, want) {
		t.Errorf("have %q, want %q", have, want)
	}
}

// watching returns the number of watches that were opened since the last call, by their
// selectors.
func (s *session) watching() map[string]int {
	opened := map[string]int{}
	for _, line := range s.requested() {
		if strings.HasPrefix(line, "watch ") {
			opened[line]++
		}
	}
	return opened
}

// Waits on one Client share a watch of the whole namespace if they have more than a few
// objects in it. Each wait gets only its own objects.
func TestWaitsShareAWatch(t *testing.T) {
	inBubble(t, func(t *testing.T, s *session) {
		client := s.client(source.Options{})
		versions := map[string]string{}
		for _, name := range numbered("c%02d", 40) {
			versions[name] = s.server.Put(object(configMap, "shop", name))
		}
		var followers []*follower
		for i := range 20 {
			followers = append(followers, s.follow(client, source.Cluster{}, named(configMap, "shop", fmt.Sprintf("c%02d", 2*i), fmt.Sprintf("c%02d", 2*i+1))...))
			synctest.Wait()
		}
		check := func() {
			t.Helper()
			synctest.Wait()
			for i, f := range followers {
				first, second := fmt.Sprintf("c%02d", 2*i), fmt.Sprintf("c%02d", 2*i+1)
				f.expectObjects(t, entry(first, versions), entry(second, versions))
			}
		}
		check()
		opened := s.watching()
		if n := total(opened); n > 5 {
			t.Errorf("20 waits have opened %d watches: %v", n, opened)
		}
		for _, name := range []string{"c00", "c11", "c39"} {
			versions[name] = s.server.Put(object(configMap, "shop", name))
		}
		check()
		s.server.Delete(object(configMap, "shop", "c20"))
		versions["c20"] = "gone"
		bubble.Sleep(10 * time.Second)
		check()

		// The other waits continue when one leaves.
		for _, f := range followers[:19] {
			f.stop()
		}
		followers, versions["c38"] = followers[19:], s.server.Put(object(configMap, "shop", "c38"))
		synctest.Wait()
		followers[0].expectObjects(t, entry("c38", versions), entry("c39", versions))
	})
}

func entry(name string, versions map[string]string) string {
	return strings.ReplaceAll(name+"@"+versions[name], "@gone", " gone")
}

func total(counts map[string]int) (n int) {
	for c := range maps.Values(counts) {
		n += c
	}
	return n
}

// Waits on one Client together read only the Secrets that each of them reads alone. This
// also holds if another wait follows all Secrets.
func TestWaitsForSecretsReadNoOthers(t *testing.T) {
	inBubble(t, func(t *testing.T, s *session) {
		client := s.client(source.Options{})
		var want []string
		for i := range 3 {
			names := numbered(fmt.Sprintf("s%d-%%d", i), 3)
			s.follow(client, source.Cluster{}, named(secret, "shop", names...)...)
			synctest.Wait()
			for _, name := range names {
				want = append(want, "watch secrets in shop named "+name)
			}
		}
		s.follow(client, source.Cluster{}, observe.Target{Kind: secret, Namespace: "shop"})
		synctest.Wait()
		s.follow(client, source.Cluster{}, named(secret, "shop", "late", "later")...)
		synctest.Wait()
		want = append(want, "watch secrets in shop", "watch secrets in shop named late", "watch secrets in shop named later")
		if have := slices.Sorted(maps.Keys(s.watching())); !slices.Equal(have, slices.Sorted(slices.Values(want))) {
			t.Errorf("have %q\nwant %q", have, want)
		}
	})
}

// A wait that joins a watch reads the existing objects with its own requests. It misses
// no event in the meantime.
func TestJoiningAWatch(t *testing.T) {
	// A response that is older than the changes, and arrives after them.
	slow := wiretest.Reply{Delay: 5 * time.Second, Body: `{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"namespace": "shop", "name": "b", "resourceVersion": "102"}}`}
	for _, row := range []struct {
		it      string
		rule    *wiretest.Rule
		names   []string
		after   time.Duration // after all have been seen
		changes func(s *session)
		want    []string
	}{
		{it: "gets few objects", names: []string{"a", "b", "missing"}, want: []string{"a@101", "b@102", "missing gone"}},
		{it: "lists many", names: append([]string{"a", "b"}, numbered("n%02d", 30)...), want: append([]string{"a@101", "b@102"}, numbered("n%02d gone", 30)...)},
		{
			it: "keeps changes during the gets", names: []string{"a", "b"}, after: 10 * time.Second,
			rule: &wiretest.Rule{Match: wiretest.Match{Verbs: []string{"get"}, Resource: "configmaps", Name: "b"}, Times: 1, Reply: slow},
			changes: func(s *session) {
				s.server.Put(object(configMap, "shop", "a"))
				s.server.Delete(object(configMap, "shop", "b"))
			},
			want: []string{"a@109", "b gone"},
		},
		{
			it: "tries again", names: []string{"a", "b"}, after: time.Minute,
			rule: &wiretest.Rule{Match: wiretest.Match{Verbs: []string{"get"}, Resource: "configmaps"}, Times: 3, Reply: wiretest.Reply{Code: 500}},
			want: []string{"a@101", "b@102"},
		},
	} {
		t.Run(row.it, func(t *testing.T) {
			inBubble(t, func(t *testing.T, s *session) {
				client := s.client(source.Options{})
				for _, name := range []string{"a", "b", "c", "d", "e", "f", "g", "h"} {
					s.server.Put(object(configMap, "shop", name))
				}
				s.follow(client, source.Cluster{}, named(configMap, "shop", "c", "d", "e", "f", "g", "h")...)
				synctest.Wait()
				if row.rule != nil {
					s.server.On(*row.rule)
				}
				f := s.follow(client, source.Cluster{}, named(configMap, "shop", row.names...)...)
				synctest.Wait()
				if row.changes != nil {
					bubble.Sleep(time.Second)
					row.changes(s)
				}
				bubble.Sleep(row.after)
				f.expectObjects(t, row.want...)
			})
		})
	}
}

// A refused request fails for all waits that share it, and each wait falls back on its
// own.
func TestSharedWatchIsRefused(t *testing.T) {
	inBubble(t, func(t *testing.T, s *session) {
		client := s.client(source.Options{})
		s.server.On(wiretest.Rule{Match: wiretest.Match{Verbs: []string{"list", "watch"}, Resource: "configmaps"}, Reply: wiretest.Forbidden})
		var want [][]string
		var followers []*follower
		for i := range 3 {
			names := numbered(fmt.Sprintf("c%d-%%d", i), 6)
			for j, name := range names {
				names[j] += "@" + s.server.Put(object(configMap, "shop", name))
			}
			want = append(want, names)
		}
		for i := range 3 {
			followers = append(followers, s.follow(client, source.Cluster{}, named(configMap, "shop", numbered(fmt.Sprintf("c%d-%%d", i), 6)...)...))
		}
		bubble.Sleep(time.Minute)
		for i, f := range followers {
			f.expectObjects(t, want[i]...)
			if len(f.notes) == 0 {
				t.Errorf("follower %d has no note", i)
			}
		}
	})
}

// After the last wait has left, no watch remains. The next wait starts a new one.
func TestWatchesEndWithTheirLastReader(t *testing.T) {
	inBubble(t, func(t *testing.T, s *session) {
		client := s.client(source.Options{})
		version := s.server.Put(object(configMap, "shop", "a"))
		for range 3 {
			f := s.follow(client, source.Cluster{}, named(configMap, "shop", "a")...)
			f.expectObjects(t, "a@"+version)
			if opened := s.watching(); total(opened) != 1 {
				t.Errorf("opened %v, want one watch", opened)
			}
			f.stop()
		}
		version = s.server.Put(object(configMap, "shop", "a"))
		synctest.Wait()
		s.follow(client, source.Cluster{}, named(configMap, "shop", "a")...).expectObjects(t, "a@"+version)
	})
}

// A wait that ends as soon as it has received its objects still gets its notes.
func TestNotesOfAnEndedWait(t *testing.T) {
	inBubble(t, func(t *testing.T, s *session) {
		s.server.On(wiretest.Rule{Match: wiretest.Match{Verbs: []string{"watch"}, Resource: "configmaps"}, Reply: wiretest.Forbidden})
		s.server.Put(object(configMap, "shop", "a"))
		var notes []string
		ctx, stop := context.WithCancel(t.Context())
		c := source.Cluster{Client: s.client(source.Options{}), OnNote: func(note string) { notes = append(notes, note) }}
		err := c.Observe(ctx, named(configMap, "shop", "a"), func(observe.Event) bool {
			stop()
			return false
		})
		if err != nil || len(notes) != 1 {
			t.Errorf("noted %q, %v", notes, err)
		}
	})
}

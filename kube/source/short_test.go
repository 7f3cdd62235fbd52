package source_test

import (
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/watch"

	"kstatus.dev/internal/bubble"
	"kstatus.dev/kube/internal/wiretest"
)

// Watches that end soon are reopened at longer and longer intervals, whatever events they
// had.
func TestShortWatchesAreReopenedWithPauses(t *testing.T) {
	a := object(configMap, "shop", "a")
	a.SetResourceVersion("1000")
	for _, row := range []struct {
		it     string
		events []wiretest.Event
		end    wiretest.End
		most   int // maximum number of requests in five seconds
	}{
		{"that send nothing", []wiretest.Event{}, wiretest.Close, 20},
		{"that send a bookmark", []wiretest.Event{{Type: watch.Bookmark, Version: "1000"}}, wiretest.Close, 20},
		{"that send an object", []wiretest.Event{{Type: watch.Modified, Object: a}}, wiretest.Close, 20},
		{"that are cut within an event", []wiretest.Event{{Type: watch.Modified, Object: a}}, wiretest.Cut, 20},
	} {
		t.Run(row.it, func(t *testing.T) {
			inBubble(t, func(t *testing.T, s *session) {
				s.server.Put(a)
				s.observe(named(configMap, "shop", "a")...)
				s.server.On(wiretest.Rule{Match: wiretest.Match{Verbs: []string{"watch"}}, Reply: wiretest.Reply{Events: row.events, End: row.end, Delay: time.Millisecond}})
				s.requested()
				s.server.EndWatches(wiretest.Close)
				bubble.Sleep(5 * time.Second)
				if have := len(s.requested()); have > row.most || have < 3 {
					t.Errorf("%d requests in 5 s, want 3 to %d", have, row.most)
				}
				bubble.Sleep(time.Minute)
				s.requested()
				bubble.Sleep(time.Minute)
				if have := len(s.requested()); have > 60 || have < 10 {
					t.Errorf("%d requests in a later minute, want 10 to 60", have)
				}
			})
		})
	}
}

// After a long watch, the next one opens at once.
func TestLongWatchesAreReopenedAtOnce(t *testing.T) {
	inBubble(t, func(t *testing.T, s *session) {
		s.server.Put(object(configMap, "shop", "a"))
		s.observe(named(configMap, "shop", "a")...)
		for range 20 {
			bubble.Sleep(6 * time.Second)
			s.requested()
			s.server.EndWatches(wiretest.Close)
			s.expectRequests("watch configmaps in shop named a")
		}
	})
}

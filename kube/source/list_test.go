package source_test

import (
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/watch"

	"kstatus.dev/internal/bubble"
	"kstatus.dev/kube/internal/wiretest"
	"kstatus.dev/kube/source"
)

// If the token of a page has expired, the whole list is read at once, without pages.
func TestPages(t *testing.T) {
	noStream := wiretest.Rule{Match: wiretest.Match{Streamed: true}, Reply: badRequest}
	for _, row := range []struct {
		it      string
		rules   []wiretest.Rule
		unpaged bool
	}{
		{it: "reads page after page", rules: []wiretest.Rule{noStream}},
		{it: "reads all in one request after an expired token", rules: []wiretest.Rule{noStream, {Match: wiretest.Match{Continued: true}, Reply: wiretest.Expired}}, unpaged: true},
	} {
		t.Run(row.it, func(t *testing.T) {
			inBubble(t, func(t *testing.T, s *session) {
				for _, rule := range row.rules {
					s.server.On(rule)
				}
				var want []string
				for _, name := range numbered("c%04d", 1100) {
					want = append(want, name+"@"+s.server.Put(object(configMap, "shop", name)))
				}
				s.observe(selection)
				s.expectReports(append(want, "all")...)
				pages, unpaged := 0, false
				for _, r := range s.server.Requests() {
					if r.Verb == "list" {
						pages++
						unpaged = unpaged || r.Limit == 0
					}
				}
				if pages != 3 || unpaged != row.unpaged {
					t.Errorf("have %d lists, one without a limit: %t", pages, unpaged)
				}
			})
		})
	}
}

// A streamed list that stalls is replaced by an ordinary list.
func TestStreamedListStalls(t *testing.T) {
	inBubble(t, func(t *testing.T, s *session) {
		version := s.server.Put(object(configMap, "shop", "a"))
		s.server.On(wiretest.Rule{
			Match: wiretest.Match{Streamed: true},
			Reply: wiretest.Reply{Events: []wiretest.Event{{Type: watch.Bookmark, Version: "1"}}},
		})
		s.observe(selection)
		bubble.Sleep(59 * time.Second)
		s.expectReports()
		bubble.Sleep(2 * time.Second)
		s.expectReports("a@"+version, "all")
		s.expectRequests("watch configmaps in shop", "list configmaps in shop", "watch configmaps in shop")
	})
}

// A streamed list that ends early is replaced by an ordinary list.
func TestStreamedListEndsEarly(t *testing.T) {
	for _, end := range []wiretest.End{wiretest.Close, wiretest.Cut} {
		inBubble(t, func(t *testing.T, s *session) {
			a, b := object(configMap, "shop", "a"), object(configMap, "shop", "b")
			first, second := s.server.Put(a), s.server.Put(b)
			a.SetResourceVersion(first)
			s.server.On(wiretest.Rule{
				Match: wiretest.Match{Streamed: true}, Times: 1,
				Reply: wiretest.Reply{Events: []wiretest.Event{{Type: watch.Added, Object: a}}, End: end},
			})
			s.observe(selection)
			s.expectReports("a@"+first, "b@"+second, "all")
			s.expectRequests("watch configmaps in shop", "list configmaps in shop", "watch configmaps in shop")
		})
	}
}

// A list that stalls, or whose connection ends, fails and is read again.
func TestIncompleteLists(t *testing.T) {
	for _, row := range []struct {
		it   string
		end  wiretest.End
		took time.Duration // the minimum time until that is reported
	}{
		{it: "waits half a minute for the rest", end: wiretest.Hang, took: 29 * time.Second},
		{it: "detects a truncated list", end: wiretest.Cut},
	} {
		t.Run(row.it, func(t *testing.T) {
			inBubble(t, func(t *testing.T, s *session) {
				version := s.server.Put(object(configMap, "shop", "a"))
				s.server.On(wiretest.Rule{Match: wiretest.Match{Streamed: true}, Reply: badRequest})
				s.server.On(wiretest.Rule{Match: wiretest.Match{Verbs: []string{"list"}}, Times: 1, Reply: wiretest.Reply{Bytes: 40, End: row.end}})
				s.observe(selection)
				if took := s.within(40*time.Second, "all Transport: list configmaps in namespace shop"); took < row.took {
					t.Errorf("it was given up after %s", took)
				}
				s.within(2*time.Second, "a@"+version)
			})
		})
	}
}

// Objects are listed at the requested interval.
func TestListsAtAnInterval(t *testing.T) {
	inBubble(t, func(t *testing.T, s *session) {
		a := object(configMap, "shop", "a")
		first := s.server.Put(a)
		s.observeAs(source.Cluster{Interval: time.Minute}, selection)
		s.expectReports("a@"+first, "all")
		second := s.server.Put(a)
		bubble.Sleep(59 * time.Second)
		s.expectReports()
		bubble.Sleep(2 * time.Second)
		s.expectReports("a@"+second, "all")
		s.requested()
		bubble.Sleep(10 * time.Minute)
		if have := s.requested(); len(have) != 10 || have[0] != "list configmaps in shop" {
			t.Errorf("requested %q in ten minutes", have)
		}
	})
}

// Objects that may be listed but not watched are listed every few seconds. After a while
// the watch is tried again.
func TestListsWhereWatchesAreForbidden(t *testing.T) {
	inBubble(t, func(t *testing.T, s *session) {
		permit := s.server.On(wiretest.Rule{Match: wiretest.Match{Verbs: []string{"watch"}}, Reply: wiretest.Forbidden})
		a := object(configMap, "shop", "a")
		first := s.server.Put(a)
		s.observe(selection)
		s.expectReports("a@"+first, "all")
		s.expectNotes("user eve may not watch configmaps in namespace shop: it is listed every few seconds")
		s.requested()
		second := s.server.Put(a)
		bubble.Sleep(3 * time.Second)
		s.within(time.Second, "a@"+second)
		permit()
		bubble.Sleep(20 * time.Second)
		s.requested()
		bubble.Sleep(10 * time.Second)
		s.expectRequests()
	})
}

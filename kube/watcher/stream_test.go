package watcher_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"

	"kstatus.dev/internal/bubble"
	"kstatus.dev/kube/internal/wiretest"
	"kstatus.dev/kube/watcher"
)

var (
	streams = wiretest.Match{Streamed: true}
	lists   = wiretest.Match{Verbs: []string{"list"}}
	watches = wiretest.Match{Verbs: []string{"watch"}}

	badRequest  = wiretest.Reply{Code: http.StatusBadRequest, Reason: metav1.StatusReasonBadRequest}
	unavailable = wiretest.Reply{Code: http.StatusServiceUnavailable, Reason: metav1.StatusReasonServiceUnavailable}
)

// The first objects come from one request where the server streams them, and otherwise from a list.
func TestFirstObjects(t *testing.T) {
	for _, row := range []struct {
		it       string
		rule     *wiretest.Rule
		takes    time.Duration // at least
		again    bool          // Begin is called again for the list
		requests []string
	}{
		{it: "is one request", requests: []string{"stream"}},
		{it: "is a list where the server does not stream", rule: &wiretest.Rule{Match: streams, Reply: badRequest}, requests: []string{"stream", "list", "watch"}},
		{it: "is a list where streams are forbidden", rule: &wiretest.Rule{Match: streams, Reply: wiretest.Forbidden}, requests: []string{"stream", "list", "watch"}},
		{
			it: "is a list where the stream does not mark its end", rule: &wiretest.Rule{Match: streams, Reply: wiretest.Reply{Events: []wiretest.Event{}}},
			takes: 10 * time.Second, again: true, requests: []string{"stream", "list", "watch"},
		},
		{
			it: "is a list after a stream that ends early", rule: &wiretest.Rule{Match: streams, Reply: wiretest.Reply{Events: []wiretest.Event{}, End: wiretest.Close}},
			again: true, requests: []string{"stream", "list", "watch"},
		},
		{
			it: "is a list after a stream with an error", again: true, requests: []string{"stream", "list", "watch"},
			rule: &wiretest.Rule{Match: streams, Reply: wiretest.Reply{Events: []wiretest.Event{{Type: watch.Error, Code: 500, Reason: metav1.StatusReasonInternalError}}}},
		},
		{
			it: "is a list if the server does not respond to the stream", rule: &wiretest.Rule{Match: streams, Reply: wiretest.Reply{Delay: time.Hour}},
			takes: 15 * time.Second, requests: []string{"stream", "list", "watch"},
		},
	} {
		t.Run(row.it, func(t *testing.T) {
			inBubble(t, func(t *testing.T, s *sink) {
				a, b := s.put("a"), s.put("b")
				if row.rule != nil {
					s.server.On(*row.rule)
				}
				s.start(nil)
				if row.takes > 0 {
					bubble.Sleep(row.takes - time.Millisecond)
					synctest.Wait()
					if have := len(s.server.Requests()); have != 1 {
						t.Errorf("%d requests before %s, want one", have, row.takes)
					}
					row.requests = row.requests[1:]
					bubble.Sleep(2 * time.Millisecond)
				}
				want := []string{"begin", a, b, "end"}
				if row.again {
					want = append([]string{"begin"}, want...)
				}
				s.expect(want...)
				s.expectRequests(row.requests...)
				s.server.Delete(configMap("a"))
				s.expect("a deleted", s.put("c"))
			})
		})
	}
}

// A server that does not stream is not asked again, and one that could not for the moment is.
func TestStreamIsRequestedAgain(t *testing.T) {
	for _, row := range []struct {
		it    string
		reply wiretest.Reply
		want  []string // requests for the second list
	}{
		{it: "does not support it", reply: badRequest, want: []string{"watch", "list", "watch"}},
		{it: "is not available", reply: unavailable, want: []string{"watch", "stream"}},
	} {
		t.Run(row.it, func(t *testing.T) {
			inBubble(t, func(t *testing.T, s *sink) {
				a := s.put("a")
				s.server.On(wiretest.Rule{Match: streams, Times: 1, Reply: row.reply})
				s.start(nil)
				s.expect("begin", a, "end")
				s.expectRequests("stream", "list", "watch")
				bubble.Sleep(6 * time.Second) // streams are requested again after a watch that lasts
				s.server.Compact()
				s.server.Silent(func() { s.server.Delete(configMap("a")) })
				s.server.EndWatches(wiretest.Close)
				bubble.Sleep(3 * time.Second)
				s.expect("begin", "end")
				s.expectRequests(row.want...)
			})
		})
	}
}

// A page whose token has expired is replaced by one list of all objects.
func TestPages(t *testing.T) {
	for _, row := range []struct {
		it     string
		rules  []wiretest.Rule
		begins int
		limits []int // of the lists
	}{
		{it: "reads page after page", begins: 1, limits: []int{500, 500, 500}},
		{it: "reads all objects at once after a token has expired", rules: []wiretest.Rule{{Match: wiretest.Match{Continued: true}, Reply: wiretest.Expired}}, begins: 2, limits: []int{500, 500, 0}},
	} {
		t.Run(row.it, func(t *testing.T) {
			inBubble(t, func(t *testing.T, s *sink) {
				for i := range 1100 {
					s.put(fmt.Sprintf("c%04d", i))
				}
				for _, rule := range row.rules {
					s.server.On(rule)
				}
				s.start(func(st *watcher.Stream) { st.Unstreamed = nil })
				begins, last := 0, map[string]bool{}
				for _, line := range s.received() {
					if last[line] = true; line == "begin" {
						begins, last = begins+1, map[string]bool{}
					}
				}
				if begins != row.begins || len(last) != 1101 || !last["end"] {
					t.Errorf("%d lists, the last with %d lines, want %d and the end after 1100", begins, len(last), row.begins)
				}
				var limits []int
				for _, r := range s.server.Requests() {
					if r.Verb == "list" {
						limits = append(limits, r.Limit)
					}
				}
				if fmt.Sprint(limits) != fmt.Sprint(row.limits) {
					t.Errorf("lists with limits %v, want %v", limits, row.limits)
				}
			})
		})
	}
}

// A watch that ends continues at its last version. Only an expired version needs another list.
func TestInterruptions(t *testing.T) {
	again := []string{"begin", "a@101", "b@102", "end"}
	for _, row := range []struct {
		it       string
		change   func(*wiretest.Server)
		want     []string
		requests []string
	}{
		{it: "closes the watch", change: func(s *wiretest.Server) { s.EndWatches(wiretest.Close) }, want: []string{"b@102"}, requests: []string{"watch"}},
		{it: "cuts the connection", change: func(s *wiretest.Server) { s.EndWatches(wiretest.Cut) }, want: []string{"b@102"}, requests: []string{"watch"}},
		{it: "is not available for a moment", change: func(s *wiretest.Server) {
			s.On(wiretest.Rule{Match: watches, Times: 1, Reply: unavailable})
			s.EndWatches(wiretest.Close)
		}, want: []string{"b@102"}, requests: []string{"watch", "list", "watch"}},
		{it: "has lost the history", change: func(s *wiretest.Server) {
			s.Compact()
			s.EndWatches(wiretest.Close)
		}, want: again, requests: []string{"watch", "stream"}},
		{it: "sends that the version has expired", change: func(s *wiretest.Server) {
			s.Send(wiretest.Event{Type: watch.Error, Code: http.StatusGone, Reason: metav1.StatusReasonExpired})
		}, want: again, requests: []string{"stream"}},
		{it: "permits no watch for a moment", change: func(s *wiretest.Server) {
			s.On(wiretest.Rule{Match: watches, Times: 1, Reply: wiretest.Forbidden})
			s.EndWatches(wiretest.Close)
		}, want: append([]string{"watch fails: watch configmaps in shop: forbidden"}, again...), requests: []string{"watch", "stream"}},
	} {
		t.Run(row.it, func(t *testing.T) {
			inBubble(t, func(t *testing.T, s *sink) {
				s.put("a")
				s.start(nil)
				s.expect("begin", "a@101", "end")
				s.expectRequests("stream")
				row.change(s.server)
				synctest.Wait()
				s.put("b")
				bubble.Sleep(5 * time.Second)
				s.expect(row.want...)
				s.expectRequests(row.requests...)
			})
		})
	}
}

// Where watches end at once, lists replace them, one every five seconds or so.
func TestWatchesThatEndAtOnce(t *testing.T) {
	inBubble(t, func(t *testing.T, s *sink) {
		s.put("a")
		remove := s.server.On(wiretest.Rule{Match: watches, Reply: wiretest.Reply{Events: []wiretest.Event{}, End: wiretest.Close}})
		s.start(func(st *watcher.Stream) { st.Unstreamed = nil })
		bubble.Sleep(20 * time.Second) // pauses grow at first
		s.received()
		bubble.Sleep(time.Minute)
		begins := 0
		for _, line := range s.received() {
			if strings.Contains(line, "fails") {
				t.Errorf("the sink receives %s", line)
			}
			if line == "begin" {
				begins++
			}
		}
		if begins < 9 || begins > 16 { // pauses are between 3.75 and 6.25 seconds
			t.Errorf("%d lists in a minute, want one every five seconds or so, and a watch after each", begins)
		}
		remove()
		bubble.Sleep(20 * time.Second)
		s.received()
		s.server.Requests()
		s.expect()
		s.server.Delete(configMap("a"))
		s.expect("a deleted")
		s.expectRequests()
	})
}

// A watch that is silent for half a minute is checked.
func TestSilence(t *testing.T) {
	inBubble(t, func(t *testing.T, s *sink) {
		a := s.put("a")
		s.start(nil)
		s.expect("begin", a, "end")
		bubble.Sleep(quiet - time.Second)
		s.server.Bookmark()
		bubble.Sleep(quiet - time.Second)
		s.expect()
		bubble.Sleep(2 * time.Second)
		s.expect("check")
		s.server.Silent(func() { s.server.Delete(configMap("a")) })
		bubble.Sleep(quiet - 2*time.Second)
		s.beStale()
		s.expect()
		bubble.Sleep(3 * time.Second)
		s.expect("check", "begin", "end")
		s.expectRequests("stream", "stream")
	})
}

func TestErrors(t *testing.T) {
	forbidden := "list fails: list configmaps in shop: forbidden"
	for _, row := range []struct {
		it    string
		rules []wiretest.Rule
		lasts bool // and succeeds at the second attempt
		after time.Duration
		want  []string
	}{
		{it: "ends after an error that the sink calls permanent", rules: []wiretest.Rule{{Reply: wiretest.Forbidden}}, want: []string{"begin", forbidden}},
		{it: "continues after another one", rules: []wiretest.Rule{{Times: 2, Reply: wiretest.Forbidden}}, lasts: true, after: time.Second, want: []string{"begin", forbidden, "begin", "a@101", "end"}},
		{
			it: "does not wait longer than a minute for a page", rules: []wiretest.Rule{{Match: streams, Reply: badRequest}, {Match: lists, Times: 1, Reply: wiretest.Reply{Delay: time.Hour}}},
			lasts: true, after: 61 * time.Second,
			want: []string{"begin", "list fails: the server did not respond in time", "begin", "a@101", "end"},
		},
		{
			it: "has the objects of a list although the watch fails", rules: []wiretest.Rule{{Match: watches, Reply: unavailable}},
			lasts: true, after: 100 * time.Millisecond, want: []string{"begin", "a@101", "end", "watch fails: watch configmaps in shop: service unavailable"},
		},
		{
			it: "does not take an empty watch that is forbidden for success", rules: []wiretest.Rule{{Match: watches, Reply: wiretest.Forbidden}},
			lasts: true, after: 100 * time.Millisecond, want: []string{"begin", "a@101", "end", "watch fails: watch configmaps in shop: forbidden"},
		},
	} {
		t.Run(row.it, func(t *testing.T) {
			inBubble(t, func(t *testing.T, s *sink) {
				s.put("a")
				for _, rule := range row.rules {
					s.server.On(rule)
				}
				s.ends = !row.lasts
				s.start(nil)
				bubble.Sleep(row.after)
				s.expect(row.want...)
				if s.hasEnded() == row.lasts {
					t.Errorf("Run has returned: %t, want %t", s.over, !row.lasts)
				}
			})
		})
	}
}

// The options of the stream are in every request.
func TestSelector(t *testing.T) {
	inBubble(t, func(t *testing.T, s *sink) {
		s.put("a")
		web := s.put("b", "web")
		s.start(func(st *watcher.Stream) { st.Options.LabelSelector, st.Unstreamed = "web", nil })
		s.expect("begin", web, "end")
		s.put("b")
		s.expect("b deleted")
		for _, r := range s.server.Requests() {
			if r.Labels != "web" {
				t.Errorf("%s has the selector %q", r, r.Labels)
			}
		}
	})
}

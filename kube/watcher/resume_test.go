package watcher_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"

	"kstatus.dev/internal/bubble"
	"kstatus.dev/kube/internal/wiretest"
	"kstatus.dev/kube/watcher"
)

// After a failure, a watch continues from its position only if the server still has it.
func TestPositionIsChecked(t *testing.T) {
	once := func(m wiretest.Match, r wiretest.Reply) wiretest.Rule {
		return wiretest.Rule{Match: m, Times: 1, Reply: r}
	}
	for _, row := range []struct {
		it       string
		rules    []wiretest.Rule
		after    time.Duration
		requests []string
	}{
		{it: "is checked by a list of one object", after: time.Second, requests: []string{"watch", "list", "watch"}},
		{
			it: "is trusted where lists are forbidden", rules: []wiretest.Rule{{Match: lists, Reply: wiretest.Forbidden}},
			after: time.Second, requests: []string{"watch", "list", "watch"},
		},
		{
			it: "is checked for 15 seconds at most", rules: []wiretest.Rule{once(lists, wiretest.Reply{Delay: time.Hour})},
			after: 17 * time.Second, requests: []string{"watch", "list", "stream"},
		},
	} {
		t.Run(row.it, func(t *testing.T) {
			inBubble(t, func(t *testing.T, s *sink) {
				s.put("a")
				s.start(nil)
				s.expectRequests("stream")
				for _, rule := range append(row.rules, once(watches, unavailable)) {
					s.server.On(rule)
				}
				s.server.EndWatches(wiretest.Close)
				bubble.Sleep(row.after)
				s.expectRequests(row.requests...)
				s.received()
				s.expect(s.put("b"))
			})
		})
	}
}

// A server whose lists show an earlier state three times in a row was restored from a backup.
func TestEarlierStates(t *testing.T) {
	for _, row := range []struct {
		it     string
		change func(*watcher.Stream)
		want   []string
	}{
		{
			it: "counts after three lists", want: []string{
				"begin", "a@51", // streamed: the version of the list comes last
				"begin", "list fails: the server has an earlier state than before",
				"begin", "list fails: the server has an earlier state than before",
				"begin", "restored", "list fails: the server has an earlier state than before",
				"begin", "a@51", "end",
			},
		},
		{it: "counts at once", change: func(st *watcher.Stream) { st.AcceptOlder = true }, want: []string{"begin", "a@51", "restored", "end"}},
	} {
		t.Run(row.it, func(t *testing.T) {
			inBubble(t, func(t *testing.T, s *sink) {
				s.put("a")
				s.start(row.change)
				s.expect("begin", "a@101", "end")
				s.server.Restore(50)
				s.put("a")
				s.server.Send(wiretest.Event{Type: watch.Error, Code: http.StatusGone, Reason: metav1.StatusReasonExpired})
				bubble.Sleep(10 * time.Second)
				s.expect(row.want...)
				s.expect(s.put("b"))
			})
		})
	}
}

// A streamed list that does not come to its end is replaced by another list.
func TestEndlessList(t *testing.T) {
	object := func(i int) wiretest.Event {
		u := configMap(fmt.Sprint("x", i))
		u.SetResourceVersion(fmt.Sprint(1000 + i))
		return wiretest.Event{Type: watch.Added, Object: u}
	}
	for _, row := range []struct {
		it       string
		selector string
		event    func(i int) wiretest.Event
		count    int
		requests []string
	}{
		{it: "has too many objects of one name", selector: "metadata.name=a", event: object, count: 101, requests: []string{"stream", "list", "watch"}},
		{it: "has many objects", event: object, count: 101, requests: []string{"stream"}},
		{it: "has too many bookmarks", count: 101, requests: []string{"stream", "list", "watch"}, event: func(i int) wiretest.Event {
			return wiretest.Event{Type: watch.Bookmark, Version: fmt.Sprint(1000 + i)}
		}},
	} {
		t.Run(row.it, func(t *testing.T) {
			inBubble(t, func(t *testing.T, s *sink) {
				s.put("a")
				events := []wiretest.Event{}
				for i := range row.count {
					events = append(events, row.event(i))
				}
				s.server.On(wiretest.Rule{Match: streams, Reply: wiretest.Reply{Events: events}})
				s.start(func(st *watcher.Stream) { st.Options.FieldSelector = row.selector })
				s.expectRequests(row.requests...)
			})
		})
	}
}

// Where each watch fails, lists replace them, even if the watches open.
func TestWatchesThatFail(t *testing.T) {
	for _, row := range []struct {
		it    string
		reply wiretest.Reply
	}{
		{"do not open", unavailable},
		{"begin with an error", wiretest.Reply{Events: []wiretest.Event{{Type: watch.Error, Code: 500, Reason: metav1.StatusReasonInternalError}}}},
		{"are expired", wiretest.Expired},
		{"expire at once", wiretest.Reply{Events: []wiretest.Event{{Type: watch.Error, Code: http.StatusGone, Reason: metav1.StatusReasonExpired}}}},
	} {
		t.Run(row.it, func(t *testing.T) {
			inBubble(t, func(t *testing.T, s *sink) {
				s.server.On(wiretest.Rule{Match: watches, Reply: row.reply})
				s.start(nil)
				bubble.Sleep(time.Minute)
				a := s.put("a")
				bubble.Sleep(20 * time.Second)
				if !slices.Contains(s.received(), a) {
					t.Errorf("%s is not reported", a)
				}
			})
		})
	}
}

// A server that is overloaded is tried again when it says.
func TestRetryAfter(t *testing.T) {
	inBubble(t, func(t *testing.T, s *sink) {
		s.start(nil)
		s.expectRequests("stream")
		s.server.Send(wiretest.Event{Type: watch.Error, Code: http.StatusTooManyRequests, Reason: metav1.StatusReasonTooManyRequests, RetryAfter: 20})
		bubble.Sleep(19 * time.Second)
		s.expectRequests()
		bubble.Sleep(2 * time.Second)
		s.expectRequests("list", "watch")
	})
}

// A difference that a check finds does not count if the watch has sent something in the meantime.
func TestEventDuringACheck(t *testing.T) {
	inBubble(t, func(t *testing.T, s *sink) {
		s.put("a")
		s.checkTakes = 5 * time.Second
		s.start(nil)
		bubble.Sleep(quiet + time.Second)
		s.expect("begin", "a@101", "end", "check")
		s.beStale()
		b := s.put("b")
		s.expect(b) // while the check is in progress
		bubble.Sleep(10 * time.Second)
		s.expect()
		s.expectRequests("stream")
	})
}

// An error of the Sink ends the watch.
func TestSinkRefusesAnObject(t *testing.T) {
	inBubble(t, func(t *testing.T, s *sink) {
		s.start(nil)
		s.expect("begin", "end")
		s.refuses = errors.New("it is of another kind")
		s.ends = true
		s.put("a")
		bubble.Sleep(time.Second)
		s.expect("a@101", "a@101", "watch fails: it is of another kind") // the watch is tried once more
		if !s.hasEnded() {
			t.Error("Run has not returned")
		}
	})
}

// A watch whose channel is not closed when it is stopped delays a Stream for a moment only.
func TestWatchThatDoesNotEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &sink{t: t, server: wiretest.New(t, configMaps)}
		proxy := watch.NewProxyWatcher(make(chan watch.Event))
		s.start(func(st *watcher.Stream) { st.Requests, st.Unstreamed = proxied{st.Requests, proxy}, nil })
		s.expect("begin", "end")
		bubble.Sleep(quiet + time.Second)
		s.beStale()
		bubble.Sleep(quiet + time.Second)
		s.expect("check", "check", "begin", "end")
	})
}

// proxied opens one watch.
type proxied struct {
	watcher.Requests
	w *watch.ProxyWatcher
}

func (p proxied) Watch(_ context.Context, _ metav1.ListOptions) (watch.Interface, error) {
	return p.w, nil
}

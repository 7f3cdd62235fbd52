package wire

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"kstatus.dev/observe"
	"kstatus.dev/test/faults"
)

// The requests to which the faults apply.
var (
	all     = faults.Match{}
	reads   = faults.Match{Verbs: []string{"get", "list", "watch"}, Resources: resources}
	lists   = faults.Match{Verbs: []string{"list"}, Resources: resources}
	watches = faults.Match{Verbs: []string{"watch"}, Resources: resources}
)

// first limits a Match to a number of requests.
func first(n int, m faults.Match) faults.Match {
	m.First = n
	return m
}

// A trouble is a fault with its Match.
type trouble struct {
	faults.Match
	faults.Fault
}

// An outage ends all watches and fails all requests from then on.
func outage(f faults.Fault) []trouble { return []trouble{{watches, faults.Cut{Abort: true}}, {all, f}} }

// Each row starts a wait, and injects its troubles while the objects change.
var rows = []struct {
	it     string
	http1  bool      // the client disables HTTP/2
	before []trouble // from before the start of the wait; they stay
	during []trouble // from when every target has a verdict
	hits   int       // number of hits of the last of these until they are lifted; 0: they stay
	after  []trouble // from when those are lifted
}{
	{it: "goes well"},

	// Watches end.
	{it: "loses its watch after each event", during: []trouble{{watches, faults.Cut{Events: 1}}}},
	{it: "loses its watch after each event, and is sent only a bookmark of it", during: []trouble{{watches, faults.Cut{Events: 1}}, {watches, faults.Bookmarks{}}}},
	{it: "loses its watch twice a second", during: []trouble{{watches, faults.Cut{After: 500 * time.Millisecond}}}},
	{it: "has its watch broken off twice a second", during: []trouble{{watches, faults.Cut{After: 500 * time.Millisecond, Abort: true}}}},
	{it: "has no watch that lasts", during: []trouble{{watches, faults.Cut{}}}},
	{it: "has its watches reset", during: []trouble{{watches, faults.Reset{}}}, hits: 3},
	{it: "cannot resume its watch: 410 Gone", during: outage(faults.Answer{}), hits: 1,
		after: []trouble{{first(4, watches), faults.Answer{Code: http.StatusGone}}}},
	{it: "cannot resume its watch: event ERROR 410", during: outage(faults.Answer{}), hits: 1,
		after: []trouble{{first(4, watches), faults.Expire{}}}},
	{it: "has each watch expire at once", during: []trouble{{watches, faults.Expire{}}}},
	{it: "has each watch expire after an event", during: []trouble{{watches, faults.Expire{Events: 1}}}},

	// The server sends unexpected responses.
	{it: "asks too much: 429 with Retry-After", during: outage(faults.Answer{Code: http.StatusTooManyRequests, RetryAfter: time.Second}), hits: 3},
	{it: "meets errors: 500", during: outage(faults.Answer{Code: http.StatusInternalServerError}), hits: 3},
	{it: "meets errors: 503", during: outage(faults.Answer{Code: http.StatusServiceUnavailable}), hits: 3},
	{it: "meets errors: 503 before it begins", before: []trouble{{first(6, all), faults.Answer{}}}},
	{it: "meets a load balancer: 502", during: outage(faults.Answer{Code: http.StatusBadGateway, Body: "<html>Bad Gateway</html>"}), hits: 3},
	{it: "has every third request fail", before: []trouble{{faults.Match{Share: 0.34}, faults.Answer{Code: http.StatusInternalServerError}}}},
	{it: "gets garbage for lists", during: []trouble{{watches, faults.Cut{}}, {watches, faults.Answer{Code: http.StatusGone}}, {lists, faults.Garbage{}}}, hits: 1},
	{it: "gets garbage for watches", during: []trouble{{watches, faults.Garbage{}}}},
	{it: "gets lists that are cut off", before: []trouble{{first(4, lists), faults.Truncate{}}, {watches, faults.Answer{Code: http.StatusGone}}}},
	{it: "gets watches that are cut off", during: []trouble{{watches, faults.Truncate{}}}},

	// The network is bad.
	{it: "has its connections reset", during: outage(faults.Reset{}), hits: 3},
	{it: "has each connection closed after a byte", during: outage(faults.Reset{Bytes: 1}), hits: 3},
	{it: "is far away", before: []trouble{{all, faults.Delay{Min: 200 * time.Millisecond, Jitter: 300 * time.Millisecond}}}},
	{it: "speaks HTTP/1.1 and has its connections reset", http1: true, during: outage(faults.Reset{}), hits: 3},
	{it: "speaks HTTP/1.1 and begins in a black hole", http1: true, before: []trouble{{first(3, all), faults.Silence{}}}},
	{it: "has a thin line", before: []trouble{{reads, faults.Trickle{Bytes: 256}}}},
	{it: "begins in a black hole: discovery", before: []trouble{{first(1, faults.Match{Resources: []string{"/apis", "/api", "/apis/apps/v1"}}), faults.Silence{}}}},
	{it: "begins in a black hole: lists", before: []trouble{{first(2, reads), faults.Silence{}}}},
	{it: "falls into a black hole: watches", during: []trouble{{watches, faults.Silence{}}}, hits: 2},
	{it: "falls into a black hole: new watches", during: []trouble{{watches, faults.Cut{}}, {watches, faults.Silence{}}}, hits: 1},
	{it: "falls into a black hole: connections", during: []trouble{{watches, faults.Silence{Connection: true}}}, hits: 1},

	// The watch sends wrong events.
	{it: "is told of nothing", during: []trouble{{watches, faults.Drop{}}}},
	{it: "is not told of deletions", during: []trouble{{watches, faults.Drop{Types: []string{"DELETED"}}}}},
	{it: "is told twice", during: []trouble{{watches, faults.Duplicate{}}}},
	{it: "is told in another order", during: []trouble{{watches, faults.Reorder{}}}},
	{it: "is sent only bookmarks", during: []trouble{{watches, faults.Bookmarks{}}}},

	// Permissions change.
	{it: "may not watch any more", during: []trouble{{watches, faults.Cut{}}, {watches, faults.Answer{Code: http.StatusForbidden}}}},
	{it: "may only get from the start", before: []trouble{{lists, faults.Answer{Code: http.StatusForbidden}}, {watches, faults.Answer{Code: http.StatusForbidden}}}},
	{it: "finds no watch served: 405", before: []trouble{{watches, faults.Answer{Code: http.StatusMethodNotAllowed}}}},
}

func TestWaitThroughFaults(t *testing.T) {
	t.Parallel()
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			t.Parallel()
			s, p := proxied(t)
			stay := inject(p, row.before)
			config := p.Config()
			if row.http1 {
				config.NextProtos = []string{"http/1.1"}
			}
			w := s.waitFor(config, observe.Policy{})
			w.syncs()
			if row.before == nil {
				until(t, "watches are open", func() bool {
					for _, resource := range resources[:2] {
						if p.Count(faults.Match{Verbs: watches.Verbs, Resources: []string{resource}}).Open == 0 {
							return false
						}
					}
					return true
				})
			}
			during := inject(p, row.during)
			if row.hits == 0 {
				stay = append(stay, during...)
			}
			w.pending()
			s.moveOn()
			if row.hits > 0 {
				until(t, "the faults have struck", func() bool { return struck(during) && during[len(during)-1].Hits() >= row.hits })
				w.pending()
				for _, in := range during {
					in.Off()
				}
				stay = append(stay, inject(p, row.after)...)
			}
			w.ends(observe.OutcomeSuccess)
			if !struck(stay) {
				t.Error("a fault has not struck")
			}
			w.quiet()
			t.Logf("%d updates, %d stale\n%s", len(w.updates), w.count(stale), p.Requests())
		})
	}
}

// A server outage keeps each verdict, and reports once that it is stale.
func TestOutage(t *testing.T) {
	t.Parallel()
	s, p := proxied(t)
	w := s.waitFor(p.Config(), observe.Policy{})
	w.syncs()
	out := inject(p, outage(faults.Reset{}))
	until(t, "every verdict is from before", func() bool { return w.stale() == len(w.latest()) })
	hits := out[1].Hits()
	until(t, "the server is asked some more", func() bool { return out[1].Hits() > hits+3 })
	if w.stale() != len(w.latest()) || w.count(unknown) > 0 {
		t.Errorf("in the outage: %s", w)
	}
	for _, in := range out {
		in.Off()
	}
	until(t, "every verdict is new", func() bool { return w.stale() == 0 })
	if n := w.count(losing()); n != len(w.latest()) {
		t.Errorf("verdicts have got out of reach %d times, want once each: %s", n, w)
	}
	w.succeeds(s)
}

func inject(p *faults.Proxy, troubles []trouble) (all []*faults.Injected) {
	for _, f := range troubles {
		all = append(all, p.Inject(f.Match, f.Fault))
	}
	return all
}

// struck reports whether each fault has applied.
func struck(all []*faults.Injected) bool {
	return !slices.ContainsFunc(all, func(in *faults.Injected) bool { return in.Hits() == 0 })
}

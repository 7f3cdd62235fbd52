package wire

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"kstatus.dev/observe"
	"kstatus.dev/test/lib/faults"
	"kstatus.dev/test/lib/poll"
)

// The requests to which the faults apply.
var (
	all     = faults.Match{}
	reads   = faults.Match{Verbs: []string{"get", "list", "watch"}, Resources: resources}
	lists   = faults.Match{Verbs: []string{"list"}, Resources: resources}
	watches = faults.Match{Verbs: []string{"watch"}, Resources: resources}
)

// limitTo limits a Match to a number of requests.
func limitTo(n int, m faults.Match) faults.Match {
	m.First = n
	return m
}

// A matchedFault is a fault with its Match.
type matchedFault struct {
	faults.Match
	faults.Fault
}

// An outage ends all watches and fails all requests from then on.
func outage(f faults.Fault) []matchedFault {
	return []matchedFault{{watches, faults.Cut{Abort: true}}, {all, f}}
}

// Each row starts a wait, and injects its troubles while the objects change.
var rows = []struct {
	it     string
	http1  bool           // the client disables HTTP/2
	before []matchedFault // from before the start of the wait; they stay
	during []matchedFault // from when every target has a verdict
	hits   int            // number of hits of the last of these until they are lifted; 0: they stay
	after  []matchedFault // from when those are lifted
}{
	{it: "goes well"},

	// Watches end.
	{it: "loses its watch after each event", during: []matchedFault{{watches, faults.Cut{Events: 1}}}},
	{it: "loses its watch after each event, and is sent only a bookmark of it", during: []matchedFault{{watches, faults.Cut{Events: 1}}, {watches, faults.Bookmarks{}}}},
	{it: "loses its watch twice a second", during: []matchedFault{{watches, faults.Cut{After: 500 * time.Millisecond}}}},
	{it: "has its watch broken off twice a second", during: []matchedFault{{watches, faults.Cut{After: 500 * time.Millisecond, Abort: true}}}},
	{it: "has no watch that lasts", during: []matchedFault{{watches, faults.Cut{}}}},
	{it: "has its watches reset", during: []matchedFault{{watches, faults.Reset{}}}, hits: 3},
	{it: "cannot resume its watch: 410 Gone", during: outage(faults.Answer{}), hits: 1,
		after: []matchedFault{{limitTo(4, watches), faults.Answer{Code: http.StatusGone}}}},
	{it: "cannot resume its watch: event ERROR 410", during: outage(faults.Answer{}), hits: 1,
		after: []matchedFault{{limitTo(4, watches), faults.Expire{}}}},
	{it: "has each watch expire at once", during: []matchedFault{{watches, faults.Expire{}}}},
	{it: "has each watch expire after an event", during: []matchedFault{{watches, faults.Expire{Events: 1}}}},

	// The server sends unexpected responses.
	{it: "asks too much: 429 with Retry-After", during: outage(faults.Answer{Code: http.StatusTooManyRequests, RetryAfter: time.Second}), hits: 3},
	{it: "meets errors: 500", during: outage(faults.Answer{Code: http.StatusInternalServerError}), hits: 3},
	{it: "meets errors: 503", during: outage(faults.Answer{Code: http.StatusServiceUnavailable}), hits: 3},
	{it: "meets errors: 503 before it begins", before: []matchedFault{{limitTo(6, all), faults.Answer{}}}},
	{it: "meets a load balancer: 502", during: outage(faults.Answer{Code: http.StatusBadGateway, Body: "<html>Bad Gateway</html>"}), hits: 3},
	{it: "has every third request fail", before: []matchedFault{{faults.Match{Share: 0.34}, faults.Answer{Code: http.StatusInternalServerError}}}},
	{it: "gets garbage for lists", during: []matchedFault{{watches, faults.Cut{}}, {watches, faults.Answer{Code: http.StatusGone}}, {lists, faults.Garbage{}}}, hits: 1},
	{it: "gets garbage for watches", during: []matchedFault{{watches, faults.Garbage{}}}},
	{it: "gets lists that are cut off", before: []matchedFault{{limitTo(4, lists), faults.Truncate{}}, {watches, faults.Answer{Code: http.StatusGone}}}},
	{it: "gets watches that are cut off", during: []matchedFault{{watches, faults.Truncate{}}}},

	// The network is bad.
	{it: "has its connections reset", during: outage(faults.Reset{}), hits: 3},
	{it: "has each connection closed after a byte", during: outage(faults.Reset{Bytes: 1}), hits: 3},
	{it: "is far away", before: []matchedFault{{all, faults.Delay{Min: 200 * time.Millisecond, Jitter: 300 * time.Millisecond}}}},
	{it: "speaks HTTP/1.1 and has its connections reset", http1: true, during: outage(faults.Reset{}), hits: 3},
	{it: "speaks HTTP/1.1 and begins in a black hole", http1: true, before: []matchedFault{{limitTo(3, all), faults.Silence{}}}},
	{it: "has a thin line", before: []matchedFault{{reads, faults.Trickle{Bytes: 256}}}},
	{it: "begins in a black hole: discovery", before: []matchedFault{{limitTo(1, faults.Match{Resources: []string{"/apis", "/api", "/apis/apps/v1"}}), faults.Silence{}}}},
	{it: "begins in a black hole: lists", before: []matchedFault{{limitTo(2, reads), faults.Silence{}}}},
	{it: "falls into a black hole: watches", during: []matchedFault{{watches, faults.Silence{}}}, hits: 2},
	{it: "falls into a black hole: new watches", during: []matchedFault{{watches, faults.Cut{}}, {watches, faults.Silence{}}}, hits: 1},
	{it: "falls into a black hole: connections", during: []matchedFault{{watches, faults.Silence{Connection: true}}}, hits: 1},

	// The watch sends wrong events.
	{it: "is told of nothing", during: []matchedFault{{watches, faults.Drop{}}}},
	{it: "is not told of deletions", during: []matchedFault{{watches, faults.Drop{Types: []string{"DELETED"}}}}},
	{it: "is told twice", during: []matchedFault{{watches, faults.Duplicate{}}}},
	{it: "is told in another order", during: []matchedFault{{watches, faults.Reorder{}}}},
	{it: "is sent only bookmarks", during: []matchedFault{{watches, faults.Bookmarks{}}}},

	// Permissions change.
	{it: "may not watch any more", during: []matchedFault{{watches, faults.Cut{}}, {watches, faults.Answer{Code: http.StatusForbidden}}}},
	{it: "may only get from the start", before: []matchedFault{{lists, faults.Answer{Code: http.StatusForbidden}}, {watches, faults.Answer{Code: http.StatusForbidden}}}},
	{it: "finds no watch served: 405", before: []matchedFault{{watches, faults.Answer{Code: http.StatusMethodNotAllowed}}}},
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
			w.waitForSync()
			if row.before == nil {
				poll.Wait(t, "watches are open", func() bool {
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
			s.completeTargets()
			if row.hits > 0 {
				poll.Wait(t, "the faults have struck", func() bool { return haveAllApplied(during) && during[len(during)-1].Hits() >= row.hits })
				w.pending()
				for _, in := range during {
					in.Off()
				}
				stay = append(stay, inject(p, row.after)...)
			}
			w.requireOutcome(observe.OutcomeSuccess)
			if !haveAllApplied(stay) {
				t.Error("a fault has not struck")
			}
			w.requireFewUpdates()
			t.Logf("%d updates, %d stale\n%s", len(w.updates), w.count(isStale), p.Requests())
		})
	}
}

// A server outage keeps each verdict, and reports once that it is stale.
func TestOutage(t *testing.T) {
	t.Parallel()
	s, p := proxied(t)
	w := s.waitFor(p.Config(), observe.Policy{})
	w.waitForSync()
	out := inject(p, outage(faults.Reset{}))
	poll.Wait(t, "every verdict is from before", func() bool { return w.countStale() == len(w.latest()) })
	hits := out[1].Hits()
	poll.Wait(t, "the server receives more requests", func() bool { return out[1].Hits() > hits+3 })
	if w.countStale() != len(w.latest()) || w.count(isUnknown) > 0 {
		t.Errorf("in the outage: %s", w)
	}
	for _, in := range out {
		in.Off()
	}
	poll.Wait(t, "every verdict is new", func() bool { return w.countStale() == 0 })
	if n := w.count(becomesStale()); n != len(w.latest()) {
		t.Errorf("verdicts have got out of reach %d times, want once each: %s", n, w)
	}
	w.succeeds(s)
}

func inject(p *faults.Proxy, troubles []matchedFault) (all []*faults.Injected) {
	for _, f := range troubles {
		all = append(all, p.Inject(f.Match, f.Fault))
	}
	return all
}

// haveAllApplied reports whether each fault has applied.
func haveAllApplied(all []*faults.Injected) bool {
	return !slices.ContainsFunc(all, func(in *faults.Injected) bool { return in.Hits() == 0 })
}

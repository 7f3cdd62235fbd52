package source_test

import (
	"net/http"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/watch"

	"kstatus.dev/kube/internal/wiretest"
	"kstatus.dev/kube/source"
	"kstatus.dev/observe"
)

// selection is everything of a kind in the namespace shop.
var selection = observe.Target{Kind: configMap, Namespace: "shop"}

// versionsOf returns from which versions watches have been opened, "list" for a
// watch that begins with one.
func (s *session) versionsOf() (versions []string) {
	for _, r := range s.server.Requests() {
		switch {
		case r.Verb == "watch" && r.Streamed:
			versions = append(versions, "list")
		case r.Verb == "watch":
			versions = append(versions, r.Version)
		}
	}
	return versions
}

func TestChangesAreReported(t *testing.T) {
	inBubble(t, func(t *testing.T, s *session) {
		a, b, other := object(configMap, "shop", "a"), object(configMap, "shop", "b"), object(configMap, "home", "a")
		first := s.server.Put(a)
		s.observe(named(configMap, "shop", "a", "b")...)
		s.wants("a@"+first, "b gone")
		second, created := s.server.Put(a), s.server.Put(b)
		s.server.Put(other)
		s.wants("a@"+second, "b@"+created)
		s.server.Delete(b)
		time.Sleep(time.Second)
		s.wants("b gone")
		created = s.server.Put(b)
		s.wants("b@" + created)
	})
}

func TestASelectionIsReported(t *testing.T) {
	inBubble(t, func(t *testing.T, s *session) {
		a, b := object(configMap, "shop", "a"), object(configMap, "shop", "b")
		a.SetLabels(map[string]string{"app": "web"})
		first := s.server.Put(a)
		s.server.Put(b)
		s.observe(observe.Target{Kind: configMap, Namespace: "shop", Match: observe.Matching("app=web", "")})
		s.wants("a@"+first, "all")
		b.SetLabels(map[string]string{"app": "web"})
		second := s.server.Put(b)
		s.wants("b@" + second)
		a.SetLabels(nil)
		s.server.Put(a)
		time.Sleep(time.Second)
		s.wants("a gone")
	})
}

// However a watch ends, the next one goes on where it was, and nothing is
// listed or reported twice.
func TestWatchesGoOnWhereTheyWere(t *testing.T) {
	for _, row := range []struct {
		it  string
		end func(s *session)
	}{
		{it: "goes on after a watch that the server ends", end: func(s *session) { s.server.EndWatches(wiretest.Close) }},
		{it: "goes on after a watch that is cut in the middle of an event", end: func(s *session) { s.server.EndWatches(wiretest.Cut) }},
		{it: "goes on after a watch that is over", end: func(s *session) { time.Sleep(11 * time.Minute) }},
	} {
		t.Run(row.it, func(t *testing.T) {
			inBubble(t, func(t *testing.T, s *session) {
				a := object(configMap, "shop", "a")
				first := s.server.Put(a)
				s.observe(selection)
				s.wants("a@"+first, "all")
				s.server.Put(object(configMap, "home", "a"))
				bookmark := s.server.Put(object(configMap, "home", "b"))
				s.server.Bookmark()
				time.Sleep(2 * time.Second)
				s.requested()
				row.end(s)
				second := s.server.Put(a)
				time.Sleep(2 * time.Second)
				s.wants("a@" + second)
				if have := s.versionsOf(); len(have) == 0 || have[0] != bookmark {
					t.Errorf("watches were opened from %q, want the bookmark's version %s", have, bookmark)
				}
			})
		})
	}
}

// What the server has forgotten is listed anew: what has changed, has come and
// is gone since is reported, and nothing else.
func TestHistoryThatIsGone(t *testing.T) {
	gone := wiretest.Event{Type: watch.Error, Code: http.StatusGone, Reason: metav1.StatusReasonExpired}
	for _, row := range []struct {
		it  string
		end func(s *session)
	}{
		{it: "lists anew after an ERROR event of the next watch", end: func(s *session) {
			s.server.Compact()
			s.server.EndWatches(wiretest.Close)
		}},
		{it: "lists anew after an ERROR event in the middle of a watch", end: func(s *session) { s.server.Send(gone) }},
		{it: "lists anew after an answer of 410", end: func(s *session) {
			s.server.On(wiretest.Rule{Match: wiretest.Match{Verbs: []string{"watch"}}, Times: 1, Reply: wiretest.Expired})
			s.server.EndWatches(wiretest.Close)
		}},
	} {
		t.Run(row.it, func(t *testing.T) {
			inBubble(t, func(t *testing.T, s *session) {
				a, b, c, d := object(configMap, "shop", "a"), object(configMap, "shop", "b"), object(configMap, "shop", "c"), object(configMap, "shop", "d")
				versions := []string{s.server.Put(a), s.server.Put(b), s.server.Put(c)}
				s.observe(selection)
				s.wants("a@"+versions[0], "b@"+versions[1], "c@"+versions[2], "all")
				time.Sleep(6 * time.Second)
				s.requested()
				var changed, created string
				s.server.Silent(func() {
					changed, created = s.server.Put(b), s.server.Put(d)
					s.server.Delete(c)
				})
				row.end(s)
				if took := s.within(time.Second, "all"); took == 0 {
					t.Error("it does not pause before it lists anew")
				}
				s.wants("b@"+changed, "c gone", "d@"+created, "all")
				if have := s.versionsOf(); have[len(have)-1] != "list" {
					t.Errorf("watches were opened from %q, want a list in the end", have)
				}
			})
		})
	}
}

// A page whose token has expired has the rest listed at once, without pages.
func TestPages(t *testing.T) {
	noStream := wiretest.Rule{Match: wiretest.Match{Streamed: true}, Reply: badRequest}
	for _, row := range []struct {
		it      string
		rules   []wiretest.Rule
		unpaged bool
	}{
		{it: "reads page after page", rules: []wiretest.Rule{noStream}},
		{it: "reads all at once after a token that has expired", rules: []wiretest.Rule{noStream, {Match: wiretest.Match{Continued: true}, Reply: wiretest.Expired}}, unpaged: true},
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
				s.wants(append(want, "all")...)
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

// A deletion is reported once a read confirms it. A watch that reports one
// that has not been is not believed, and all is listed anew.
func TestDeletionsAreConfirmed(t *testing.T) {
	a := object(configMap, "shop", "a")
	forbid := func(verbs ...string) wiretest.Rule {
		return wiretest.Rule{Match: wiretest.Match{Verbs: verbs}, Reply: wiretest.Forbidden}
	}
	for _, row := range []struct {
		it       string
		targets  []observe.Target
		rules    []wiretest.Rule // once all has been read
		lie      bool            // the object is not deleted
		requests []string
		want     []string
	}{
		{
			it: "gets the object", targets: named(configMap, "shop", "a"),
			requests: []string{"get configmaps in shop named a"}, want: []string{"a gone"},
		},
		{
			it: "lists the object if it may not be got", targets: named(configMap, "shop", "a"), rules: []wiretest.Rule{forbid("get")},
			requests: []string{"get configmaps in shop named a", "list configmaps in shop named a"}, want: []string{"a gone"},
		},
		{
			it: "believes the watch if the object may neither be got nor listed", targets: named(configMap, "shop", "a"), rules: []wiretest.Rule{forbid("get", "list")},
			requests: []string{"get configmaps in shop named a", "list configmaps in shop named a"}, want: []string{"a gone"},
		},
		{
			it: "lists an object with its selector", targets: []observe.Target{{Kind: configMap, Namespace: "shop", Match: observe.Matching("app", "")}},
			requests: []string{"list configmaps in shop named a with app"}, want: []string{"a gone"},
		},
		{
			it: "lists all after a deletion that was none", targets: named(configMap, "shop", "a"), lie: true,
			requests: []string{"get configmaps in shop named a", "watch configmaps in shop named a"},
		},
		{
			it: "lists the selection after a deletion that was none", targets: []observe.Target{selection}, lie: true,
			requests: []string{"get configmaps in shop named a", "watch configmaps in shop"}, want: []string{"all"},
		},
	} {
		t.Run(row.it, func(t *testing.T) {
			inBubble(t, func(t *testing.T, s *session) {
				a := a.DeepCopy()
				a.SetLabels(map[string]string{"app": "web"})
				a.SetResourceVersion(s.server.Put(a))
				s.observe(row.targets...)
				time.Sleep(6 * time.Second)
				s.requested()
				s.reported()
				for _, rule := range row.rules {
					s.server.On(rule)
				}
				if row.lie {
					s.server.Send(wiretest.Event{Type: watch.Deleted, Object: a})
				} else {
					s.server.Delete(a)
				}
				s.wants()
				time.Sleep(time.Second)
				s.wants(row.want...)
				s.wantsRequests(row.requests...)
			})
		})
	}
}

// Deletions that come together are confirmed by one list if they are many.
func TestManyDeletionsAreConfirmedTogether(t *testing.T) {
	inBubble(t, func(t *testing.T, s *session) {
		names := numbered("c%d", 6)
		for _, name := range names {
			s.server.Put(object(configMap, "shop", name))
		}
		s.observe(named(configMap, "shop", names...)...)
		s.requested()
		s.reported()
		for _, name := range names {
			s.server.Delete(object(configMap, "shop", name))
		}
		time.Sleep(time.Second)
		s.wants(numbered("c%d gone", 6)...)
		s.wantsRequests("list configmaps in shop")
	})
}

// An object that comes back while its deletion is looked into is not gone.
func TestADeletionThatIsOverBeforeItIsConfirmed(t *testing.T) {
	inBubble(t, func(t *testing.T, s *session) {
		a := object(configMap, "shop", "a")
		s.server.Put(a)
		s.observe(named(configMap, "shop", "a")...)
		s.reported()
		s.server.On(wiretest.Rule{Match: wiretest.Match{Verbs: []string{"get"}}, Reply: wiretest.Reply{Delay: time.Second}})
		s.server.Delete(a)
		time.Sleep(500 * time.Millisecond)
		again := s.server.Put(a)
		s.wants("a@" + again)
		time.Sleep(5 * time.Second)
		s.wants()
	})
}

// A watch that tells nothing of a change is found out within half a minute if
// something is waited for, and all is listed anew.
func TestAWatchThatMissesSomethingIsFoundOut(t *testing.T) {
	for _, row := range []struct {
		it      string
		targets []observe.Target
		before  []string
		change  func(s *session, a *unstructured.Unstructured) string
		looks   string // the request that finds it out
	}{
		{
			it: "finds a change", targets: named(configMap, "shop", "a"), before: []string{"a"},
			change: func(s *session, a *unstructured.Unstructured) string { return "a@" + s.server.Put(a) },
			looks:  "get configmaps in shop named a",
		},
		{
			it: "finds an object that is new", targets: named(configMap, "shop", "a"),
			change: func(s *session, a *unstructured.Unstructured) string { return "a@" + s.server.Put(a) },
			looks:  "get configmaps in shop named a",
		},
		{
			it: "finds a deletion", targets: named(configMap, "shop", "a"), before: []string{"a"},
			change: func(s *session, a *unstructured.Unstructured) string { s.server.Delete(a); return "a gone" },
			looks:  "get configmaps in shop named a",
		},
		{
			it: "finds a change of many", targets: named(configMap, "shop", "a", "b", "c", "d", "e", "f"), before: []string{"a"},
			change: func(s *session, a *unstructured.Unstructured) string { return "a@" + s.server.Put(a) },
			looks:  "list configmaps in shop",
		},
		{
			it: "finds a change in a selection", targets: []observe.Target{selection}, before: []string{"a"},
			change: func(s *session, a *unstructured.Unstructured) string { return "a@" + s.server.Put(a) },
			looks:  "list configmaps in shop",
		},
		{
			it: "finds what has come into a selection", targets: []observe.Target{selection}, before: []string{"b"},
			change: func(s *session, a *unstructured.Unstructured) string { return "a@" + s.server.Put(a) },
			looks:  "list configmaps in shop",
		},
		{
			it: "finds what has left a selection", targets: []observe.Target{selection}, before: []string{"a", "b"},
			change: func(s *session, a *unstructured.Unstructured) string { s.server.Delete(a); return "a gone" },
			looks:  "list configmaps in shop",
		},
	} {
		t.Run(row.it, func(t *testing.T) {
			inBubble(t, func(t *testing.T, s *session) {
				for _, name := range row.before {
					s.server.Put(object(configMap, "shop", name))
				}
				s.observe(row.targets...)
				time.Sleep(10 * time.Second)
				s.requested()
				s.reported()
				var want string
				s.server.Silent(func() { want = row.change(s, object(configMap, "shop", "a")) })
				if took := s.within(31*time.Second, want); took < 19*time.Second {
					t.Errorf("it has been found out after %s already", took)
				}
				if have := s.requested(); have[0] != row.looks {
					t.Errorf("requested %q, want %q first", have, row.looks)
				}
			})
		})
	}
}

// A watch is checked every half minute while something is waited for and
// nothing is heard, seldom while news come, and never if nothing is waited for.
func TestHowOftenWatchesAreChecked(t *testing.T) {
	for _, row := range []struct {
		it       string
		idle     bool
		news     bool
		rule     wiretest.Rule
		min, max int // checks in ten minutes
	}{
		{it: "checks every half minute", min: 18, max: 21},
		{it: "checks seldom while there are news", news: true, min: 1, max: 2},
		{it: "checks nothing that is not waited for", idle: true},
		{it: "checks once what may not be read", rule: wiretest.Rule{Match: wiretest.Match{Verbs: []string{"get", "list"}}, Reply: wiretest.Forbidden}, min: 2, max: 2},
	} {
		t.Run(row.it, func(t *testing.T) {
			inBubble(t, func(t *testing.T, s *session) {
				if row.rule.Match.Verbs != nil {
					s.server.On(row.rule)
				}
				s.closed = row.idle
				s.server.Put(object(configMap, "shop", "a"))
				s.observe(named(configMap, "shop", "a")...)
				s.requested()
				for range 60 {
					time.Sleep(10 * time.Second)
					if row.news {
						s.server.Put(object(configMap, "shop", "a"))
					}
				}
				checks := 0
				for _, r := range s.server.Requests() {
					if r.Verb == "get" || r.Verb == "list" {
						checks++
					}
				}
				if checks < row.min || checks > row.max {
					t.Errorf("have %d checks in ten minutes, want %d to %d", checks, row.min, row.max)
				}
			})
		})
	}
}

// Targets that may be watched but neither be got nor listed are read by a
// watch that streams its list, and nothing else.
func TestAListThatIsStreamedStalls(t *testing.T) {
	inBubble(t, func(t *testing.T, s *session) {
		version := s.server.Put(object(configMap, "shop", "a"))
		s.server.On(wiretest.Rule{
			Match: wiretest.Match{Streamed: true},
			Reply: wiretest.Reply{Events: []wiretest.Event{{Type: watch.Bookmark, Version: "1"}}},
		})
		s.observe(selection)
		time.Sleep(59 * time.Second)
		s.wants()
		time.Sleep(2 * time.Second)
		s.wants("a@"+version, "all")
		s.wantsRequests("watch configmaps in shop", "list configmaps in shop", "watch configmaps in shop")
	})
}

// A list that is streamed and ends early is read as a whole.
func TestAListThatIsStreamedEndsEarly(t *testing.T) {
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
			s.wants("a@"+first, "b@"+second, "all")
			s.wantsRequests("watch configmaps in shop", "list configmaps in shop", "watch configmaps in shop")
		})
	}
}

// A server that was restored has lower versions. They are believed once three
// lists have been older than what was seen.
func TestAServerThatWasRestored(t *testing.T) {
	inBubble(t, func(t *testing.T, s *session) {
		a := object(configMap, "shop", "a")
		first := s.server.Put(a)
		s.observe(selection)
		s.wants("a@"+first, "all")
		s.server.Restore(10)
		again := s.server.Put(a)
		s.server.Send(wiretest.Event{Type: watch.Error, Code: http.StatusGone, Reason: metav1.StatusReasonExpired})
		s.within(30*time.Second, "a@"+again)
		s.reported()
		again = s.server.Put(a)
		s.within(time.Second, "a@"+again)
	})
}

// A list is given up when nothing more of it comes, or its connection ends, and read anew.
func TestListsThatAreNotComplete(t *testing.T) {
	for _, row := range []struct {
		it   string
		end  wiretest.End
		took time.Duration // at least, until that is reported
	}{
		{it: "waits for half a minute for the rest", end: wiretest.Hang, took: 29 * time.Second},
		{it: "sees that there is no rest", end: wiretest.Cut},
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

// The intervals at which objects are listed are those that are asked for.
func TestListsAtAnInterval(t *testing.T) {
	inBubble(t, func(t *testing.T, s *session) {
		a := object(configMap, "shop", "a")
		first := s.server.Put(a)
		s.observeAs(source.Cluster{Every: time.Minute}, selection)
		s.wants("a@"+first, "all")
		second := s.server.Put(a)
		time.Sleep(59 * time.Second)
		s.wants()
		time.Sleep(2 * time.Second)
		s.wants("a@"+second, "all")
		s.requested()
		time.Sleep(10 * time.Minute)
		if have := s.requested(); len(have) != 10 || have[0] != "list configmaps in shop" {
			t.Errorf("requested %q in ten minutes", have)
		}
	})
}

// What may be listed but not watched is listed every few seconds, and it is
// tried after a while whether it may be watched.
func TestListsWhereWatchesAreForbidden(t *testing.T) {
	inBubble(t, func(t *testing.T, s *session) {
		permit := s.server.On(wiretest.Rule{Match: wiretest.Match{Verbs: []string{"watch"}}, Reply: wiretest.Forbidden})
		a := object(configMap, "shop", "a")
		first := s.server.Put(a)
		s.observe(selection)
		s.wants("a@"+first, "all")
		s.wantsNotes("user eve may not watch configmaps in namespace shop: it is listed every few seconds")
		s.requested()
		second := s.server.Put(a)
		time.Sleep(3 * time.Second)
		s.within(time.Second, "a@"+second)
		permit()
		time.Sleep(20 * time.Second)
		s.requested()
		time.Sleep(10 * time.Second)
		s.wantsRequests()
	})
}

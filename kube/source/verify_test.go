package source_test

import (
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/watch"

	"kstatus.dev/internal/bubble"
	"kstatus.dev/kube/internal/wiretest"
	"kstatus.dev/observe"
)

// A deletion is reported after a read has confirmed it. If the object still exists, the
// watch is not trusted, and everything is listed again.
func TestDeletionsAreConfirmed(t *testing.T) {
	a := object(configMap, "shop", "a")
	forbid := func(verbs ...string) wiretest.Rule {
		return wiretest.Rule{Match: wiretest.Match{Verbs: verbs}, Reply: wiretest.Forbidden}
	}
	for _, row := range []struct {
		it       string
		targets  []observe.Target
		rules    []wiretest.Rule // after everything has been read
		lie      bool            // the object still exists
		requests []string
		want     []string
	}{
		{
			it: "gets the object", targets: named(configMap, "shop", "a"),
			requests: []string{"get configmaps in shop named a"}, want: []string{"a gone"},
		},
		{
			it: "lists the object if get is forbidden", targets: named(configMap, "shop", "a"), rules: []wiretest.Rule{forbid("get")},
			requests: []string{"get configmaps in shop named a", "list configmaps in shop named a"}, want: []string{"a gone"},
		},
		{
			it: "trusts the watch if get and list are forbidden", targets: named(configMap, "shop", "a"), rules: []wiretest.Rule{forbid("get", "list")},
			requests: []string{"get configmaps in shop named a", "list configmaps in shop named a"}, want: []string{"a gone"},
		},
		{
			it: "lists an object with its selector", targets: []observe.Target{{Kind: configMap, Namespace: "shop", LabelSelector: "app"}},
			requests: []string{"list configmaps in shop named a with app"}, want: []string{"a gone"},
		},
		{
			it: "lists all after an unconfirmed deletion", targets: named(configMap, "shop", "a"), lie: true,
			requests: []string{"get configmaps in shop named a", "watch configmaps in shop named a"},
		},
		{
			it: "lists the selection after an unconfirmed deletion", targets: []observe.Target{selection}, lie: true,
			requests: []string{"get configmaps in shop named a", "watch configmaps in shop"}, want: []string{"all"},
		},
	} {
		t.Run(row.it, func(t *testing.T) {
			inBubble(t, func(t *testing.T, s *session) {
				a := a.DeepCopy()
				a.SetLabels(map[string]string{"app": "web"})
				a.SetResourceVersion(s.server.Put(a))
				s.observe(row.targets...)
				bubble.Sleep(6 * time.Second)
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
				s.expectReports()
				bubble.Sleep(time.Second)
				s.expectReports(row.want...)
				s.expectRequests(row.requests...)
			})
		})
	}
}

// Many deletions at once are confirmed by one list.
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
		bubble.Sleep(time.Second)
		s.expectReports(numbered("c%d gone", 6)...)
		s.expectRequests("list configmaps in shop")
	})
}

// An object that is created again before its deletion is confirmed is not reported as
// deleted.
func TestDeletionOverBeforeConfirmation(t *testing.T) {
	inBubble(t, func(t *testing.T, s *session) {
		a := object(configMap, "shop", "a")
		s.server.Put(a)
		s.observe(named(configMap, "shop", "a")...)
		s.reported()
		s.server.On(wiretest.Rule{Match: wiretest.Match{Verbs: []string{"get"}}, Reply: wiretest.Reply{Delay: time.Second}})
		s.server.Delete(a)
		bubble.Sleep(500 * time.Millisecond)
		again := s.server.Put(a)
		s.expectReports("a@" + again)
		bubble.Sleep(5 * time.Second)
		s.expectReports()
	})
}

// If a watch misses a change, a verification finds that within half a minute while a
// target is pending, and everything is listed again.
func TestMissedChangesAreDetected(t *testing.T) {
	for _, row := range []struct {
		it      string
		targets []observe.Target
		before  []string
		change  func(s *session, a *unstructured.Unstructured) string
		request string // the request that finds it
	}{
		{
			it: "finds a changed object", targets: named(configMap, "shop", "a"), before: []string{"a"},
			change:  func(s *session, a *unstructured.Unstructured) string { return "a@" + s.server.Put(a) },
			request: "get configmaps in shop named a",
		},
		{
			it: "finds a new object", targets: named(configMap, "shop", "a"),
			change:  func(s *session, a *unstructured.Unstructured) string { return "a@" + s.server.Put(a) },
			request: "get configmaps in shop named a",
		},
		{
			it: "finds a deleted object", targets: named(configMap, "shop", "a"), before: []string{"a"},
			change:  func(s *session, a *unstructured.Unstructured) string { s.server.Delete(a); return "a gone" },
			request: "get configmaps in shop named a",
		},
		{
			it: "finds a changed object among many", targets: named(configMap, "shop", "a", "b", "c", "d", "e", "f"), before: []string{"a"},
			change:  func(s *session, a *unstructured.Unstructured) string { return "a@" + s.server.Put(a) },
			request: "list configmaps in shop",
		},
		{
			it: "finds a changed object in a selection", targets: []observe.Target{selection}, before: []string{"a"},
			change:  func(s *session, a *unstructured.Unstructured) string { return "a@" + s.server.Put(a) },
			request: "list configmaps in shop",
		},
		{
			it: "finds an object that joined a selection", targets: []observe.Target{selection}, before: []string{"b"},
			change:  func(s *session, a *unstructured.Unstructured) string { return "a@" + s.server.Put(a) },
			request: "list configmaps in shop",
		},
		{
			it: "finds an object that left a selection", targets: []observe.Target{selection}, before: []string{"a", "b"},
			change:  func(s *session, a *unstructured.Unstructured) string { s.server.Delete(a); return "a gone" },
			request: "list configmaps in shop",
		},
	} {
		t.Run(row.it, func(t *testing.T) {
			inBubble(t, func(t *testing.T, s *session) {
				for _, name := range row.before {
					s.server.Put(object(configMap, "shop", name))
				}
				s.observe(row.targets...)
				bubble.Sleep(10 * time.Second)
				s.requested()
				s.reported()
				var want string
				s.server.Silent(func() { want = row.change(s, object(configMap, "shop", "a")) })
				if took := s.within(31*time.Second, want); took < 19*time.Second {
					t.Errorf("it has been found out after %s already", took)
				}
				if have := s.requested(); have[0] != row.request {
					t.Errorf("requested %q, want %q first", have, row.request)
				}
			})
		})
	}
}

// A silent watch is verified every half minute while a target is pending. It is verified
// seldom while events arrive, and never if no target is pending.
func TestVerificationRate(t *testing.T) {
	a := named(configMap, "shop", "a")[0]
	for _, row := range []struct {
		it       string
		target   observe.Target
		idle     bool
		news     bool
		rule     wiretest.Rule
		min, max int // verifications in ten minutes
	}{
		{it: "checks every half minute", target: a, min: 18, max: 21},
		{it: "checks seldom during changes", target: a, news: true, min: 1, max: 2},
		{it: "checks no target that is not pending", target: a, idle: true},
		{it: "checks no selection that is not pending", target: selection, idle: true},
		{it: "checks a forbidden object once", target: a, rule: wiretest.Rule{Match: wiretest.Match{Verbs: []string{"get", "list"}}, Reply: wiretest.Forbidden}, min: 2, max: 2},
	} {
		t.Run(row.it, func(t *testing.T) {
			inBubble(t, func(t *testing.T, s *session) {
				if row.rule.Match.Verbs != nil {
					s.server.On(row.rule)
				}
				s.closed = row.idle
				s.server.Put(object(configMap, "shop", "a"))
				s.observe(row.target)
				s.requested()
				for range 60 {
					bubble.Sleep(10 * time.Second)
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

package source_test

import (
	"net/http"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"

	"kstatus.dev/internal/bubble"
	"kstatus.dev/kube/internal/wiretest"
	"kstatus.dev/observe"
)

// selection is all objects of a kind in the namespace shop.
var selection = observe.Target{Kind: configMap, Namespace: "shop"}

// versionsOf returns the versions from which watches were opened, or "list" for a watch
// that begins with a list.
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
		s.expectReports("a@"+first, "b gone")
		second, created := s.server.Put(a), s.server.Put(b)
		s.server.Put(other)
		s.expectReports("a@"+second, "b@"+created)
		s.server.Delete(b)
		bubble.Sleep(time.Second)
		s.expectReports("b gone")
		created = s.server.Put(b)
		s.expectReports("b@" + created)
	})
}

func TestASelectionIsReported(t *testing.T) {
	inBubble(t, func(t *testing.T, s *session) {
		a, b := object(configMap, "shop", "a"), object(configMap, "shop", "b")
		a.SetLabels(map[string]string{"app": "web"})
		first := s.server.Put(a)
		s.server.Put(b)
		s.observe(observe.Target{Kind: configMap, Namespace: "shop", LabelSelector: "app=web"})
		s.expectReports("a@"+first, "all")
		b.SetLabels(map[string]string{"app": "web"})
		second := s.server.Put(b)
		s.expectReports("b@" + second)
		a.SetLabels(nil)
		s.server.Put(a)
		bubble.Sleep(time.Second)
		s.expectReports("a gone")
	})
}

// However a watch ends, the next one continues from its last version, without a list and
// without repeated reports.
func TestWatchesResume(t *testing.T) {
	for _, row := range []struct {
		it  string
		end func(s *session)
	}{
		{it: "continues after a watch that the server ends", end: func(s *session) { s.server.EndWatches(wiretest.Close) }},
		{it: "continues after a watch that is interrupted within an event", end: func(s *session) { s.server.EndWatches(wiretest.Cut) }},
		{it: "continues after a watch that has ended", end: func(s *session) { bubble.Sleep(11 * time.Minute) }},
	} {
		t.Run(row.it, func(t *testing.T) {
			inBubble(t, func(t *testing.T, s *session) {
				a := object(configMap, "shop", "a")
				first := s.server.Put(a)
				s.observe(selection)
				s.expectReports("a@"+first, "all")
				s.server.Put(object(configMap, "home", "a"))
				bookmark := s.server.Put(object(configMap, "home", "b"))
				s.server.Bookmark()
				bubble.Sleep(2 * time.Second)
				s.requested()
				row.end(s)
				second := s.server.Put(a)
				bubble.Sleep(2 * time.Second)
				s.expectReports("a@" + second)
				if have := s.versionsOf(); len(have) == 0 || have[0] != bookmark {
					t.Errorf("watches were opened from %q, want the bookmark's version %s", have, bookmark)
				}
			})
		})
	}
}

// After the history has expired, the objects are listed again. Only changed, new and
// deleted objects are reported.
func TestExpiredHistory(t *testing.T) {
	gone := wiretest.Event{Type: watch.Error, Code: http.StatusGone, Reason: metav1.StatusReasonExpired}
	for _, row := range []struct {
		it  string
		end func(s *session)
	}{
		{it: "lists again after an ERROR event of the next watch", end: func(s *session) {
			s.server.Compact()
			s.server.EndWatches(wiretest.Close)
		}},
		{it: "lists again after an ERROR event in the middle of a watch", end: func(s *session) { s.server.Send(gone) }},
		{it: "lists again after status 410", end: func(s *session) {
			s.server.On(wiretest.Rule{Match: wiretest.Match{Verbs: []string{"watch"}}, Times: 1, Reply: wiretest.Expired})
			s.server.EndWatches(wiretest.Close)
		}},
	} {
		t.Run(row.it, func(t *testing.T) {
			inBubble(t, func(t *testing.T, s *session) {
				a, b, c, d := object(configMap, "shop", "a"), object(configMap, "shop", "b"), object(configMap, "shop", "c"), object(configMap, "shop", "d")
				versions := []string{s.server.Put(a), s.server.Put(b), s.server.Put(c)}
				s.observe(selection)
				s.expectReports("a@"+versions[0], "b@"+versions[1], "c@"+versions[2], "all")
				bubble.Sleep(6 * time.Second)
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
				s.expectReports("b@"+changed, "c gone", "d@"+created, "all")
				if have := s.versionsOf(); have[len(have)-1] != "list" {
					t.Errorf("watches were opened from %q, want a list in the end", have)
				}
			})
		})
	}
}

// A restored server has lower versions. They are accepted after three lists that are
// older than the reported objects.
func TestRestoredServer(t *testing.T) {
	inBubble(t, func(t *testing.T, s *session) {
		a := object(configMap, "shop", "a")
		first := s.server.Put(a)
		s.observe(selection)
		s.expectReports("a@"+first, "all")
		s.server.Restore(10)
		again := s.server.Put(a)
		s.server.Send(wiretest.Event{Type: watch.Error, Code: http.StatusGone, Reason: metav1.StatusReasonExpired})
		s.within(30*time.Second, "a@"+again)
		s.reported()
		again = s.server.Put(a)
		s.within(time.Second, "a@"+again)
	})
}

// Objects that are restored from a backup are reported as they are then, however they are read and
// whatever the versions of later writes are.
func TestRestoredBackup(t *testing.T) {
	named := observe.Target{Kind: selection.Kind, Namespace: "shop", Name: "a"}
	for _, row := range []struct {
		it     string
		target observe.Target
		rule   wiretest.Rule // of the server
		next   int           // the version of the restored server
	}{
		{it: "reports an object that is watched", target: named},
		{it: "reports an object of a selection", target: selection},
		{it: "reports an object that is watched although later versions are higher", target: named, next: 1000},
		{it: "reports an object of a selection although later versions are higher", target: selection, next: 1000},
		{it: "reports an object that is got", target: named, rule: wiretest.Rule{Match: wiretest.Match{Verbs: []string{"list", "watch"}}, Reply: wiretest.Forbidden}},
		{it: "reports an object of a selection that is listed", target: selection, next: 1000, rule: wiretest.Rule{Match: wiretest.Match{Verbs: []string{"watch"}}, Reply: wiretest.Forbidden}},
	} {
		t.Run(row.it, func(t *testing.T) {
			inBubble(t, func(t *testing.T, s *session) {
				if row.rule.Reply.Code != 0 {
					s.server.On(row.rule)
				}
				a := object(configMap, "shop", "a")
				first := s.server.Put(a)
				s.observe(row.target)
				s.within(30*time.Second, "a@"+first)
				restore := s.server.Backup()
				for range 100 {
					s.server.Put(a)
				}
				s.within(30*time.Second, "a@"+s.server.Find(schema.GroupKind{Kind: "ConfigMap"}, "shop", "a").GetResourceVersion())
				restore(row.next)
				s.within(3*time.Minute, "a@"+first)
				last := s.server.Put(a)
				s.within(3*time.Minute, "a@"+last)
			})
		})
	}
}

// A watch that is refused because of the server's load is opened again after the time
// that the server requests.
func TestWatchOpenedLater(t *testing.T) {
	inBubble(t, func(t *testing.T, s *session) {
		s.observe(selection)
		s.requested()
		s.server.Send(wiretest.Event{Type: watch.Error, Code: http.StatusTooManyRequests, Reason: metav1.StatusReasonTooManyRequests, RetryAfter: 20})
		bubble.Sleep(19 * time.Second)
		s.expectRequests()
		bubble.Sleep(2 * time.Second)
		s.expectRequests("watch configmaps in shop")
	})
}

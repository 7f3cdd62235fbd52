package source_test

import (
	"fmt"
	"net/http"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/internal/bubble"
	"kstatus.dev/kube/internal/wiretest"
	"kstatus.dev/kube/source"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

var (
	events     = wiretest.Resource{Version: "v1", Kind: "Event", Name: "events"}
	claims     = wiretest.Resource{Version: "v1", Kind: "PersistentVolumeClaim", Name: "persistentvolumeclaims"}
	classes    = wiretest.Resource{Group: "storage.k8s.io", Version: "v1", Kind: "StorageClass", Name: "storageclasses", ClusterScoped: true}
	listEvents = wiretest.Match{Verbs: []string{"list"}, Resource: "events"}
)

// finished returns a Pod that has succeeded, with a limit of storage.
func finished(namespace, name string) *unstructured.Unstructured {
	u := object(pod, namespace, name)
	u.Object["spec"] = map[string]any{"containers": []any{map[string]any{"resources": map[string]any{"limits": map[string]any{"ephemeral-storage": "1Gi"}}}}}
	u.Object["status"] = map[string]any{"phase": "Succeeded"}
	return u
}

// count returns how many requests for a resource the server has received since the last call.
func (s *session) count(resource string) (n int) {
	for _, r := range s.server.Requests() {
		if r.Resource == resource {
			n++
		}
	}
	return n
}

// Events about evictions are requested a few times for a thousand Pods, whatever the server responds.
func TestEvictionRequests(t *testing.T) {
	for _, row := range []struct {
		it    string
		reply wiretest.Reply
		most  int // requests within a minute
	}{
		{"reads them once a second for all Pods together", wiretest.Reply{}, 25},
		{"remembers that they are forbidden", wiretest.Forbidden, 1},
		{"remembers that they do not exist", wiretest.Reply{Code: http.StatusNotFound, Reason: metav1.StatusReasonNotFound}, 1},
		{"remembers that they cannot be listed", wiretest.Reply{Code: http.StatusMethodNotAllowed, Reason: metav1.StatusReasonMethodNotAllowed}, 1},
		{"tries again after a pause if the server fails", wiretest.Reply{Code: http.StatusInternalServerError, Reason: metav1.StatusReasonInternalError}, 3},
		{"tries again after a pause if the server does not respond", wiretest.Reply{Delay: time.Hour}, 3},
	} {
		t.Run(row.it, func(t *testing.T) {
			inBubble(t, func(t *testing.T, s *session) {
				s.server.Serve(pods)
				s.server.Serve(events)
				s.server.On(wiretest.Rule{Match: listEvents, Reply: row.reply})
				var last *unstructured.Unstructured
				s.observe(observe.Target{Kind: pod, Namespace: "shop"})
				s.server.Requests()
				for i := range 1000 {
					last = finished("shop", fmt.Sprintf("p%03d", i))
					s.server.Put(last)
					bubble.Sleep(20 * time.Millisecond)
				}
				s.within(30*time.Second, "p999@")
				if have := s.count("events"); have > row.most || have == 0 {
					t.Errorf("%d requests, want at most %d", have, row.most)
				}
			})
		})
	}
}

// While events are read, nothing else waits: neither other targets, nor a call that does not need
// them, nor a caller whose context ends.
func TestEvictionsBlockNothingElse(t *testing.T) {
	inBubble(t, func(t *testing.T, s *session) {
		s.server.Serve(pods)
		s.server.Serve(events)
		s.server.On(wiretest.Rule{Match: listEvents, Reply: wiretest.Reply{Delay: 8 * time.Second}})
		s.server.Put(finished("shop", "p"))
		version := s.server.Put(object(configMap, "shop", "a"))
		s.observe(observe.Target{Kind: pod, Namespace: "shop"}, selection)
		s.within(time.Second, "a@"+version)
		s.expectReports("a@"+version, "all")
		version = s.server.Put(object(configMap, "shop", "a"))
		if took := s.within(time.Second, "a@"+version); took > 0 {
			t.Errorf("another target is reported after %s", took)
		}
		s.within(10*time.Second, "p@")
	})
}

// Callers at the same time share one request.
func TestSharedEvictions(t *testing.T) {
	inBubble(t, func(t *testing.T, s *session) {
		s.server.Serve(events)
		s.server.On(wiretest.Rule{Match: listEvents, Reply: wiretest.Reply{Delay: 900 * time.Millisecond}})
		c := s.client(source.Options{})
		var callers sync.WaitGroup
		for i := range 50 {
			callers.Go(func() {
				if err := c.LoadEvictions(t.Context(), finished("shop", fmt.Sprint("p", i))); err != nil {
					t.Error(err)
				}
			})
		}
		callers.Wait()
		if have := s.count("events"); have != 1 {
			t.Errorf("%d requests, want 1", have)
		}
	})
}

// StorageClasses that may not be read are requested once by a Client.
func TestRefusedStorageClasses(t *testing.T) {
	for _, row := range []struct {
		it    string
		reply wiretest.Reply
		want  int
	}{
		{"remembers that they are forbidden", wiretest.Forbidden, 1},
		{"remembers that they cannot be listed", wiretest.Reply{Code: http.StatusMethodNotAllowed, Reason: metav1.StatusReasonMethodNotAllowed}, 1},
		{"reads them again after some time", wiretest.Reply{}, 3},
	} {
		t.Run(row.it, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &session{t: t, server: wiretest.New(t, claims, classes)}
				s.server.On(wiretest.Rule{Match: wiretest.Match{Resource: "storageclasses"}, Reply: row.reply})
				c := s.client(source.Options{})
				for range 90 {
					if err := c.LoadSchemas(t.Context(), status.Kind{Kind: "PersistentVolumeClaim"}); err != nil {
						t.Fatal(err)
					}
					bubble.Sleep(time.Second)
				}
				if have := s.count("storageclasses"); have != row.want {
					t.Errorf("%d requests, want %d", have, row.want)
				}
			})
		})
	}
}

// A Pod is reported after its eviction is known, and changes of it stay in order.
func TestEvictionIsKnownFirst(t *testing.T) {
	inBubble(t, func(t *testing.T, s *session) {
		s.server.Serve(pods)
		s.server.Serve(events)
		event := object(status.Kind{Kind: "Event"}, "shop", "e")
		event.Object["reason"], event.Object["message"] = "Evicted", "too much"
		event.Object["involvedObject"] = map[string]any{"kind": "Pod", "name": "p", "uid": "uid-of-p"}
		s.server.Put(event)
		s.server.On(wiretest.Rule{Match: listEvents, Reply: wiretest.Reply{Delay: 2 * time.Second}})
		first := finished("shop", "p")
		first.Object["status"] = map[string]any{"phase": "Running"}
		versions := []string{s.server.Put(first)}
		s.observe(observe.Target{Kind: pod, Namespace: "shop", Name: "p"})
		s.within(time.Second, "p@"+versions[0])
		versions = append(versions, s.server.Put(finished("shop", "p")))
		bubble.Sleep(time.Second)
		later := finished("shop", "p")
		later.SetLabels(map[string]string{"seen": "true"})
		versions = append(versions, s.server.Put(later))
		s.within(10*time.Second, "p@"+versions[2])
		if have, want := s.reported(), []string{"p@" + versions[0], "p@" + versions[1], "p@" + versions[2]}; !slices.Equal(have, want) {
			t.Errorf("reported %q, want %q", have, want)
		}
		result, err := s.evaluator.Compute(s.server.Find(later.GroupVersionKind().GroupKind(), "shop", "p"))
		if err != nil || result.Reason != "Evicted" {
			t.Errorf("the verdict is %v, %v", result, err)
		}
	})
}

package watcher_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"

	"kstatus.dev/internal/bubble"
	"kstatus.dev/kube/internal/wiretest"
	"kstatus.dev/kube/watcher"
)

var lamps = wiretest.Resource{Group: "example.com", Version: "v1", Kind: "Lamp", Name: "lamps"}

func lamp(name, text string) *unstructured.Unstructured {
	u := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "example.com/v1", "kind": "Lamp", "status": map[string]any{"text": text}}}
	u.SetNamespace("shop")
	u.SetName(name)
	return u
}

// A story is a server whose lamps are watched.
type story struct {
	*testing.T
	*wiretest.Server
	events []string // since the last look
}

// take returns the events until nothing happens for some minutes.
func (s *story) take() string {
	bubble.Sleep(5 * time.Minute)
	synctest.Wait()
	events := s.events
	s.events = nil
	return strings.Join(events, ", ")
}

func (s *story) see(e watcher.Event) {
	line := string(e.Type)
	if e.Restored {
		line += " restored"
	}
	if e.Object != nil {
		text, _, _ := unstructured.NestedString(e.Object.Object, "status", "text")
		line = strings.TrimSpace(line + " " + e.Object.GetName() + " " + text)
	}
	s.events = append(s.events, line)
}

// A watcher reports what the objects are after a backup was restored, and every change from then on.
func TestRestore(t *testing.T) {
	for _, row := range []struct {
		it     string
		before func(s *story) // after the backup
		next   int            // the version of the restored server; negative: it is not restored
		after  func(s *story) // after the restore
		want   string         // after the restore
		later  string         // after one more change
	}{
		{
			it:     "reports an object that went back",
			before: func(s *story) { s.Put(lamp("a", "new")); s.Put(lamp("a", "newer")) },
			want:   "ERROR restored, MODIFIED a old", later: "MODIFIED a last",
		},
		{
			it:     "reports an object that went back although later versions are higher",
			before: func(s *story) { s.Put(lamp("a", "new")) },
			next:   1100,
			want:   "ERROR, ERROR restored, MODIFIED a old", later: "MODIFIED a last",
		},
		{
			it:     "reports another content in the same version",
			before: func(s *story) { s.Put(lamp("a", "new")); s.Put(lamp("b", "")); s.Delete(lamp("b", "")) },
			after:  func(s *story) { s.Put(lamp("a", "other")) },
			want:   "ERROR restored, MODIFIED a other", later: "MODIFIED a last",
		},
		{
			it:     "reports objects that are gone, and others that are back",
			before: func(s *story) { s.Put(lamp("b", "new")); s.Delete(lamp("a", "")) },
			want:   "ERROR restored, ADDED a old, DELETED b", later: "MODIFIED a last",
		},
		{
			it:     "reports an object with the same name and another UID",
			before: func(s *story) { s.Put(lamp("b", "new")); s.Put(lamp("b", "newer")) },
			after: func(s *story) {
				other := lamp("b", "other")
				other.SetUID(types.UID("second"))
				s.Put(other)
			},
			want: "ERROR restored, MODIFIED a old, DELETED b, ADDED b other", later: "MODIFIED a last",
		},
		{
			it:     "reports no restore if only its connection was lost",
			before: func(s *story) { s.Put(lamp("a", "new")) },
			next:   -1,
			want:   "", later: "MODIFIED a last",
		},
	} {
		t.Run(row.it, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &story{T: t, Server: wiretest.New(t, lamps)}
				client, err := dynamic.NewForConfig(s.Config())
				if err != nil {
					t.Fatal(err)
				}
				s.Put(lamp("a", "old"))
				w := &watcher.Watcher{Kind: lamp("", "").GroupVersionKind(), Name: "lamps", Resource: client.Resource(lamps.GroupVersionResource()), Report: s.see}
				go w.Run(t.Context())
				if have := s.take(); have != "ADDED a old" {
					t.Errorf("at first: %s", have)
				}
				restore := s.Backup()
				row.before(s)
				s.take()
				if row.next < 0 {
					s.EndWatches(wiretest.Cut)
				} else {
					restore(row.next)
				}
				if row.after != nil {
					row.after(s)
				}
				if have := s.take(); have != row.want {
					t.Errorf("after the restore: %s\nwant %s", have, row.want)
				}
				s.Put(lamp("a", "last"))
				if have := s.take(); have != row.later {
					t.Errorf("after one more change: %s\nwant %s", have, row.later)
				}
			})
		})
	}
}

// A server that opens a watch from a version of the future sends nothing before it. The watcher
// notices that, and lists no objects while the server is right.
func TestWatchFromTheFuture(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &story{T: t, Server: wiretest.New(t, lamps)}
		client, err := dynamic.NewForConfig(s.Config())
		if err != nil {
			t.Fatal(err)
		}
		s.Put(lamp("a", "old"))
		w := &watcher.Watcher{Kind: lamp("", "").GroupVersionKind(), Name: "lamps", Resource: client.Resource(lamps.GroupVersionResource()), Report: s.see}
		go w.Run(t.Context())
		s.take()
		s.Requests()
		bubble.Sleep(time.Hour)
		for _, r := range s.Requests() {
			if r.Verb == "list" && r.Limit != 1 {
				t.Errorf("while nothing happens: %s of %d", r, r.Limit)
			}
		}
		s.Restore(50)
		s.EndWatches(wiretest.Close)
		s.Put(lamp("a", "unseen"))
		for i := range 10 {
			s.Put(lamp("a", fmt.Sprint(i)))
		}
		if have, want := s.take(), "ERROR restored, MODIFIED a 9"; have != want {
			t.Errorf("have %s, want %s", have, want)
		}
	})
}

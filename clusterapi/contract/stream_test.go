package contract

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"

	"kstatus.dev/internal/bubble"
	"kstatus.dev/kube/wiretest"
)

var clusterObjects = wiretest.Resource{Group: "cluster.x-k8s.io", Version: "v1beta2", Kind: "Cluster", Name: "clusters"}

func clusterIn(phase string) *unstructured.Unstructured {
	u := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "cluster.x-k8s.io/v1beta2", "kind": "Cluster", "status": map[string]any{"phase": phase},
	}}
	u.SetNamespace("shop")
	u.SetName("web")
	return u
}

// A stream has every version whatever happens to its watch, or an error if it cannot.
func TestStream(t *testing.T) {
	for _, row := range []struct {
		it     string
		change func(s *wiretest.Server)
		want   string // the phases
		err    string
	}{
		{it: "has each version", change: func(s *wiretest.Server) {}, want: "a b"},
		{it: "continues after a watch that ends", change: func(s *wiretest.Server) { s.EndWatches(wiretest.Close) }, want: "a b"},
		{it: "continues after a connection is lost", change: func(s *wiretest.Server) { s.EndWatches(wiretest.Cut) }, want: "a b"},
		{it: "continues after the server was not available", want: "a b", change: func(s *wiretest.Server) {
			s.On(wiretest.Rule{Times: 3, Reply: wiretest.Reply{Code: http.StatusServiceUnavailable, Reason: metav1.StatusReasonServiceUnavailable}})
			s.EndWatches(wiretest.Close)
		}},
		{it: "fails if versions may be missing", want: "a b", err: "contract: watch Cluster: the server no longer has all versions", change: func(s *wiretest.Server) {
			s.Send(wiretest.Event{Type: watch.Error, Code: http.StatusGone, Reason: metav1.StatusReasonExpired})
		}},
	} {
		t.Run(row.it, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				server := wiretest.New(t, clusterObjects)
				client, err := dynamic.NewForConfig(server.Config())
				if err != nil {
					t.Fatal(err)
				}
				server.Put(clusterIn("before"))
				following, stop := context.WithCancel(t.Context())
				s := &stream{stop: stop, versions: map[string][]*unstructured.Unstructured{}, gone: map[string]bool{}}
				defer s.close()
				if err := s.follow(t.Context(), following, clusterIn("").GroupVersionKind(), client.Resource(clusterObjects.GroupVersionResource()).Namespace("shop")); err != nil {
					t.Fatal(err)
				}
				server.Put(clusterIn("a"))
				synctest.Wait()
				row.change(server)
				server.Put(clusterIn("b"))
				bubble.Sleep(time.Minute)
				id := clusterIn("")
				id.SetUID("uid-of-web")
				versions, gone, err := s.of(id)
				var phases []string
				for _, v := range versions {
					phase, _, _ := unstructured.NestedString(v.Object, "status", "phase")
					phases = append(phases, phase)
				}
				failed := ""
				if err != nil {
					failed = err.Error()
				}
				if have := strings.Join(phases, " "); have != row.want || gone || failed != row.err {
					t.Errorf("it has the phases %q and the error %q, want %q and %q", have, failed, row.want, row.err)
				}
			})
		})
	}
}

// A kind that is not served is an error at once.
func TestStreamOfUnservedKind(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := wiretest.New(t)
		client, err := dynamic.NewForConfig(server.Config())
		if err != nil {
			t.Fatal(err)
		}
		s := &stream{}
		err = s.follow(t.Context(), t.Context(), clusterIn("").GroupVersionKind(), client.Resource(clusterObjects.GroupVersionResource()))
		if err == nil || !strings.HasPrefix(err.Error(), "contract: list Cluster: ") {
			t.Errorf("the error is %v", err)
		}
	})
}

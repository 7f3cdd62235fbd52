package pause

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kstatus.dev/kube/wiretest"
	"kstatus.dev/status"
)

// A server answers no more, from the first request or later. A call ends within a second of its
// timeout, and of the end of its context.
func TestCallsEndInTime(t *testing.T) {
	busy := wiretest.Reply{Code: http.StatusTooManyRequests, Reason: metav1.StatusReasonTooManyRequests, RetryAfter: 3600}
	silent := wiretest.Reply{End: wiretest.Hang}
	for _, row := range []struct {
		it      string
		match   wiretest.Match
		reply   wiretest.Reply
		late    time.Duration // when the server stops to answer
		written bool          // the Cluster is paused
	}{
		{"waits for a controller", wiretest.Match{Path: "/none"}, silent, 0, true},
		{"gets no definitions", wiretest.Match{Verbs: []string{"list"}, Resource: "customresourcedefinitions"}, silent, 0, false},
		{"gets no definition", wiretest.Match{Verbs: []string{"get"}, Resource: "customresourcedefinitions"}, silent, 0, false},
		{"gets definitions later", wiretest.Match{Verbs: []string{"list"}, Resource: "customresourcedefinitions"}, busy, 0, false},
		{"gets no list", wiretest.Match{Verbs: []string{"list", "watch"}, Resource: "boxes"}, silent, 0, true},
		{"gets no answer to a write", wiretest.Match{Verbs: []string{"patch"}}, silent, 0, false},
		{"gets no answer to its last write", wiretest.Match{Verbs: []string{"patch"}}, silent, 5 * time.Second, true},
		{"writes later", wiretest.Match{Verbs: []string{"patch"}}, busy, 0, false},
	} {
		for _, after := range []time.Duration{0, 20 * time.Second} { // 0: the timeout
			it := row.it + " until the timeout"
			if after > 0 {
				it = row.it + " until it is interrupted"
			}
			inBubble(t, it, func(w *wire) {
				w.box("a", "", runs)
				time.AfterFunc(row.late, func() { w.On(wiretest.Rule{Match: row.match, Reply: row.reply}) })
				synctest.Wait()
				ctx, cancel := context.WithCancelCause(w.Context())
				defer cancel(nil)
				end := time.Minute
				if after > 0 {
					end = after
					time.AfterFunc(after, func() { cancel(errors.New("stopped by the test")) })
				}
				began := time.Now()
				r, err := Pause(ctx, w.Config(), []status.ID{shop}, Options{Timeout: time.Minute})
				if took := time.Since(began); took < end || took > end+time.Second {
					w.Errorf("it ends after %s, want %s and at most a second: %v", took, end, err)
				}
				if r == nil || r.Done() || len(r.Targets) != 1 || r.Targets[0].Written != row.written {
					w.Errorf("have the result %+v, want that the Cluster is paused: %t", r, row.written)
				}
			})
		}
	}
}

package e2e

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"k8s.io/client-go/rest"

	"kstatus.dev/kube/source"
	"kstatus.dev/kube/wait"
	"kstatus.dev/observe"
	"kstatus.dev/observe/goal"
	"kstatus.dev/status"
	"kstatus.dev/test/lib/cluster"
	"kstatus.dev/test/lib/manifest"
)

// A requestRecorder records the requests for objects, each as verb and path.
type requestRecorder struct {
	next http.RoundTripper
	mu   sync.Mutex // guards made
	made map[string]int
}

func (l *requestRecorder) RoundTrip(r *http.Request) (*http.Response, error) {
	if q := r.URL.Query(); strings.Contains(r.URL.Path, "/namespaces/") {
		what := "list "
		switch {
		case q.Get("watch") != "":
			what = "watch "
		case q.Get("fieldSelector") != "":
			what = "look "
		}
		l.mu.Lock()
		l.made[what+r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:]]++
		l.mu.Unlock()
	}
	return l.next.RoundTrip(r)
}

// WrappedRoundTripper returns the wrapped transport, so that client-go can close it.
func (l *requestRecorder) WrappedRoundTripper() http.RoundTripper { return l.next }

// withRecorder returns a config that records its requests.
func withRecorder(config *rest.Config) (*rest.Config, *requestRecorder) {
	l := &requestRecorder{made: map[string]int{}}
	config.Wrap(func(next http.RoundTripper) http.RoundTripper { l.next = next; return l })
	return config, l
}

// In each round each kind is listed once in each namespace, without a watch.
func TestPollerListsEachKindOnce(t *testing.T) {
	t.Parallel()
	c := live.Cluster(t)
	ns := c.Namespace(t)
	c.Apply(t, ns, manifest.ConfigMap("m")+"---\n"+rollout(1))
	config, l := withRecorder(c.Config())
	ctx, cancel := context.WithTimeout(t.Context(), longTimeout)
	defer cancel()
	const interval = time.Second
	r := wait.Resolver{Config: config, Interval: interval}
	targets := []observe.Target{
		manifest.Target("apps", "Deployment", ns, "d"), manifest.Target("apps", "Deployment", ns, "e"),
		manifest.Target("", "ConfigMap", ns, "m"), manifest.Target("", "ConfigMap", ns, "late"),
	}
	began := time.Now()
	seen := map[observe.Target][]status.Status{}
	for e, err := range r.WaitForStatus(ctx, targets...) {
		if err != nil {
			t.Fatal(err)
		}
		if seen[e.Target] = append(seen[e.Target], e.Result.Status); e.Target.Name == "late" && e.Result.Status == status.NotFoundStatus {
			c.Apply(t, ns, manifest.ConfigMap("late"))
		}
	}
	rounds := int(time.Since(began)/interval) + 1
	for what, n := range l.made {
		resource := strings.Fields(what)[1]
		if strings.HasPrefix(what, "list ") && (resource == "pods" || resource == "replicasets" || n >= 2 && n <= rounds) {
			continue
		}
		t.Errorf("%s %d times in at most %d rounds", what, n, rounds)
	}
	for _, target := range targets {
		if s := seen[target]; len(s) == 0 || s[len(s)-1] != status.CurrentStatus {
			t.Errorf("%s: have %v", target, s)
		}
	}
	if len(l.made) < 2 {
		t.Errorf("have %v", l.made)
	}
}

// A user with permission to list but not to watch sees every change, deletions included.
// Polling on request is not reported as a fallback.
func TestPollerNeedsNoWatch(t *testing.T) {
	c := live.Cluster(t)
	ns := c.Namespace(t)
	both := manifest.ConfigMap("m") + "---\n" + manifest.ConfigMap("late")
	c.Apply(t, ns, both)
	config := configWith(t, c, ns, "poller", cluster.Grant{Namespace: ns, Verbs: []string{"get", "list"}, Resources: []string{"configmaps"}})
	ctx, cancel := context.WithTimeout(t.Context(), longTimeout)
	defer cancel()
	var mu sync.Mutex
	var notes []string
	cl := &source.Cluster{Config: config, Interval: 500 * time.Millisecond, OnNote: func(note string) {
		mu.Lock()
		defer mu.Unlock()
		notes = append(notes, note)
	}}
	w := observe.Watcher{Source: cl, Requirements: observe.Requirements{Goals: []observe.Goal{goal.Deleted()}}}
	board := new(observe.Board)
	removing := false
	for u, err := range w.Updates(ctx, manifest.Target("", "ConfigMap", ns, "m"), manifest.Target("", "ConfigMap", ns, "late")) {
		if err != nil {
			t.Fatal(err)
		}
		board.Add(u)
		if u.Synced && !removing {
			removing = true
			c.Delete(t, ns, both)
		}
		if board.Outcome(observe.Policy{}) != observe.OutcomePending {
			break
		}
	}
	if end := board.Outcome(observe.Policy{}); end != observe.OutcomeSuccess || len(notes) > 0 {
		t.Errorf("have %s, notes %v", end, notes)
	}
}

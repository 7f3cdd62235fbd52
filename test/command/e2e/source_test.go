package e2e

import (
	"context"
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"

	"kstatus.dev/kube/source"
	"kstatus.dev/observe"
	"kstatus.dev/status"
	"kstatus.dev/test/lib/manifest"
	"kstatus.dev/test/lib/poll"
)

// requests counts the requests to the API server without discovery.
type requests struct {
	next  http.RoundTripper
	count *atomic.Int64
}

func (r requests) RoundTrip(req *http.Request) (*http.Response, error) {
	if strings.Contains(req.URL.Path, "/namespaces/") || req.URL.RawQuery != "" && !strings.Contains(req.URL.RawQuery, "timeout=32s") {
		r.count.Add(1)
	}
	return r.next.RoundTrip(req)
}

// WrappedRoundTripper returns the wrapped transport, so that client-go can close it.
func (r requests) WrappedRoundTripper() http.RoundTripper { return r.next }

func countRequests(config *rest.Config) (*rest.Config, *atomic.Int64) {
	n := new(atomic.Int64)
	config.Wrap(func(next http.RoundTripper) http.RoundTripper { return requests{next, n} })
	return config, n
}

func TestRequestsDoNotGrowWithTheTargets(t *testing.T) {
	c := live.Cluster(t)
	ns := c.Namespace(t)
	var targets []observe.Target
	const many = 40
	for i := range many {
		name := fmt.Sprintf("d%d", i)
		c.Apply(t, ns, manifest.Deployment(name, readyPod))
		targets = append(targets, manifest.Target("apps", "Deployment", ns, name))
	}
	config, n := countRequests(c.Config())
	ctx, cancel := context.WithTimeoutCause(t.Context(), longTimeout, observe.ErrTimeout)
	defer cancel()
	outcome, _, err := observe.Watcher{Source: &source.Cluster{Config: config}}.Wait(ctx, observe.Policy{}, targets...)
	if err != nil || outcome != observe.OutcomeSuccess {
		t.Fatalf("have %s, %v, want %s", outcome, err, observe.OutcomeSuccess)
	}
	if got := n.Load(); got > 8 {
		t.Errorf("%d requests for %d Deployments, want at most 8", got, many)
	} else {
		t.Logf("%d requests for %d Deployments", got, many)
	}
}

func TestTargetsThatCannotBeRead(t *testing.T) {
	c := live.Cluster(t)
	ns := c.Namespace(t)
	rows := []struct {
		it     string
		target observe.Target
		reason string
		text   string
	}{
		{"is out of scope without a namespace", manifest.Target("", "ConfigMap", "", "x"), "BadScope", "ConfigMap is namespaced, and no namespace is named"},
		{"is out of scope with one too many", manifest.Target("", "Node", ns, "x"), "BadScope", "Node has no namespace, and " + ns + " is named"},
		{"is of a kind that is not served", manifest.Target("example.com", "Nope", ns, "x"), "NoMatch", "the cluster does not serve Nope.example.com"},
		{"is of a kind of which there are no objects", manifest.Target("authorization.k8s.io", "SubjectAccessReview", "", "x"), "NoMatch", "the cluster does not serve SubjectAccessReview.authorization.k8s.io"},
		{"is in a namespace that does not exist", manifest.Target("", "ConfigMap", ns+"-not", "x"), "NeverSeen", "it does not exist"},
		{"has no permission", manifest.Target("", "Secret", ns, "x"), "Forbidden", "user nobody may not list or get secrets in namespace " + ns},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			config := c.Config()
			if row.reason == "Forbidden" {
				config = c.As("nobody", "system:authenticated")
			}
			for u, err := range (observe.Watcher{Source: &source.Cluster{Config: config}}).Updates(t.Context(), row.target) {
				if err != nil {
					t.Fatal(err)
				}
				if u.Result.Reason != row.reason || u.Result.Message != row.text {
					t.Errorf("it %s: have %s: %s\nwant %s: %s", row.it, u.Result.Reason, u.Result.Message, row.reason, row.text)
				}
				break
			}
		})
	}
}

// Only the metadata of Secrets are requested.
func TestSecretsAreNotRead(t *testing.T) {
	c := live.Cluster(t)
	ns := c.Namespace(t)
	c.Apply(t, ns, "apiVersion: v1\nkind: Secret\nmetadata: {name: s, labels: {a: b}}\nstringData: {password: sesame}\n---\n"+manifest.ConfigMap("m"))
	seen := map[string]status.Object{}
	ctx, stop := context.WithCancel(t.Context())
	targets := []observe.Target{manifest.Target("", "Secret", ns, "s"), manifest.Target("", "Secret", ns, "t")}
	err := (&source.Cluster{Config: c.Config(), ReadConfigMapData: true}).Observe(ctx, targets, func(s observe.Event) bool {
		if seen[s.Target.Name] = s.Object; len(seen) == 2 {
			stop()
		}
		return false
	})
	if err != nil {
		t.Fatal(err)
	}
	if seen["s"] == nil || seen["t"] != nil {
		t.Fatalf("have %v, want s and not t", seen)
	}
	root := seen["s"].UnstructuredContent()
	if root["data"] != nil || root["kind"] != "Secret" || root["apiVersion"] != "v1" {
		t.Errorf("have %v, want a Secret without data", root)
	}
}

func TestNoGoroutineIsLeftBehind(t *testing.T) {
	c := live.Cluster(t)
	ns := c.Namespace(t)
	c.Apply(t, ns, manifest.ConfigMap("a"))
	targets := []observe.Target{
		manifest.Target("", "ConfigMap", ns, "a"), manifest.Target("", "Secret", ns, "b"), manifest.Target("apps", "Deployment", ns, "c"),
		manifest.Target("example.com", "Nope", ns, "d"), manifest.Target("", "Node", "", "e"),
	}
	before := runtime.NumGoroutine()
	for range 5 {
		ctx, stop := context.WithCancel(t.Context())
		for u, err := range (observe.Watcher{Source: &source.Cluster{Config: c.Config()}}).Updates(ctx, targets...) {
			if err != nil {
				t.Fatal(err)
			}
			if u.Synced {
				break
			}
		}
		stop()
	}
	checkGoroutines(t, before)
}

// checkGoroutines fails the test if more goroutines remain than before.
func checkGoroutines(t *testing.T, before int) {
	t.Helper()
	poll.Check(t, func() error { // net/http closes its connections a moment later
		if after := runtime.NumGoroutine(); after > before {
			stacks := make([]byte, 1<<20)
			return fmt.Errorf("%d goroutines before, %d after:\n%s", before, after, stacks[:runtime.Stack(stacks, true)])
		}
		return nil
	})
}

// Unrelated objects are not kept in memory, in either way of listing.
func TestForeignObjectsAreNotKept(t *testing.T) {
	c := live.Cluster(t)
	ns := c.Namespace(t)
	client, err := dynamic.NewForConfig(c.Config())
	if err != nil {
		t.Fatal(err)
	}
	maps := client.Resource(schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}).Namespace(ns)
	const foreign, size = 60, 500 << 10
	for i := range foreign {
		m := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": "ConfigMap",
			"metadata": map[string]any{"name": fmt.Sprintf("m%d", i)},
			"data":     map[string]any{"ballast": strings.Repeat("x", size)}}}
		if _, err := maps.Create(t.Context(), m, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	heap := func() int64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	before := heap()
	w := observe.Watcher{Source: &source.Cluster{Config: c.Config(), ReadConfigMapData: true}}
	for u, err := range w.Updates(t.Context(), manifest.Target("", "ConfigMap", ns, "m1"), manifest.Target("", "ConfigMap", ns, "m2")) {
		if err != nil {
			t.Fatal(err)
		}
		if u.Synced {
			// A connection keeps buffers of a few MiB, however much was read.
			poll.Check(t, func() error {
				if grown := heap() - before; grown > 8<<20 {
					return fmt.Errorf("%d KiB are kept beside %d KiB of foreign objects", grown>>10, foreign*size>>10)
				}
				return nil
			})
			break
		}
	}
}

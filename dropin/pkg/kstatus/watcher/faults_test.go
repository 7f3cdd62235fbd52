package watcher_test

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"

	"kstatus.dev/dropin"
	"kstatus.dev/dropin/internal/clustertest"
	"kstatus.dev/dropin/pkg/kstatus/watcher"
	"kstatus.dev/internal/bubble"
	"kstatus.dev/kube/wiretest"
)

var (
	unavailable = wiretest.Reply{Code: http.StatusServiceUnavailable, Reason: metav1.StatusReasonServiceUnavailable}
	badRequest  = wiretest.Reply{Code: http.StatusBadRequest, Reason: metav1.StatusReasonBadRequest}
	expired     = wiretest.Event{Type: watch.Error, Code: http.StatusGone, Reason: metav1.StatusReasonExpired}
)

// labeled returns a ConfigMap that a selector of the tests matches.
func labeled(name string) string {
	return fmt.Sprintf("{apiVersion: v1, kind: ConfigMap, metadata: {namespace: default, name: %s, labels: {app: web}}}", name)
}

// Where one kind is forbidden, the mode right reads less of it, down to single objects. The other kinds
// continue.
func TestForbiddenKind(t *testing.T) {
	for _, row := range []struct {
		it       string
		match    wiretest.Match
		requests []string // that read Secrets in the end
	}{
		{it: "may be read in its namespace", match: wiretest.Match{Resource: "secrets", Wide: true}, requests: []string{"watch secrets in default"}},
		{
			it: "may be read by name", match: wiretest.Match{Resource: "secrets", Unnamed: true},
			requests: []string{"watch secrets in default named a", "watch secrets in default named b", "watch secrets in default named z"},
		},
		{
			it: "may only be read once by name", match: wiretest.Match{Resource: "secrets", Verbs: []string{"list", "watch"}},
			requests: []string{"get secrets in default named a", "get secrets in default named b", "get secrets in default named z"},
		},
	} {
		t.Run(row.it, func(t *testing.T) {
			inBubble(t, func(w *wire) {
				w.Apply(clustertest.ConfigMap("c"), clustertest.Secret("a"), clustertest.Secret("b"))
				w.On(wiretest.Rule{Match: row.match, Reply: wiretest.Forbidden})
				r := w.watchIn(watcher.RESTScopeRoot, dropin.Right, nil, clustertest.IDs(t, clustertest.ConfigMap("c"), clustertest.Secret("a"), clustertest.Secret("b"), clustertest.Secret("z")))
				r.ExpectAnyOrder("Sync", "a Current", "b Current", "c Current", "z NotFound")
				have := strings.Join(w.Sent(), "\n") + "\n"
				for _, want := range row.requests {
					if !strings.Contains(have, want+"\n") {
						t.Errorf("requests\n%swant %s", have, want)
					}
				}
				w.Apply(clustertest.Secret("a"), clustertest.ConfigMap("c"))
				bubble.Sleep(5 * time.Second)
				r.ExpectAnyOrder("a Current", "c Current")
				w.Remove(clustertest.Secret("a"), clustertest.ConfigMap("c"))
				w.Apply(clustertest.Secret("z"))
				bubble.Sleep(5 * time.Second)
				r.ExpectAnyOrder("a NotFound", "c NotFound", "z Current")
			})
		})
	}
}

// Otherwise an error that is Forbidden ends the watch. It is the one of the whole kind, although the
// request was for one name.
func TestForbiddenKindEndsTheWatch(t *testing.T) {
	for _, row := range []struct {
		it    string
		mode  dropin.Mode
		match wiretest.Match
		want  string
	}{
		{it: "is the mode compat", mode: dropin.Compat, match: wiretest.Match{Resource: "secrets", Verbs: []string{"list", "watch"}}, want: "Error: failed to list /v1, Kind=Secret: list secrets in default: forbidden"},
		{it: "permits lists only", mode: dropin.Compat, match: wiretest.Match{Resource: "secrets", Verbs: []string{"watch"}}, want: "Error: watch secrets in default: forbidden"},
		{it: "permits nothing", mode: dropin.Right, match: wiretest.Match{Resource: "secrets"}, want: "Error: get secrets in default named a: forbidden"},
	} {
		t.Run(row.it, func(t *testing.T) {
			inBubble(t, func(w *wire) {
				w.Apply(clustertest.Secret("a"))
				w.On(wiretest.Rule{Match: row.match, Reply: wiretest.Forbidden})
				r := w.watch(row.mode, nil, clustertest.Secret("a"))
				r.Expect(row.want)
				bubble.Sleep(time.Second)
				if !r.Closed() {
					t.Error("the channel is open after the error")
				}
			})
		})
	}
}

// A permission that is lost during the watch makes it read less, and no target is reported again.
func TestForbiddenLater(t *testing.T) {
	inBubble(t, func(w *wire) {
		w.Apply(clustertest.Secret("a"), clustertest.Secret("b"))
		r := w.watch(dropin.Right, nil, clustertest.Secret("a"), clustertest.Secret("b"))
		r.Expect("a Current", "b Current", "Sync")
		w.On(wiretest.Rule{Match: wiretest.Match{Resource: "secrets", Unnamed: true}, Reply: wiretest.Forbidden})
		w.Silent(func() { w.Remove(clustertest.Secret("b")) })
		w.EndWatches(wiretest.Close)
		bubble.Sleep(5 * time.Second)
		r.Expect("b NotFound")
		w.Apply(clustertest.Secret("a"))
		r.Expect("a Current")
	})
}

// After an expired version only what has changed is reported. That an object is missing is confirmed by a
// read.
func TestExpiredVersion(t *testing.T) {
	inModes(t, func(w *wire, mode dropin.Mode) {
		w.Apply(clustertest.ConfigMap("a"), clustertest.ConfigMap("b"), clustertest.ConfigMap("c"))
		r := w.watch(mode, nil, clustertest.ConfigMap("a"), clustertest.ConfigMap("b"), clustertest.ConfigMap("c"), clustertest.ConfigMap("d"))
		r.Within(time.Second, "Sync")
		w.Sent()
		w.Silent(func() {
			w.Remove(clustertest.ConfigMap("a"))
			w.Apply(clustertest.ConfigMap("b"), clustertest.ConfigMap("d"))
		})
		w.Send(expired)
		bubble.Sleep(5 * time.Second)
		r.Expect("b Current", "d Current", "a NotFound")
		w.ExpectSent("watch configmaps in default", "get configmaps in default named a")
	})
}

// A list that lacks an object is confirmed by a read of the object, or of the first of many. An object
// that exists unchanged is not reported again.
func TestMissingInAList(t *testing.T) {
	const empty = `{"kind":"ConfigMapList","apiVersion":"v1","metadata":{"resourceVersion":"200"},"items":[]}`
	for _, row := range []struct {
		it    string
		rules []wiretest.Rule
		gone  bool
		many  bool
	}{
		{it: "exists"},
		{it: "may not be read", rules: []wiretest.Rule{{Match: wiretest.Match{Verbs: []string{"get"}}, Reply: wiretest.Forbidden}}, gone: true},
		{it: "can be read at the third attempt", rules: []wiretest.Rule{{Match: wiretest.Match{Verbs: []string{"get"}}, Times: 2, Reply: unavailable}}},
		{it: "cannot be read", rules: []wiretest.Rule{{Match: wiretest.Match{Verbs: []string{"get"}}, Reply: unavailable}}, gone: true},
		{it: "is one of many", many: true},
	} {
		t.Run(row.it, func(t *testing.T) {
			inBubble(t, func(w *wire) {
				targets := []string{clustertest.ConfigMap("a"), clustertest.ConfigMap("b")}
				for i := 2; i < 8 && row.many; i++ {
					targets = append(targets, clustertest.ConfigMap(fmt.Sprintf("c%d", i)))
				}
				w.Apply(targets...)
				w.On(wiretest.Rule{Match: wiretest.Match{Streamed: true}, Reply: badRequest})
				r := w.watch(dropin.Compat, nil, targets...)
				r.Within(time.Second, "Sync")
				w.Sent()
				w.On(wiretest.Rule{Match: wiretest.Match{Verbs: []string{"list"}}, Times: 1, Reply: wiretest.Reply{Body: empty}})
				for _, rule := range row.rules {
					w.On(rule)
				}
				w.Send(expired)
				bubble.Sleep(10 * time.Second)
				have, reads := r.Received(), 0
				for _, request := range w.Sent() {
					if strings.HasPrefix(request, "get") {
						reads++
					}
				}
				switch {
				case row.many && (len(have) != 3 || reads != 5):
					t.Errorf("events %q after %d reads, want three after five", have, reads)
				case row.gone && len(have) != 2, !row.gone && !row.many && len(have) > 0:
					t.Errorf("events %q, want that both are NotFound: %t", have, row.gone)
				}
			})
		})
	}
}

// Changes that the watch does not send are found after half a minute. A few targets are read one by
// one. Many targets, and those of selectors, are listed.
func TestSilentChanges(t *testing.T) {
	for _, row := range []struct {
		it       string
		targets  int
		filters  *watcher.Filters
		requests string // of the check after the change
	}{
		{it: "are few", targets: 3, requests: "get configmaps in default named c0, get configmaps in default named c1, get configmaps in default named c2"},
		{it: "are many", targets: 8, requests: "list configmaps in default"},
		{it: "are selected by labels", targets: 3, filters: &watcher.Filters{Labels: labels.SelectorFromSet(labels.Set{"app": "web"})}, requests: "list configmaps in default with app=web"},
		{it: "are selected by fields", targets: 3, filters: &watcher.Filters{Fields: fields.OneTermNotEqualSelector("metadata.name", "x")}, requests: "list configmaps in default"},
	} {
		t.Run(row.it, func(t *testing.T) {
			inModes(t, func(w *wire, mode dropin.Mode) {
				var targets []string
				for i := range row.targets {
					targets = append(targets, labeled(fmt.Sprint("c", i)))
				}
				w.Apply(targets...)
				r := w.watch(mode, func(d *watcher.DefaultStatusWatcher) { d.Filters = row.filters }, targets...)
				r.Within(time.Second, "Sync")
				w.Silent(func() { w.Apply(targets[1]) })
				bubble.Sleep(29 * time.Second)
				r.Expect()
				bubble.Sleep(2 * time.Second)
				r.Expect("c1 Current")
				w.Silent(func() { w.Remove(targets[0]) })
				bubble.Sleep(30 * time.Second)
				r.Expect("c0 NotFound")
				w.Sent()
				bubble.Sleep(30 * time.Second)
				r.Expect()
				w.ExpectSent(strings.Split(row.requests, ", ")...)
			})
		})
	}
}

// Where each watch has expired, the lists count.
func TestExpiredWatches(t *testing.T) {
	inModes(t, func(w *wire, mode dropin.Mode) {
		w.Apply(clustertest.ConfigMap("a"))
		w.On(wiretest.Rule{Match: wiretest.Match{Verbs: []string{"watch"}}, Reply: wiretest.Expired})
		r := w.watch(mode, nil, clustertest.ConfigMap("a"))
		r.Within(time.Second, "Sync")
		w.Apply(clustertest.ConfigMap("a"))
		r.Within(20*time.Second, "a Current")
	})
}

// A server that has been restored from a backup has lower versions. Its states count.
func TestRestoredServer(t *testing.T) {
	inModes(t, func(w *wire, mode dropin.Mode) {
		w.Apply(clustertest.ConfigMap("a"), clustertest.ConfigMap("b"))
		r := w.watch(mode, nil, clustertest.ConfigMap("a"), clustertest.ConfigMap("b"))
		r.Within(time.Second, "Sync")
		w.Restore(50)
		w.Apply(clustertest.ConfigMap("a"), clustertest.ConfigMap("b"))
		bubble.Sleep(time.Second)
		r.Expect()
		bubble.Sleep(30 * time.Second)
		r.Expect("a Current", "b Current")
		w.Apply(clustertest.ConfigMap("b"))
		r.Expect("b Current")
	})
}

// A version may exist again with another content after a restore.
func TestRestoredServerWithTheSameVersions(t *testing.T) {
	inModes(t, func(w *wire, mode dropin.Mode) {
		w.Apply(labeled("a"))
		version, err := strconv.Atoi(w.Find(schema.GroupKind{Kind: "ConfigMap"}, "default", "a").GetResourceVersion())
		if err != nil {
			w.Fatal(err)
		}
		r := w.watch(mode, nil, labeled("a"))
		r.Within(time.Second, "Sync")
		w.Restore(version - 1)
		bubble.Sleep(time.Second) // open watches follow the new history
		w.Silent(func() { w.Apply(clustertest.ConfigMap("a")) })
		w.Send(expired)
		r.Within(time.Minute, "a Current")
	})
}

// An object that selectors do not match any more is NotFound for the watch.
func TestUnselectedObject(t *testing.T) {
	inModes(t, func(w *wire, mode dropin.Mode) {
		w.Apply(labeled("a"), labeled("b"))
		r := w.watch(mode, func(d *watcher.DefaultStatusWatcher) {
			d.Filters = &watcher.Filters{Labels: labels.SelectorFromSet(labels.Set{"app": "web"})}
		}, clustertest.ConfigMap("a"), clustertest.ConfigMap("b"))
		r.Expect("a Current", "b Current", "Sync")
		w.Apply(clustertest.ConfigMap("a"))
		r.Expect("a NotFound")
		w.Silent(func() { w.Apply(clustertest.ConfigMap("b")) })
		w.Send(expired)
		bubble.Sleep(time.Second)
		r.Expect("b NotFound")
	})
}

// A request without a response delays its kind by its own limit of time, and no other kind.
func TestRequestWithoutResponse(t *testing.T) {
	for _, row := range []struct {
		it    string
		rule  wiretest.Rule
		after time.Duration
	}{
		{it: "is a page", rule: wiretest.Rule{Match: wiretest.Match{Resource: "secrets", Verbs: []string{"list"}}, Times: 1, Reply: wiretest.Reply{Delay: time.Hour}}, after: time.Minute},
		{it: "is a page that stops", rule: wiretest.Rule{Match: wiretest.Match{Resource: "secrets", Verbs: []string{"list"}}, Times: 1, Reply: wiretest.Reply{Bytes: 10, End: wiretest.Hang}}, after: time.Minute},
		{it: "is a stream", rule: wiretest.Rule{Match: wiretest.Match{Resource: "secrets", Streamed: true}, Times: 1, Reply: wiretest.Reply{Delay: time.Hour}}, after: 15 * time.Second},
	} {
		t.Run(row.it, func(t *testing.T) {
			inModes(t, func(w *wire, mode dropin.Mode) {
				w.Apply(clustertest.ConfigMap("a"), clustertest.Secret("s"))
				w.On(wiretest.Rule{Match: wiretest.Match{Resource: "secrets", Streamed: true}, Reply: badRequest})
				w.On(row.rule)
				r := w.watch(mode, nil, clustertest.ConfigMap("a"), clustertest.Secret("s"))
				r.Expect("a Current")
				bubble.Sleep(row.after - time.Second)
				r.Expect()
				bubble.Sleep(3 * time.Second)
				r.Expect("s Current", "Sync")
			})
		})
	}
}

// A server that rejects the selection by name has the kind listed as a whole.
func TestRejectedFieldSelector(t *testing.T) {
	inModes(t, func(w *wire, mode dropin.Mode) {
		w.Apply(clustertest.ConfigMap("a"), clustertest.ConfigMap("b"))
		w.On(wiretest.Rule{Match: wiretest.Match{Verbs: []string{"list", "watch"}, Name: "a"}, Reply: badRequest})
		r := w.watch(mode, nil, clustertest.ConfigMap("a"))
		r.Expect("a Current", "Sync")
		w.ExpectSent("watch configmaps in default named a", "list configmaps in default named a", "watch configmaps in default")
	})
}

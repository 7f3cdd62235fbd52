package source_test

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/rest"
	clientapi "k8s.io/client-go/tools/clientcmd/api"

	"kstatus.dev/internal/bubble"
	"kstatus.dev/kube/internal/wiretest"
	"kstatus.dev/kube/source"
	"kstatus.dev/observe"
	"kstatus.dev/status"
	"kstatus.dev/status/schema"
)

// A failure is reported, and the request is retried until it succeeds.
func TestFailuresAreRetried(t *testing.T) {
	unavailable := wiretest.Reply{Code: http.StatusServiceUnavailable, Reason: metav1.StatusReasonServiceUnavailable}
	for _, row := range []struct {
		it     string
		match  wiretest.Match
		times  int
		reply  wiretest.Reply
		before []string      // reported at once
		after  time.Duration // the maximum time until the object is reported
	}{
		{it: "reads again after a failure", times: 2, reply: unavailable, match: everyObject,
			before: []string{"a Transport: list configmaps in namespace shop: watch configmaps in shop named a: service unavailable"}, after: 2500 * time.Millisecond},
		{it: "reads again after many failures", times: 10, reply: unavailable, match: everyObject,
			before: []string{"a Transport: list configmaps in namespace shop: watch configmaps in shop named a: service unavailable"}, after: 60 * time.Second},
		{it: "waits as long as the server requests", times: 1, match: everyObject, after: 8 * time.Second,
			reply: wiretest.Reply{Code: http.StatusTooManyRequests, Reason: metav1.StatusReasonTooManyRequests, RetryAfter: 7}},
		{it: "waits for a slow response", times: 1, match: everyObject, reply: wiretest.Reply{Delay: 20 * time.Second}, after: 20 * time.Second},
		{it: "ends a response that does not begin", times: 1, match: everyObject, reply: wiretest.Reply{Delay: time.Hour}, after: 31 * time.Second},
		{it: "looks up the kind again", times: 1, match: wiretest.Match{Path: "/api/v1"}, reply: unavailable,
			before: []string{"a Transport: look up ConfigMap: the server is currently unable to handle the request"}, after: 3 * time.Second},
	} {
		t.Run(row.it, func(t *testing.T) {
			inBubble(t, func(t *testing.T, s *session) {
				version := s.server.Put(object(configMap, "shop", "a"))
				s.server.On(wiretest.Rule{Match: row.match, Times: row.times, Reply: row.reply})
				s.observe(named(configMap, "shop", "a")...)
				if have := s.reported(); !slices.Equal(have, row.before) {
					t.Fatalf("reported %q, want %q", have, row.before)
				}
				s.within(row.after, "a@"+version)
			})
		})
	}
}

// While the server does not respond, each target is unreadable. Pauses grow to half a
// minute, but stay below five seconds while a target is pending.
func TestRetryRateOfFailingServer(t *testing.T) {
	for _, row := range []struct {
		it       string
		idle     bool
		min, max int // lists in ten minutes
	}{
		{it: "tries every few seconds while a target is pending", min: 110, max: 160},
		{it: "tries seldom otherwise", idle: true, min: 13, max: 36},
	} {
		t.Run(row.it, func(t *testing.T) {
			inBubble(t, func(t *testing.T, s *session) {
				s.closed = row.idle
				s.server.On(wiretest.Rule{Match: everyObject, Reply: wiretest.Reply{Code: http.StatusInternalServerError}})
				s.observe(selection)
				bubble.Sleep(time.Minute)
				s.requested()
				bubble.Sleep(10 * time.Minute)
				lists := 0
				for _, r := range s.server.Requests() {
					if r.Verb == "list" {
						lists++
					}
				}
				if lists < row.min || lists > row.max {
					t.Errorf("have %d lists in ten minutes, want %d to %d", lists, row.min, row.max)
				}
			})
		})
	}
}

// Watches that end at once are not reopened in a hot loop, and the verdicts stay.
func TestWatchesThatEndAtOnce(t *testing.T) {
	inBubble(t, func(t *testing.T, s *session) {
		version := s.server.Put(object(configMap, "shop", "a"))
		s.observe(selection)
		s.expectReports("a@"+version, "all")
		s.server.On(wiretest.Rule{Match: wiretest.Match{Verbs: []string{"watch"}}, Reply: wiretest.Reply{Events: []wiretest.Event{}, End: wiretest.Close}})
		s.server.EndWatches(wiretest.Close)
		s.requested()
		bubble.Sleep(10 * time.Minute)
		if have := s.requested(); len(have) > 500 {
			t.Errorf("have %d requests in ten minutes", len(have))
		}
		for _, line := range s.reported() {
			if line != "all" && line != "a@"+version && !strings.HasPrefix(line, "a Transport: ") && !strings.HasPrefix(line, "all Transport: ") {
				t.Errorf("reported %q", line)
			}
		}
	})
}

// A kind that is not served is reported as such until it is served.
func TestKindServedLater(t *testing.T) {
	inBubble(t, func(t *testing.T, s *session) {
		s.server.Withdraw(widgets)
		version := s.server.Put(object(widget, "shop", "w"))
		s.observe(named(widget, "shop", "w")...)
		s.expectReports("w NoMatch: the cluster does not serve Widget.example.com")
		s.server.Serve(widgets)
		s.within(2*time.Second, "w@"+version)
	})
}

// A kind that is no longer served is reported as such after a few seconds, since another
// version may have it.
func TestKindNoLongerServed(t *testing.T) {
	unserved := "w NoMatch: the cluster does not serve Widget.example.com"
	watches := wiretest.Rule{Match: wiretest.Match{Verbs: []string{"list", "watch"}, Resource: "widgets"}}
	watches.Reply = wiretest.Reply{Code: http.StatusNotFound, Reason: metav1.StatusReasonNotFound}
	for _, row := range []struct {
		it   string
		goes func(s *session)
		want string
		took time.Duration // minimum
	}{
		{it: "reports a kind that discovery does not list any more", want: unserved, goes: func(s *session) { s.server.Withdraw(widgets) }},
		{it: "reports a kind that discovery still lists", want: unserved, took: 4 * time.Second, goes: func(s *session) { s.server.On(watches) }},
		{it: "reads another version", want: "w@", goes: func(s *session) {
			s.server.Withdraw(widgets)
			s.server.Serve(widgetsV2)
			s.server.Put(object(widget, "shop", "w"))
		}},
	} {
		t.Run(row.it, func(t *testing.T) {
			inBubble(t, func(t *testing.T, s *session) {
				s.server.Put(object(widget, "shop", "w"))
				s.observe(named(widget, "shop", "w")...)
				bubble.Sleep(10 * time.Second)
				s.reported()
				row.goes(s)
				s.server.EndWatches(wiretest.Close)
				if took := s.within(30*time.Second, row.want); took < row.took {
					t.Errorf("it has been reported after %s already", took)
				}
				if have := s.reported()[0]; !strings.HasPrefix(have, row.want) {
					t.Errorf("reported %q first, want %q", have, row.want)
				}
			})
		})
	}
}

// If a kind disappears while its objects are read one by one, it is looked up again.
func TestKindNoLongerServedDuringGets(t *testing.T) {
	inBubble(t, func(t *testing.T, s *session) {
		s.server.On(wiretest.Rule{Match: anyList, Reply: wiretest.Forbidden})
		version := s.server.Put(object(widget, "shop", "w"))
		s.observe(named(widget, "shop", "w")...)
		s.expectReports("w@" + version)
		bubble.Sleep(10 * time.Second)
		s.server.Withdraw(widgets)
		s.within(5*time.Second, "w NoMatch: the cluster does not serve Widget.example.com")
		s.reported()
		s.server.Serve(widgets)
		s.within(10*time.Second, "w@"+version)
	})
}

// A group whose server does not respond does not delay another group.
func TestUnresponsiveGroup(t *testing.T) {
	inBubble(t, func(t *testing.T, s *session) {
		s.server.On(wiretest.Rule{Match: wiretest.Match{Path: "/apis/example.com"}, Reply: wiretest.Reply{Delay: time.Hour}})
		version := s.server.Put(object(configMap, "shop", "a"))
		s.observe(append(named(configMap, "shop", "a"), named(widget, "shop", "w")...)...)
		s.expectReports("a@" + version)
		s.within(time.Minute, "w Transport: look up Widget.example.com: ")
	})
}

// Credentials that were never accepted end the observation. Credentials that were
// accepted before have two minutes to recover.
func TestRejectedCredentials(t *testing.T) {
	refused := wiretest.Rule{Reply: wiretest.Reply{Code: http.StatusUnauthorized, Reason: metav1.StatusReasonUnauthorized}}
	for _, row := range []struct {
		it       string
		accepted bool
		took     time.Duration
	}{
		{it: "ends at once"},
		{it: "ends after two minutes", accepted: true, took: 2 * time.Minute},
	} {
		t.Run(row.it, func(t *testing.T) {
			inBubble(t, func(t *testing.T, s *session) {
				if row.accepted {
					s.observe(named(configMap, "shop", "a")...)
					s.expectReports("a gone")
					s.server.On(refused)
					s.server.EndWatches(wiretest.Close)
					bubble.Sleep(row.took - time.Second)
					if _, over := s.result(); over {
						t.Errorf("it has ended within %s", row.took)
					}
					bubble.Sleep(10 * time.Second)
				} else {
					s.server.On(refused)
					s.observe(named(configMap, "shop", "a")...)
				}
				if err, over := s.result(); err == nil || !strings.Contains(err.Error(), "the credentials are not accepted") {
					t.Errorf("it has ended: %t, %v", over, err)
				}
			})
		})
	}
}

// The definition of a custom kind is read before its first object is reported. A
// forbidden definition is ignored, and a failed read is retried.
func TestDefinitionsAreReadFirst(t *testing.T) {
	definitions := wiretest.Match{Resource: "customresourcedefinitions"}
	for _, row := range []struct {
		it     string
		reply  wiretest.Reply
		learns int
		after  time.Duration
	}{
		{it: "loads a definition", reply: wiretest.Reply{Body: widgetDefinition}, learns: 1},
		{it: "continues without a forbidden definition", reply: wiretest.Forbidden},
		{it: "waits half a minute for an unreadable definition", reply: wiretest.Reply{Code: http.StatusInternalServerError}, after: 30 * time.Second},
	} {
		t.Run(row.it, func(t *testing.T) {
			inBubble(t, func(t *testing.T, s *session) {
				s.server.On(wiretest.Rule{Match: definitions, Reply: row.reply})
				version := s.server.Put(object(widget, "shop", "w"))
				definitionCount := 0
				s.observeAs(source.Cluster{Client: s.client(source.Options{Rules: onDefinition(func(*unstructured.Unstructured) { definitionCount++ })})}, named(widget, "shop", "w")...)
				if took := s.within(row.after+time.Minute, "w@"+version); took < row.after {
					t.Errorf("it has been reported after %s", took)
				}
				if definitionCount != row.learns {
					t.Errorf("%d definitions were loaded", definitionCount)
				}
			})
		})
	}
}

// StorageClasses are read before the first claim is reported.
func TestStorageClassesAreReadFirst(t *testing.T) {
	claim := status.Kind{Kind: "PersistentVolumeClaim"}
	storageClass := status.Kind{Group: "storage.k8s.io", Kind: "StorageClass"}
	inBubble(t, func(t *testing.T, s *session) {
		s.server.Serve(wiretest.Resource{Version: "v1", Kind: "PersistentVolumeClaim", Name: "persistentvolumeclaims"})
		s.server.Serve(wiretest.Resource{Group: "storage.k8s.io", Version: "v1", Kind: "StorageClass", Name: "storageclasses", ClusterScoped: true})
		s.server.On(wiretest.Rule{Match: wiretest.Match{Resource: "storageclasses"}, Times: 1, Reply: wiretest.Reply{Code: http.StatusInternalServerError}})
		s.server.Put(object(storageClass, "", "slow"))
		version := s.server.Put(object(claim, "shop", "c"))
		s.observe(named(claim, "shop", "c")...)
		if have := s.reported(); len(have) != 1 || !strings.HasPrefix(have[0], "c Transport: ") {
			t.Errorf("reported %q before the StorageClasses could be read", have)
		}
		s.within(time.Second, "c@"+version)
		if class := s.evaluator.Related(storageClass, "", "slow"); class == nil || class.UnstructuredContent()["volumeBindingMode"] != "Immediate" {
			t.Errorf("the class is known as %v", class)
		}
	})
}

// An object is never reported before its definition is loaded. This also holds if the
// definition is replaced and no response shows that the kind was gone.
func TestReplacedDefinition(t *testing.T) {
	for _, row := range []struct {
		it       string
		replaced wiretest.Reply // the definition afterwards
		want     []string
	}{
		{"loads the new definition first", wiretest.Reply{Body: strings.Replace(widgetDefinition, `"resourceVersion": "7"`, `"resourceVersion": "9"`, 1)}, []string{"definition 9", "w@104", "x@105"}},
		{"loads an unchanged definition once", wiretest.Reply{Body: widgetDefinition}, []string{"w@104", "x@105"}},
		{"continues without a forbidden definition", wiretest.Forbidden, []string{"w@104", "x@105"}},
		{"continues after half a minute without an unreadable definition", wiretest.Reply{Code: http.StatusInternalServerError}, []string{"w@104", "x@105"}},
	} {
		t.Run(row.it, func(t *testing.T) {
			inBubble(t, func(t *testing.T, s *session) {
				definitions := wiretest.Match{Resource: "customresourcedefinitions"}
				remove := s.server.On(wiretest.Rule{Match: definitions, Reply: wiretest.Reply{Body: widgetDefinition}})
				put := func(name string) {
					u := object(widget, "shop", name)
					u.SetCreationTimestamp(metav1.Now())
					s.server.Put(u)
				}
				put("w")
				put("other")
				bubble.Sleep(time.Minute)
				rules := onDefinition(func(u *unstructured.Unstructured) {
					s.mu.Lock()
					defer s.mu.Unlock()
					s.lines = append(s.lines, "definition "+u.GetResourceVersion())
				})
				s.observeAs(source.Cluster{Client: s.client(source.Options{Rules: rules})}, named(widget, "shop", "w", "x")...)
				s.expectReports("definition 7", "w@101", "x gone")
				s.server.Delete(object(widget, "shop", "w"))
				s.within(time.Minute, "w gone")
				s.reported()
				remove()
				s.server.On(wiretest.Rule{Match: definitions, Reply: row.replaced})
				put("w")
				put("x")
				s.within(time.Minute, "@10")
				first := s.reported()
				bubble.Sleep(time.Second)
				have := append(first, s.reported()...)
				slices.Sort(have[len(row.want)-2:])
				if !slices.Equal(have, row.want) {
					t.Errorf("reported %q, want %q", have, row.want)
				}
			})
		})
	}
}

// widgetDefinition is a definition whose status has an observed generation.
const widgetDefinition = `{
	"kind": "CustomResourceDefinition", "apiVersion": "apiextensions.k8s.io/v1", "metadata": {"name": "widgets.example.com", "resourceVersion": "7"},
	"spec": {
		"group": "example.com", "names": {"kind": "Widget", "plural": "widgets"},
		"versions": [{"name": "v1", "served": true, "subresources": {"status": {}}, "schema": {"openAPIV3Schema": {"type": "object", "properties": {
			"status": {"type": "object", "properties": {"observedGeneration": {"type": "integer"}}}
		}}}}]
	}
}`

// If pending targets have no report, other objects of their kind are read, once.
func TestPeersAreReadIfNothingIsReported(t *testing.T) {
	inBubble(t, func(t *testing.T, s *session) {
		s.server.On(wiretest.Rule{Match: wiretest.Match{Resource: "customresourcedefinitions"}, Reply: wiretest.Reply{Body: widgetDefinition}})
		s.server.Put(object(widget, "shop", "w"))
		s.observe(named(widget, "shop", "w")...)
		s.within(time.Second, "w@")
		s.requested()
		if !s.arePeersPending() {
			t.Error("others are not awaited")
		}
		bubble.Sleep(time.Minute)
		if s.arePeersPending() {
			t.Error("others are awaited although they have been read")
		}
		lists := 0
		for _, r := range s.requested() {
			if r == "list widgets" {
				lists++
			}
		}
		if lists != 1 {
			t.Errorf("others have been listed %d times", lists)
		}
	})
}

// arePeersPending reports whether other Widgets are still to be read.
func (s *session) arePeersPending() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.evaluator.Expect("example.com/v1", "Widget").Peers.Pending
}

// Other objects of a kind are not awaited if no pending target needs them, and no longer than
// for schemaTimeout if they cannot be read.
func TestPeersAreNotAwaitedForever(t *testing.T) {
	inBubble(t, func(t *testing.T, s *session) {
		s.server.On(wiretest.Rule{Match: wiretest.Match{Resource: "customresourcedefinitions"}, Reply: wiretest.Reply{Body: widgetDefinition}})
		s.server.On(wiretest.Rule{Match: wiretest.Match{Resource: "widgets", Verbs: []string{"list"}, Wide: true}, Reply: wiretest.Reply{Code: 500}})
		s.server.Put(object(widget, "shop", "w"))
		s.observe(named(widget, "shop", "w")...)
		bubble.Sleep(20 * time.Second)
		if !s.arePeersPending() {
			t.Error("others are not awaited while they cannot be read")
		}
		bubble.Sleep(time.Minute)
		if s.arePeersPending() {
			t.Error("others are still awaited although they cannot be read")
		}
	})
	inBubble(t, func(t *testing.T, s *session) {
		s.server.On(wiretest.Rule{Match: wiretest.Match{Resource: "customresourcedefinitions"}, Reply: wiretest.Reply{Body: widgetDefinition}})
		w := object(widget, "shop", "w")
		s.server.Put(w)
		s.observe(named(widget, "shop", "w")...)
		bubble.Sleep(time.Second)
		if !s.arePeersPending() {
			t.Error("others are not awaited")
		}
		w = object(widget, "shop", "w")
		w.Object["status"] = map[string]any{"observedGeneration": int64(1)}
		s.server.Put(w)
		bubble.Sleep(5 * time.Second)
		if s.arePeersPending() {
			t.Error("others are awaited although the target has a report")
		}
	})
}

// Schemas are also loaded for callers that have read objects themselves.
func TestLoadSchemas(t *testing.T) {
	inBubble(t, func(t *testing.T, s *session) {
		s.server.On(wiretest.Rule{Match: wiretest.Match{Resource: "customresourcedefinitions"}, Reply: wiretest.Reply{Body: widgetDefinition}})
		definitionCount := 0
		c := s.client(source.Options{Rules: onDefinition(func(*unstructured.Unstructured) { definitionCount++ })})
		for range 2 {
			if err := c.LoadSchemas(t.Context(), widget, configMap); err != nil || definitionCount != 1 {
				t.Errorf("loaded %d definitions: %v", definitionCount, err)
			}
		}
		if have := c.Evaluator().Expect("example.com/v1", "Widget").ObservedGeneration; have != schema.TristateYes {
			t.Errorf("have %v", have)
		}
		if err := c.LoadSchemas(t.Context(), status.Kind{Group: "example.com", Kind: "Gadget"}); err == nil {
			t.Error("a kind that is not served has a schema")
		}
	})
}

// If a credential plugin fails, the observation ends at once with the plugin's error.
func TestUnavailableCredentials(t *testing.T) {
	config := &rest.Config{Host: "https://127.0.0.1:1", ExecProvider: &clientapi.ExecConfig{
		APIVersion: "client.authentication.k8s.io/v1", Command: "/nonexistent/program", InteractiveMode: clientapi.NeverExecInteractiveMode,
	}}
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	err := (&source.Cluster{Config: config}).Observe(ctx, named(configMap, "shop", "a"), func(e observe.Event) bool { return true })
	if err == nil || !strings.HasPrefix(err.Error(), "no credentials for the API server: ") || strings.Contains(err.Error(), "https://") {
		t.Errorf("it has ended: %v, with %v", ctx.Err(), err)
	}
}

// The error of an unreadable object does not contain the URL of the request.
func TestOutagesAreReportedWithoutURLs(t *testing.T) {
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	reported := make(chan error, 1)
	go func() {
		_ = (&source.Cluster{Config: &rest.Config{Host: "http://127.0.0.1:1"}}).Observe(ctx, named(configMap, "shop", "a"), func(e observe.Event) bool {
			select {
			case reported <- e.Err:
			default:
			}
			return true
		})
	}()
	err := <-reported
	if err == nil || strings.Contains(err.Error(), "http://") || !strings.HasSuffix(err.Error(), "dial tcp 127.0.0.1:1: connect: connection refused") {
		t.Errorf("it is told %v", err)
	}
}

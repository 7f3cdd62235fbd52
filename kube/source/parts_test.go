package source_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"

	"kstatus.dev/internal/bubble"
	"kstatus.dev/kube/internal/wiretest"
	"kstatus.dev/kube/source"
	"kstatus.dev/status"
)

var (
	deployments    = wiretest.Resource{Group: "apps", Version: "v1", Kind: "Deployment", Name: "deployments"}
	daemonSets     = wiretest.Resource{Group: "apps", Version: "v1", Kind: "DaemonSet", Name: "daemonsets"}
	replicaSets    = wiretest.Resource{Group: "apps", Version: "v1", Kind: "ReplicaSet", Name: "replicasets"}
	pods           = wiretest.Resource{Version: "v1", Kind: "Pod", Name: "pods"}
	services       = wiretest.Resource{Version: "v1", Kind: "Service", Name: "services"}
	endpointSlices = wiretest.Resource{Group: "discovery.k8s.io", Version: "v1", Kind: "EndpointSlice", Name: "endpointslices"}

	deployment    = status.Kind{Group: "apps", Kind: "Deployment"}
	daemonSet     = status.Kind{Group: "apps", Kind: "DaemonSet"}
	replicaSet    = status.Kind{Group: "apps", Kind: "ReplicaSet"}
	pod           = status.Kind{Kind: "Pod"}
	service       = status.Kind{Kind: "Service"}
	endpointSlice = status.Kind{Group: "discovery.k8s.io", Kind: "EndpointSlice"}
)

// serveWorkloads makes the server serve the kinds of these tests.
func (s *session) serveWorkloads() {
	for _, r := range []wiretest.Resource{deployments, daemonSets, replicaSets, pods, services, endpointSlices} {
		s.server.Serve(r)
	}
}

// workload returns a workload with Pods whose label app is its name.
func workload(kind status.Kind, name string) *unstructured.Unstructured {
	u := object(kind, "shop", name)
	u.SetUID(types.UID("uid-of-" + name))
	u.Object["spec"] = map[string]any{"selector": map[string]any{"matchLabels": map[string]any{"app": name}}}
	return u
}

// ownedBy makes an object a part of another.
func ownedBy(u, owner *unstructured.Unstructured) *unstructured.Unstructured {
	labels := map[string]string{}
	selected, _, _ := unstructured.NestedStringMap(owner.Object, "spec", "selector", "matchLabels")
	for key, value := range selected {
		labels[key] = value
	}
	u.SetLabels(labels)
	u.SetOwnerReferences([]metav1.OwnerReference{{
		APIVersion: owner.GetAPIVersion(), Kind: owner.GetKind(), Name: owner.GetName(), UID: owner.GetUID(), Controller: new(true),
	}})
	return u
}

// ready makes a Pod ready.
func ready(u *unstructured.Unstructured) *unstructured.Unstructured {
	u = u.DeepCopy()
	u.Object["status"] = map[string]any{"phase": "Running", "conditions": []any{map[string]any{"type": "Ready", "status": "True"}}}
	return u
}

// podRequests returns the requests for Pods since the last look at the requests.
func (s *session) podRequests() (some []string) {
	for _, r := range s.requested() {
		if strings.Contains(r, "pods") {
			some = append(some, r)
		}
	}
	return some
}

func TestPodsOfADeployment(t *testing.T) {
	inBubble(t, func(t *testing.T, s *session) {
		s.serveWorkloads()
		web := workload(deployment, "web")
		web.SetAnnotations(map[string]string{"deployment.kubernetes.io/revision": "1"})
		set := ownedBy(workload(replicaSet, "web-1"), web)
		set.SetAnnotations(web.GetAnnotations())
		set.Object["spec"] = web.Object["spec"]
		pending := ownedBy(object(pod, "shop", "web-1-x"), set)
		pending.SetLabels(map[string]string{"app": "web", "pod-template-hash": "1"})
		version := s.server.Put(web)
		s.server.Put(set)
		first := s.server.Put(pending)
		s.server.Put(ready(ownedBy(object(pod, "shop", "web-1-y"), set)))
		s.observe(named(deployment, "shop", "web")...)
		s.expectReports("web@" + version)
		bubble.Sleep(3 * time.Second)
		s.expectReports("web has web-1-x@" + first)
		s.expectRequests("watch deployments in shop named web", "watch pods in shop with app in (web)", "watch replicasets in shop with app in (web)")
		second := s.server.Put(ready(pending))
		s.expectReports("web has web-1-x@"+second, "web has web-1-x gone")
		third := s.server.Put(pending)
		s.expectReports("web has web-1-x@" + third)
		s.server.Delete(pending)
		s.expectReports("web has web-1-x gone")
	})
}

// The Pods of many workloads take few requests, whenever the workloads are added.
func TestRequestCountOfPods(t *testing.T) {
	inBubble(t, func(t *testing.T, s *session) {
		s.serveWorkloads()
		for _, name := range []string{"a", "b"} {
			s.server.Put(workload(daemonSet, name))
		}
		s.observe(named(daemonSet, "shop", "a", "b", "c", "d")...)
		bubble.Sleep(3 * time.Second)
		for _, step := range []struct {
			it   string
			do   func()
			want []string
		}{
			{"reads the Pods of existing workloads together", func() {}, []string{"watch pods in shop with app in (a,b)"}},
			{"reads the Pods of all again for another workload", func() { s.server.Put(workload(daemonSet, "c")) }, []string{"watch pods in shop with app in (a,b,c)"}},
			{"reads the Pods of the namespace for many workloads", func() { s.server.Put(workload(daemonSet, "d")) }, []string{"watch pods in shop"}},
			{"reads nothing during changes", func() { s.server.Put(workload(daemonSet, "d")) }, nil},
		} {
			step.do()
			bubble.Sleep(3 * time.Second)
			if have := s.podRequests(); !slices.Equal(have, step.want) {
				t.Errorf("it %s: requested %q, want %q", step.it, have, step.want)
			}
		}
	})
}

// Pods are read while a workload is pending, and five minutes longer.
func TestPodWatchesStop(t *testing.T) {
	inBubble(t, func(t *testing.T, s *session) {
		s.serveWorkloads()
		web := workload(daemonSet, "web")
		version := s.server.Put(web)
		first := s.server.Put(ownedBy(object(pod, "shop", "web-x"), web))
		s.observe(named(daemonSet, "shop", "web")...)
		bubble.Sleep(3 * time.Second)
		s.expectReports("web@"+version, "web has web-x@"+first)
		s.idle()
		version = s.server.Put(web)
		bubble.Sleep(4 * time.Minute)
		s.expectReports("web@" + version)
		bubble.Sleep(2 * time.Minute)
		s.expectReports("web has web-x gone")
		s.podRequests() // the first watch, and another one if the server ended it before
		s.server.Put(ownedBy(object(pod, "shop", "web-y"), web))
		s.expectReports()
		s.mu.Lock()
		s.closed = false
		s.mu.Unlock()
		s.server.Put(web)
		bubble.Sleep(3 * time.Second)
		s.within(time.Second, "web has web-y@")
		if have := s.podRequests(); !slices.Equal(have, []string{"watch pods in shop with app in (web)"}) {
			t.Errorf("requested %q when it is waited for again", have)
		}
	})
}

// Forbidden Pods are reported once for each workload, until they are permitted.
func TestForbiddenPods(t *testing.T) {
	inBubble(t, func(t *testing.T, s *session) {
		s.serveWorkloads()
		permit := s.server.On(wiretest.Rule{Match: wiretest.Match{Resource: "pods"}, Reply: wiretest.Forbidden})
		web := workload(daemonSet, "web")
		s.server.Put(web)
		version := s.server.Put(ownedBy(object(pod, "shop", "web-x"), web))
		s.observe(named(daemonSet, "shop", "web")...)
		s.reported()
		bubble.Sleep(time.Minute)
		// A problem of all Pods of a workload names no single Pod.
		s.expectReports("web has all Forbidden: user eve may not list pods in namespace shop")
		permit()
		took := s.within(6*time.Minute, "web has web-x@"+version)
		if took < 3*time.Minute {
			t.Errorf("they have been tried again after %s", took)
		}
		s.expectReports("web has all", "web has web-x@"+version)
	})
}

// Pods are listed if they may not be watched, if the server does not stream lists, and at
// a requested interval.
func TestPodReadStrategies(t *testing.T) {
	watchPods := wiretest.Match{Verbs: []string{"watch"}, Resource: "pods"}
	streamPods := wiretest.Match{Streamed: true, Resource: "pods"}
	const list, stream = "list pods in shop with app in (web)", "watch pods in shop with app in (web)"
	for _, row := range []struct {
		it      string
		rule    wiretest.Rule
		cluster source.Cluster
		after   time.Duration
		want    []string
	}{
		{it: "streams a list", after: 10 * time.Second, want: []string{stream}},
		{it: "lists and watches", after: 10 * time.Second, rule: wiretest.Rule{Match: streamPods, Reply: badRequest}, want: []string{list, stream, stream}},
		{it: "lists", after: 40 * time.Second, rule: wiretest.Rule{Match: watchPods, Reply: wiretest.Forbidden}, want: []string{list, list, stream, stream}},
		{it: "lists at an interval", after: 62 * time.Second, cluster: source.Cluster{Interval: 30 * time.Second}, want: []string{list, list, list}},
		{it: "lists after a stall", after: 70 * time.Second, rule: wiretest.Rule{Match: streamPods, Reply: wiretest.Reply{Events: []wiretest.Event{}, End: wiretest.Hang}}, want: []string{list, stream, stream}},
		{it: "lists after a stream that ends early", after: 10 * time.Second, rule: wiretest.Rule{Match: streamPods, Reply: wiretest.Reply{Events: []wiretest.Event{}, End: wiretest.Close}}, want: []string{list, stream, stream}},
	} {
		t.Run(row.it, func(t *testing.T) {
			inBubble(t, func(t *testing.T, s *session) {
				s.serveWorkloads()
				if row.rule.Match.Resource != "" {
					s.server.On(row.rule)
				}
				web := workload(daemonSet, "web")
				s.server.Put(web)
				version := s.server.Put(ownedBy(object(pod, "shop", "web-x"), web))
				s.observeAs(row.cluster, named(daemonSet, "shop", "web")...)
				bubble.Sleep(row.after)
				if have := s.podRequests(); !slices.Equal(have, row.want) {
					t.Errorf("requested %q, want %q", have, row.want)
				}
				s.within(0, "web has web-x@"+version)
			})
		})
	}
}

// A watch of Pods continues from its last version, and lists again after that has
// expired.
func TestWatchesOfPods(t *testing.T) {
	for _, row := range []struct {
		it     string
		end    func(s *session)
		listed bool
	}{
		{it: "continues after a watch that ends", end: func(s *session) { s.server.EndWatches(wiretest.Close) }},
		{it: "continues after a watch that is interrupted", end: func(s *session) { s.server.EndWatches(wiretest.Cut) }},
		{it: "lists again after an expired version", listed: true, end: func(s *session) {
			s.server.Compact()
			s.server.EndWatches(wiretest.Close)
		}},
	} {
		t.Run(row.it, func(t *testing.T) {
			inBubble(t, func(t *testing.T, s *session) {
				s.serveWorkloads()
				web := workload(daemonSet, "web")
				x, y := ownedBy(object(pod, "shop", "web-x"), web), ownedBy(object(pod, "shop", "web-y"), web)
				s.server.Put(web)
				s.server.Put(x)
				s.observe(named(daemonSet, "shop", "web")...)
				bubble.Sleep(10 * time.Second)
				s.reported()
				if row.listed {
					s.server.Silent(func() { s.server.Delete(x) })
				} else {
					s.server.Delete(x)
				}
				s.server.Requests()
				row.end(s)
				version := s.server.Put(y)
				s.within(5*time.Second, "web has web-y@"+version)
				s.within(time.Second, "web has web-x gone")
				listed := false
				for _, r := range s.server.Requests() {
					listed = listed || r.Resource == "pods" && (r.Streamed || r.Verb == "list")
				}
				if listed != row.listed {
					t.Errorf("Pods have been listed anew: %t", listed)
				}
			})
		})
	}
}

// A Service is reported when it gets its first ready endpoint, and when it loses the last
// one. If its endpoints are forbidden, its verdict says so.
func TestEndpointsOfAService(t *testing.T) {
	inBubble(t, func(t *testing.T, s *session) {
		s.serveWorkloads()
		web := object(service, "shop", "web")
		web.Object["spec"] = map[string]any{"selector": map[string]any{"app": "web"}}
		version := s.server.Put(web)
		endpoints := object(endpointSlice, "shop", "web-1")
		endpoints.SetLabels(map[string]string{"kubernetes.io/service-name": "web"})
		s.observeAs(source.Cluster{WaitForEndpoints: true}, named(service, "shop", "web")...)
		bubble.Sleep(3 * time.Second)
		s.expectReports("web@" + version)
		endpoints.Object["endpoints"] = []any{map[string]any{"conditions": map[string]any{"ready": true}}}
		s.server.Put(endpoints)
		s.expectReports("web@" + version)
		s.server.Put(endpoints)
		s.expectReports()
		s.server.Delete(endpoints)
		s.expectReports("web@" + version)
		s.server.Put(endpoints)
		s.expectReports("web@" + version)
		s.server.Silent(func() { s.server.Delete(endpoints) })
		s.server.Send(wiretest.Event{Type: watch.Error, Code: 410, Reason: metav1.StatusReasonExpired})
		bubble.Sleep(5 * time.Second)
		s.within(0, "web@"+version)
		s.reported()
		s.server.Delete(web)
		bubble.Sleep(time.Second)
		s.expectReports("web gone")
	})
}

func TestForbiddenEndpoints(t *testing.T) {
	inBubble(t, func(t *testing.T, s *session) {
		s.serveWorkloads()
		permit := s.server.On(wiretest.Rule{Match: wiretest.Match{Resource: "endpointslices"}, Reply: wiretest.Forbidden})
		web := object(service, "shop", "web")
		web.Object["spec"] = map[string]any{"selector": map[string]any{"app": "web"}}
		version := s.server.Put(web)
		s.observeAs(source.Cluster{WaitForEndpoints: true}, named(service, "shop", "web")...)
		bubble.Sleep(10 * time.Second)
		s.expectReports("web@"+version, "web Forbidden: user eve may not list endpointslices.discovery.k8s.io in namespace shop")
		permit()
		s.within(10*time.Minute, "web@"+version)
	})
}

// Parts that a list no longer contains are revoked.
func TestPodsMissingFromList(t *testing.T) {
	inBubble(t, func(t *testing.T, s *session) {
		s.serveWorkloads()
		web := workload(daemonSet, "web")
		x := ownedBy(object(pod, "shop", "web-x"), web)
		s.server.Put(web)
		s.server.Put(x)
		s.observe(named(daemonSet, "shop", "web")...)
		bubble.Sleep(10 * time.Second)
		s.reported()
		s.server.Silent(func() { s.server.Delete(x) })
		s.server.Send(wiretest.Event{Type: watch.Error, Code: 410, Reason: metav1.StatusReasonExpired})
		s.within(5*time.Second, "web has web-x gone")
	})
}

// Pods that no longer count are revoked before the workload is reported.
func TestPodsThatNoLongerCount(t *testing.T) {
	inBubble(t, func(t *testing.T, s *session) {
		s.serveWorkloads()
		web := workload(daemonSet, "web")
		web.SetAnnotations(map[string]string{"deprecated.daemonset.template.generation": "1"})
		podOf := func(name, generation string) *unstructured.Unstructured {
			u := ownedBy(object(pod, "shop", name), web)
			u.SetLabels(map[string]string{"app": "web", "pod-template-generation": generation})
			return u
		}
		s.server.Put(web)
		s.server.Put(podOf("web-x", "1"))
		s.observe(named(daemonSet, "shop", "web")...)
		bubble.Sleep(3 * time.Second)
		s.reported()
		web.SetAnnotations(map[string]string{"deprecated.daemonset.template.generation": "2"})
		version := s.server.Put(web)
		if have, want := s.reported(), []string{"web has web-x gone", "web@" + version}; !slices.Equal(have, want) {
			t.Errorf("reported %q after a change of the template, want %q", have, want)
		}
		version = s.server.Put(podOf("web-y", "2"))
		s.expectReports("web has web-y@" + version)
		s.server.Delete(web)
		bubble.Sleep(time.Second)
		if have, want := s.reported(), []string{"web has web-y gone", "web gone"}; !slices.Equal(have, want) {
			t.Errorf("reported %q after the deletion, want %q", have, want)
		}
	})
}

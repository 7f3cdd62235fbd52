package source_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic/fake"
	clienttesting "k8s.io/client-go/testing"
	"sigs.k8s.io/yaml"

	"kstatus.dev/kube/source"
)

const (
	evictedPod = `
apiVersion: v1
kind: Pod
metadata: {name: web, namespace: shop, uid: p1}
spec: {restartPolicy: Never, volumes: [{name: data, emptyDir: {sizeLimit: 5Mi}}]}
status: {phase: Succeeded}
`
	evictedJob = `
apiVersion: batch/v1
kind: Job
metadata: {name: load, namespace: shop, uid: j1}
spec: {template: {spec: {containers: [{name: c, resources: {limits: {ephemeral-storage: 5Mi}}}]}}}
status: {succeeded: 1, conditions: [{type: Complete, status: "True"}]}
`
	podOfJob = `
apiVersion: v1
kind: Pod
metadata: {name: load-x, namespace: shop, uid: p2, ownerReferences: [{apiVersion: batch/v1, kind: Job, name: load, uid: j1, controller: true}]}
status: {phase: Succeeded}
`
	evictions = `
apiVersion: v1
kind: Event
metadata: {name: e1, namespace: shop}
reason: Evicted
message: 'Usage of EmptyDir volume "data" exceeds the limit "5Mi". '
involvedObject: {kind: Pod, name: web, uid: p1}
---
apiVersion: v1
kind: Event
metadata: {name: e2, namespace: shop}
reason: Evicted
message: too much
involvedObject: {kind: Pod, name: load-x, uid: p2}
`
)

// A Pod, or a Job, that has succeeded is Failed if an event says that its kubelet evicted the Pod.
func TestLoadEvictions(t *testing.T) {
	for _, row := range []struct {
		name     string
		object   string
		others   string
		want     string // the verdict
		requests []string
	}{
		{"a Pod", evictedPod, evictions,
			`Failed Evicted: it was evicted, and its containers exited with 0: Usage of EmptyDir volume "data" exceeds the limit "5Mi"`, []string{"list events"}},
		{"a Pod without a limit", strings.Replace(evictedPod, "sizeLimit", "medium", 1), evictions, "Current Completed: it has succeeded", nil},
		{"a Pod that runs", strings.Replace(evictedPod, "Succeeded", "Running", 1), evictions, "InProgress NotAvailable: it does not report whether it is ready", nil},
		{"a Pod with the name of an evicted one", strings.Replace(evictedPod, "p1", "p9", 1), evictions, "Current Completed: it has succeeded", []string{"list events"}},
		{"a Job", evictedJob, evictions + "---\n" + podOfJob,
			"Failed Evicted: a Pod that it counts as succeeded was evicted: load-x: too much", []string{"list events", "list pods"}},
		{"a Job that replaced its evicted Pod", evictedJob, evictions + "---\n" + strings.Replace(podOfJob, "Succeeded", "Failed", 1),
			"Current Completed: 1/1 completed", []string{"list events", "list pods"}},
		{"a Job with the Pod of another one", evictedJob, evictions + "---\n" + strings.Replace(podOfJob, "j1", "j9", 1),
			"Current Completed: 1/1 completed", []string{"list events", "list pods"}},
		{"a Job whose Pod is gone", evictedJob, evictions, "Current Completed: 1/1 completed", []string{"list events", "list pods"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			object := parse(t, row.object)[0]
			cluster := eventCluster(t, row.others)
			c := source.NewClientFor(source.Interfaces{Dynamic: cluster}, source.Options{})
			for range 2 { // the second call sends nothing
				if err := c.LoadEvictions(t.Context(), object); err != nil {
					t.Fatal(err)
				}
			}
			result, err := c.Evaluator().Compute(object)
			if err != nil {
				t.Fatal(err)
			}
			if have := string(result.Status) + " " + result.Reason + ": " + result.Message; have != row.want {
				t.Errorf("have %s\nwant %s", have, row.want)
			}
			var requests []string
			for _, a := range cluster.Actions() {
				requests = append(requests, a.GetVerb()+" "+a.GetResource().Resource)
			}
			if !slices.Equal(requests, row.requests) {
				t.Errorf("the requests are %q, want %q", requests, row.requests)
			}
		})
	}
}

// If events are forbidden, one error names the namespace, and the verdict is the one without events.
func TestForbiddenEvictions(t *testing.T) {
	cluster := eventCluster(t, evictions)
	cluster.PrependReactor("list", "events", func(clienttesting.Action) (bool, runtime.Object, error) {
		return true, nil, apierrors.NewForbidden(schema.GroupResource{Resource: "events"}, "", errors.New("no"))
	})
	c := source.NewClientFor(source.Interfaces{Dynamic: cluster}, source.Options{})
	pod, job := parse(t, evictedPod)[0], parse(t, evictedJob)[0]
	err := c.LoadEvictions(t.Context(), pod, job)
	if !apierrors.IsForbidden(err) || strings.Count(err.Error(), "the events in namespace shop") != 1 {
		t.Errorf("the error is %v, want one about namespace shop", err)
	}
	if result, err := c.Evaluator().Compute(pod); err != nil || result.Reason != "Completed" {
		t.Errorf("the verdict is %v, %v", result, err)
	}
}

func parse(t *testing.T, manifests string) (all []*unstructured.Unstructured) {
	t.Helper()
	for text := range strings.SplitSeq(manifests, "---\n") {
		u := &unstructured.Unstructured{}
		data, err := yaml.YAMLToJSON([]byte(text))
		if err == nil {
			err = u.UnmarshalJSON(data)
		}
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, u)
	}
	return all
}

// eventCluster returns a fake of a cluster with these objects.
func eventCluster(t *testing.T, manifests string) *fake.FakeDynamicClient {
	var objects []runtime.Object
	for _, u := range parse(t, manifests) {
		objects = append(objects, u)
	}
	return fake.NewSimpleDynamicClientWithCustomListKinds(runtime.NewScheme(), map[schema.GroupVersionResource]string{
		{Version: "v1", Resource: "events"}: "EventList", {Version: "v1", Resource: "pods"}: "PodList",
	}, objects...)
}

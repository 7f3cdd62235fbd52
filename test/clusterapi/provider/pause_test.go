package provider

import (
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/author/audit"
	"kstatus.dev/test/lib/poll"
)

const blockMove = "clusterctl.cluster.x-k8s.io/block-move"

// A pause begins while the cloud creates or deletes something. The example provider reports Paused
// when the cloud has finished, and blocks moves until then. It changes nothing during the pause.
func TestPauseWaitsForTheCloud(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	w.runProvider(w.Cluster.Config(), nil)
	seen := w.record(shelfClusters, shelfMachines)
	w.cloud.Hold("loadbalancers")
	w.cloud.Hold("servers")
	w.Apply(shop)

	w.pauseDuring(t, shelfClusters, "shop", "create loadbalancers "+w.Namespace+"/shop")
	if have := field(w.WaitUntil(shelfClusters, "shop", "paused", hasCondition("Paused=True")), "spec", "controlPlaneEndpoint"); have != nil {
		t.Errorf("during the pause the endpoint became %v", have)
	}
	w.resume()
	w.WaitUntil(shelfClusters, "shop", "ready", hasCondition("Ready=True"))

	w.pauseDuring(t, shelfMachines, "web", "create servers "+w.Namespace+"/web")
	w.resume()
	w.WaitUntil(shelfMachines, "web", "ready", hasCondition("Ready=True"))

	for r, name := range map[schema.GroupVersionResource]string{shelfClusters: "shop", shelfMachines: "web"} {
		w.Patch(r, name, `{"metadata": {"annotations": {"cluster.x-k8s.io/paused": ""}}}`)
		w.WaitUntil(r, name, "paused by its annotation", hasCondition("Paused=True/ObjectPaused"))
		w.Patch(r, name, `{"metadata": {"annotations": {"cluster.x-k8s.io/paused": null}}}`)
		w.WaitUntil(r, name, "resumed", hasCondition("Paused=False"))
	}

	w.cloud.Hold("servers")
	w.Remove(shelfMachines, "web")
	w.pauseDuring(t, shelfMachines, "web", "delete servers "+w.Namespace+"/web")
	if left := w.resources("servers"); len(left) > 0 {
		t.Errorf("Paused is True while the cloud still has %v", left)
	}
	w.resume()
	w.WaitForDeletion(shelfMachines, "web")

	if have, want := w.cloud.Changes(), 3; len(have) != want {
		t.Errorf("the cloud has changed %d times, want %d: %v", len(have), want, have)
	}
	checkBlocksMoves(t, seen())
}

// readsDuringPause is how often the provider reads from the cloud before a change may end. A provider
// that does not wait for the cloud acknowledges the pause meanwhile.
const readsDuringPause = 5

// pauseDuring pauses the Cluster while the cloud works on a change, lets the change end, and waits
// for the report. The cloud must hold the kind.
func (w *fixture) pauseDuring(t *testing.T, r schema.GroupVersionResource, name, change string) {
	t.Helper()
	w.WaitUntil(r, name, "blocking moves", func(obj *unstructured.Unstructured) bool {
		_, blocks := obj.GetAnnotations()[blockMove]
		return blocks && slices.Contains(w.cloud.Changes(), change)
	})
	w.Patch(clusters, "shop", `{"spec": {"paused": true}}`)
	kind := strings.Fields(change)[1]
	reads := func() int { return w.cloud.Calls()["GET "+kind] }
	before := reads()
	poll.Wait(t, "reads from the cloud", func() bool { return reads() >= before+readsDuringPause })
	if obj := w.Get(r, name); hasCondition("Paused=True")(obj) {
		t.Errorf("%s %s is paused while the cloud works on %s", r.Resource, name, change)
	}
	w.cloud.Release(kind)
	obj := w.WaitUntil(r, name, "paused", hasCondition("Paused=True/ClusterPaused"))
	if _, blocks := obj.GetAnnotations()[blockMove]; blocks {
		t.Errorf("%s %s is paused, and still blocks moves", r.Resource, name)
	}
}

func (w *fixture) resume() { w.Patch(clusters, "shop", `{"spec": {"paused": false}}`) }

// checkBlocksMoves checks that no object becomes paused while it blocks moves, and that objects
// get the finalizer and block moves in the same version.
func checkBlocksMoves(t *testing.T, stream []audit.Write) {
	t.Helper()
	blocked, paused := map[string]bool{}, map[string]bool{}
	for _, write := range stream {
		obj := &unstructured.Unstructured{Object: write.Object}
		name := obj.GetKind() + " " + obj.GetName()
		_, blocks := obj.GetAnnotations()[blockMove]
		was := paused[name]
		if paused[name] = hasCondition("Paused=True")(obj); blocks && paused[name] && !was {
			t.Errorf("%s becomes paused and blocks moves in version %s", name, obj.GetResourceVersion())
		}
		if blocked[name] = blocked[name] || blocks; len(obj.GetFinalizers()) > 0 && !blocked[name] {
			t.Errorf("%s has its finalizer before it blocks moves, in version %s", name, obj.GetResourceVersion())
		}
	}
	if len(blocked) != 2 {
		t.Errorf("seen are %v, want a ShelfCluster and a ShelfMachine", blocked)
	}
}

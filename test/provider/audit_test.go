package provider

import (
	"fmt"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"kstatus.dev/audit"
	"kstatus.dev/kube/writes"
	"kstatus.dev/severity"
)

var auditedKinds = []string{"shelfclusters.infrastructure.cluster.x-k8s.io", "shelfmachines.infrastructure.cluster.x-k8s.io"}

// strictOptions makes every rule an error, so that no finding is ignored.
func strictOptions() audit.Options {
	o := audit.Options{Severities: map[string]severity.Level{}}
	for _, rule := range audit.Rules {
		o.Severities[rule.ID] = severity.Error
	}
	return o
}

// The example provider breaks no rule during any event of its objects.
func TestExampleUnderAudit(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	x := writes.AuditOptions{Kinds: auditedKinds, Namespaces: []string{w.ns}, Options: strictOptions()}
	w.runProvider(x.Audit(t, w.c.Config()), nil)
	w.runLifecycle()
}

// runLifecycle runs a whole life of the objects. They are created without an owner, get one, are
// changed, also during writes by others, are paused, lose their status, and are deleted.
func (w *fixture) runLifecycle() {
	w.t.Helper()
	manifests := strings.SplitAfter(shop, "---\n")
	w.apply(manifests[1] + manifests[4])
	w.waitUntil(shelfClusters, "shop", "waiting", hasCondition("Ready=Unknown"))
	w.waitUntil(shelfMachines, "web", "waiting", hasCondition("Ready=False"))
	w.apply(shop)
	w.waitForReady()

	w.editSpecs("first")
	w.waitForReady()
	stop := w.writeConcurrently()
	for i := range 5 {
		w.editSpecs(fmt.Sprint("edit-", i))
	}
	w.waitForReady()
	stop()

	w.patch(clusters, "shop", `{"spec": {"paused": true}}`)
	w.waitUntil(shelfClusters, "shop", "paused", hasCondition("Paused=True"))
	w.waitUntil(shelfMachines, "web", "paused", hasCondition("Paused=True"))
	w.editSpecs("while-paused")
	time.Sleep(1200 * time.Millisecond) // a pause of less than a second looks accidental
	w.patch(clusters, "shop", `{"spec": {"paused": false}}`)
	w.waitForReady()

	for _, r := range []schema.GroupVersionResource{shelfClusters, shelfMachines} {
		for _, name := range w.names(r) {
			w.removeStatus(r, name)
		}
	}
	w.waitForReady()

	w.remove(clusters, "shop")
	w.waitForDeletion(clusters, "shop")
}

// waitForReady waits until both objects are ready at their latest generation.
func (w *fixture) waitForReady() {
	w.t.Helper()
	latest := func(obj *unstructured.Unstructured) bool {
		return field(obj, "status", "observedGeneration") == obj.GetGeneration()
	}
	w.waitUntil(shelfClusters, "shop", "ready", allOf(hasCondition("Ready=True"), hasCondition("Paused=False"), latest))
	w.waitUntil(shelfMachines, "web", "ready", allOf(hasCondition("Ready=True"), hasCondition("Paused=False"), latest))
}

// editSpecs changes the fields that users may change.
func (w *fixture) editSpecs(value string) {
	w.t.Helper()
	patch := fmt.Sprintf(`{"spec": {"tags": {"edited": %q}}}`, value)
	w.patch(shelfClusters, "shop", patch)
	w.patch(shelfMachines, "web", patch)
}

// writeConcurrently writes to both objects as another client until stop: an annotation, and a
// condition of its own.
func (w *fixture) writeConcurrently() (stop func()) {
	done, ended := make(chan struct{}), make(chan struct{})
	condition := fmt.Sprintf(`{"apiVersion": "infrastructure.cluster.x-k8s.io/v1beta1", "kind": "%%s", "status": {"conditions": [{
		"type": "Inspected", "status": "True", "reason": "Seen", "message": "", "lastTransitionTime": %q}]}}`, time.Now().UTC().Format(time.RFC3339))
	force := true
	for kind, at := range map[string]schema.GroupVersionResource{"ShelfCluster": shelfClusters, "ShelfMachine": shelfMachines} {
		name := w.names(at)[0]
		if _, err := w.client(at).Patch(w.t.Context(), name, types.ApplyPatchType, fmt.Appendf(nil, condition, kind),
			metav1.PatchOptions{FieldManager: "inspector", Force: &force}, "status"); err != nil {
			w.t.Error(err)
		}
	}
	go func() {
		defer close(ended)
		for i := 0; ; i++ {
			select {
			case <-done:
				return
			case <-time.After(10 * time.Millisecond):
			}
			patch := fmt.Appendf(nil, `{"metadata": {"annotations": {"inspector": "%d"}}}`, i)
			for _, at := range []schema.GroupVersionResource{shelfClusters, shelfMachines} {
				for _, name := range []string{"shop", "web"} {
					_, err := w.client(at).Patch(w.t.Context(), name, types.MergePatchType, patch, metav1.PatchOptions{FieldManager: "inspector"})
					if err != nil && !isNotFound(err) {
						w.t.Error(err)
						return
					}
				}
			}
		}
	}()
	return func() {
		close(done)
		<-ended
	}
}

// removeStatus removes the status of an object, like a restore from a backup.
func (w *fixture) removeStatus(r schema.GroupVersionResource, name string) {
	w.t.Helper()
	for {
		obj, err := w.client(r).Get(w.t.Context(), name, get)
		if err == nil {
			obj.Object["status"] = map[string]any{}
			_, err = w.client(r).UpdateStatus(w.t.Context(), obj, metav1.UpdateOptions{FieldManager: "restore"})
		}
		if err == nil {
			return
		}
		if !isConflict(err) {
			w.t.Fatal(err)
		}
	}
}

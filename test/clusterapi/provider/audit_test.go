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

	"kstatus.dev/author/audit"
	"kstatus.dev/author/severity"
	"kstatus.dev/author/writes"
)

var auditedKinds = []string{"shelfclusters.infrastructure.cluster.x-k8s.io", "shelfmachines.infrastructure.cluster.x-k8s.io"}

// strictOptions makes every rule an error, so that no finding is ignored. The grace is the time
// between two requests of the provider, which a busy machine makes longer.
func strictOptions() audit.Options {
	o := audit.Options{Severities: map[string]severity.Level{}, Limits: audit.Limits{GracePeriod: time.Minute}}
	for _, rule := range audit.Rules {
		o.Severities[rule.ID] = severity.Error
	}
	return o
}

// The example provider breaks no rule during any event of its objects.
func TestExampleUnderAudit(t *testing.T) {
	t.Parallel()
	w := newFixture(t)
	x := writes.AuditOptions{Kinds: auditedKinds, Namespaces: []string{w.Namespace}, Options: strictOptions()}
	w.runProvider(x.Audit(t, w.Cluster.Config()), nil)
	w.runLifecycle()
}

// runLifecycle runs a whole life of the objects. They are created without an owner, get one, are
// changed, also during writes by others, are paused, lose their status, and are deleted.
func (w *fixture) runLifecycle() {
	w.T.Helper()
	manifests := strings.SplitAfter(shop, "---\n")
	w.Apply(manifests[1] + manifests[4])
	w.WaitUntil(shelfClusters, "shop", "waiting", hasCondition("Ready=Unknown"))
	w.WaitUntil(shelfMachines, "web", "waiting", hasCondition("Ready=False"))
	w.Apply(shop)
	w.waitForReady()

	w.editSpecs("first")
	w.waitForReady()
	stop := w.writeConcurrently()
	for i := range 5 {
		w.editSpecs(fmt.Sprint("edit-", i))
	}
	w.waitForReady()
	stop()

	w.Patch(clusters, "shop", `{"spec": {"paused": true}}`)
	w.WaitUntil(shelfClusters, "shop", "paused", hasCondition("Paused=True"))
	w.WaitUntil(shelfMachines, "web", "paused", hasCondition("Paused=True"))
	w.editSpecs("while-paused")
	w.awaitAcknowledgement(shelfClusters, "shop")
	w.awaitAcknowledgement(shelfMachines, "web")
	w.Patch(clusters, "shop", `{"spec": {"paused": false}}`)
	w.waitForReady()

	for _, r := range []schema.GroupVersionResource{shelfClusters, shelfMachines} {
		for _, name := range w.Names(r) {
			w.removeStatus(r, name)
		}
	}
	w.waitForReady()

	w.Remove(clusters, "shop")
	w.WaitForDeletion(clusters, "shop")
}

// waitForReady waits until both objects are ready at their latest generation.
func (w *fixture) waitForReady() {
	w.T.Helper()
	latest := func(obj *unstructured.Unstructured) bool {
		return field(obj, "status", "observedGeneration") == obj.GetGeneration()
	}
	w.WaitUntil(shelfClusters, "shop", "ready", allOf(hasCondition("Ready=True"), hasCondition("Paused=False"), latest))
	w.WaitUntil(shelfMachines, "web", "ready", allOf(hasCondition("Ready=True"), hasCondition("Paused=False"), latest))
}

// editSpecs changes the fields that users may change.
func (w *fixture) editSpecs(value string) {
	w.T.Helper()
	patch := fmt.Sprintf(`{"spec": {"tags": {"edited": %q}}}`, value)
	w.Patch(shelfClusters, "shop", patch)
	w.Patch(shelfMachines, "web", patch)
}

// writeConcurrently writes to both objects as another client until stop: an annotation, and a
// condition of its own.
func (w *fixture) writeConcurrently() (stop func()) {
	done, ended := make(chan struct{}), make(chan struct{})
	condition := fmt.Sprintf(`{"apiVersion": "infrastructure.cluster.x-k8s.io/v1beta1", "kind": "%%s", "status": {"conditions": [{
		"type": "Inspected", "status": "True", "reason": "Seen", "message": "", "lastTransitionTime": %q}]}}`, time.Now().UTC().Format(time.RFC3339))
	force := true
	for kind, at := range map[string]schema.GroupVersionResource{"ShelfCluster": shelfClusters, "ShelfMachine": shelfMachines} {
		name := w.Names(at)[0]
		if _, err := w.Client(at).Patch(w.T.Context(), name, types.ApplyPatchType, fmt.Appendf(nil, condition, kind),
			metav1.PatchOptions{FieldManager: "inspector", Force: &force}, "status"); err != nil {
			w.T.Error(err)
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
					_, err := w.Client(at).Patch(w.T.Context(), name, types.MergePatchType, patch, metav1.PatchOptions{FieldManager: "inspector"})
					if err != nil && !isNotFound(err) {
						w.T.Error(err)
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
	w.T.Helper()
	for {
		obj, err := w.Client(r).Get(w.T.Context(), name, get)
		if err == nil {
			obj.Object["status"] = map[string]any{}
			_, err = w.Client(r).UpdateStatus(w.T.Context(), obj, metav1.UpdateOptions{FieldManager: "restore"})
		}
		if err == nil {
			return
		}
		if !isConflict(err) {
			w.T.Fatal(err)
		}
	}
}

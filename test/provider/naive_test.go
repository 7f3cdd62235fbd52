package provider

import (
	"context"
	"flag"
	"fmt"
	"net/http"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"

	"kstatus.dev/audit"
	"kstatus.dev/examples/provider/api/v1beta1"
	"kstatus.dev/examples/provider/cloud"
	"kstatus.dev/kube/writes"
	"kstatus.dev/test/managers"
	"kstatus.dev/test/naive"
)

var update = flag.Bool("update", false, "write the golden files instead of comparing them")

var (
	plainClusters = resource("infrastructure.cluster.x-k8s.io", "v1", "plainclusters")
	plainMachines = resource("infrastructure.cluster.x-k8s.io", "v1", "plainmachines")
)

// installNaive installs the definitions in the cluster, and waits until they are served.
func (w *fixture) installNaive() {
	w.t.Helper()
	w.c.Apply(w.t, "", naive.Definitions)
	for _, r := range []schema.GroupVersionResource{plainClusters, plainMachines} {
		w.until(func() bool {
			_, err := w.client(r).List(w.t.Context(), metav1.ListOptions{})
			return err == nil
		}, "the naive provider's definitions are served")
	}
}

// awaitCollector waits until the garbage collector of the cluster works on the kinds of the naive
// provider, which it looks for every 30 seconds. Without it, no object can be deleted for a move.
func (w *fixture) awaitCollector() {
	w.t.Helper()
	w.installNaive()
	if err := w.createPlain("collected", ""); err != nil {
		w.t.Fatal(err)
	}
	orphan := metav1.DeletePropagationOrphan
	if err := w.client(plainMachines).Delete(w.t.Context(), "collected", metav1.DeleteOptions{PropagationPolicy: &orphan}); err != nil {
		w.t.Fatal(err)
	}
	w.waitForDeletion(plainMachines, "collected")
}

// runNaiveProvider runs the naive provider until the test ends.
func (w *fixture) runNaiveProvider(config *rest.Config) (machines *naive.Reconciler) {
	w.t.Helper()
	w.installNaive()
	config = rest.CopyConfig(config)
	config.UserAgent = "plain-provider"
	mgr, err := managers.New(config, v1beta1.AddToScheme, w.ns)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, kind := range []string{"PlainCluster", "PlainMachine"} {
		machines = &naive.Reconciler{Client: mgr.GetClient(), Cloud: &cloud.Client{URL: w.url, HTTP: &http.Client{Transport: w.through}}, Kind: naive.Kind(kind)}
		if err := machines.Setup(mgr); err != nil {
			w.t.Fatal(err)
		}
	}
	managers.Run(w.t, "the provider", mgr)
	return machines
}

// Each mistake of the naive provider is found by the rule that it breaks. A busy machine may
// hide a mistake, for example when two writes become one. Then the test repeats it.
func TestNaiveProviderUnderAudit(t *testing.T) {
	t.Parallel()
	hidden := slices.Clone(naive.Mistakes)
	for life := 1; len(hidden) > 0 && life <= 3; life++ {
		t.Run(fmt.Sprint("life ", life), func(t *testing.T) {
			found := auditMistakes(t, hidden)
			hidden = slices.DeleteFunc(hidden, func(m naive.Mistake) bool { return slices.Contains(found[m.Name], m.Rule) })
			for _, m := range hidden {
				t.Logf("%s breaks %s, which does not say so; found %v", m.Name, m.Rule, found[m.Name])
			}
		})
	}
	for _, m := range hidden {
		t.Errorf("%s breaks %s, which does not say so in any of its lives", m.Name, m.Rule)
	}
}

// auditMistakes runs a machine's life for each of the mistakes, and one without. It returns the
// broken rules by the names of the mistakes.
func auditMistakes(t *testing.T, mistakes []naive.Mistake) (found map[string][]string) {
	w := newFixture(t)
	w.installNaive()
	options := audit.Options{
		Limits: audit.Limits{GracePeriod: 4 * time.Second, ResponseTime: 6 * time.Second}, // the machine may be slow
		Declarations: []audit.Declaration{{Group: "infrastructure.cluster.x-k8s.io", Kind: "PlainMachine", Conditions: []audit.ConditionDeclaration{
			{Type: "Ready", Summary: true}, {Type: "ServerReady"}, {Type: "Paused", Aside: true},
			{Type: "Inspected", Aside: true, Optional: true, Owner: "inspector"},
			{Type: "Reconciling", Negative: true, Aside: true, Optional: true},
		}}},
	}
	auditor := audit.New(options)
	recorder := &writes.Recorder{}
	listed := make(chan struct{})
	follow := &writes.Cluster{Config: w.c.Config(), Kinds: []string{"plainmachines.infrastructure.cluster.x-k8s.io"}, Namespaces: []string{w.ns},
		Recorder: recorder, OnSynced: func() { close(listed) }}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- follow.Watch(ctx, auditor.Add) }()
	select {
	case <-listed:
	case err := <-ended:
		t.Fatal(err)
	}
	through := w.c.Config()
	through.Wrap(recorder.Wrap)
	machines := w.runNaiveProvider(through)

	w.apply(`
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: c}
spec:
  infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: PlainCluster, name: c}
`)
	owner, err := w.client(clusters).Get(t.Context(), "c", get)
	if err != nil {
		t.Fatal(err)
	}
	var lives sync.WaitGroup
	for _, m := range append([]naive.Mistake{{Name: "none"}}, mistakes...) {
		lives.Go(func() { w.runPlainLifecycle(machines, m.Name, owner.GetUID()) })
	}
	lives.Wait()
	time.Sleep(time.Second) // so that the last writes arrive
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	auditor.Add(audit.Write{Type: audit.WriteTick, Time: time.Now().Add(2 * time.Minute)}) // for the remaining objects
	found = map[string][]string{}
	for _, f := range auditor.Report().Findings {
		found[f.Object.Name] = append(found[f.Object.Name], f.Rule)
		t.Logf("%s", writes.FormatFinding(f))
	}
	if len(found["none"]) > 0 {
		t.Errorf("without a mistake there is %v", found["none"])
	}
	return found
}

func golden(t *testing.T, path, have string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(have), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil || have != string(want) {
		t.Errorf("%s is not up to date (%v); found is:\n%s", path, err, have)
	}
}

// runPlainLifecycle is the life of a PlainMachine with one mistake. It is created, changed twice,
// paused for a while, and deleted. If the mistake is a missing action, the life waits for it.
func (w *fixture) runPlainLifecycle(r *naive.Reconciler, mistake string, owner types.UID) {
	key := types.NamespacedName{Namespace: w.ns, Name: mistake}
	if err := w.createPlain(mistake, owner); err != nil {
		w.t.Error(err)
		return
	}
	w.waitForIdle(r, key, false)
	if mistake == "conditions-one-by-one" {
		time.Sleep(6 * time.Second)
	}
	if mistake == "drops-what-others-say" {
		w.addForeignCondition(mistake)
	}
	w.patch(plainMachines, mistake, `{"spec": {"edited": 1}}`)
	w.waitForIdle(r, key, false)
	time.Sleep(6 * time.Second) // a short problem is tolerated
	w.patch(plainMachines, mistake, `{"metadata": {"annotations": {"cluster.x-k8s.io/paused": ""}}}`)
	w.waitForIdle(r, key, true)
	time.Sleep(map[string]time.Duration{"works-while-paused": 6 * time.Second, "silent-about-the-pause": 8 * time.Second}[mistake])
	w.patch(plainMachines, mistake, `{"spec": {"edited": 2}}`)
	w.waitForIdle(r, key, true)
	time.Sleep(1200 * time.Millisecond)
	w.patch(plainMachines, mistake, `{"metadata": {"annotations": {"cluster.x-k8s.io/paused": null}}}`)
	w.waitForIdle(r, key, false)
	time.Sleep(map[string]time.Duration{"stays-paused": 8 * time.Second, "no-generation": 8 * time.Second, "provisioned-without-a-name": 6 * time.Second}[mistake])
	if mistake == "unknown-for-ever" {
		return
	}
	w.remove(plainMachines, mistake)
	w.waitForDeletion(plainMachines, mistake)
}

func (w *fixture) createPlain(mistake string, owner types.UID) error {
	obj := &unstructured.Unstructured{Object: map[string]any{
		"metadata": map[string]any{"name": mistake, "labels": map[string]any{"cluster.x-k8s.io/cluster-name": "c"}},
		"spec":     map[string]any{"size": "large"},
	}}
	obj.SetGroupVersionKind(naive.Kind("PlainMachine"))
	annotations := map[string]string{naive.MistakesAnnotation: mistake + ",no-owner"}
	switch mistake {
	case "touches-what-others-manage":
		annotations["cluster.x-k8s.io/managed-by"] = "others"
	case "owner-is-lost":
		obj.SetOwnerReferences([]metav1.OwnerReference{{APIVersion: "cluster.x-k8s.io/v1beta2", Kind: "Cluster", Name: "c", UID: owner}})
	}
	obj.SetAnnotations(annotations)
	_, err := w.client(plainMachines).Create(w.t.Context(), obj, metav1.CreateOptions{FieldManager: "user"})
	return err
}

// addForeignCondition adds the condition of another controller to an object.
func (w *fixture) addForeignCondition(name string) {
	for {
		obj, err := w.client(plainMachines).Get(w.t.Context(), name, get)
		if err == nil {
			list, _, _ := unstructured.NestedSlice(obj.Object, "status", "conditions")
			list = append(list, map[string]any{"type": "Inspected", "status": "True", "reason": "Seen", "message": "",
				"observedGeneration": obj.GetGeneration(), "lastTransitionTime": time.Now().UTC().Format(time.RFC3339)})
			if err = unstructured.SetNestedSlice(obj.Object, list, "status", "conditions"); err == nil {
				_, err = w.client(plainMachines).UpdateStatus(w.t.Context(), obj, metav1.UpdateOptions{FieldManager: "inspector"})
			}
		}
		if err == nil {
			return
		}
		if !isConflict(err) {
			w.t.Error(err)
			return
		}
	}
}

// waitForIdle waits until the provider has reconciled the latest version of an object and has
// nothing to do.
func (w *fixture) waitForIdle(r *naive.Reconciler, key types.NamespacedName, paused bool) {
	for end := time.Now().Add(patience / 6); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		obj, err := w.client(plainMachines).Get(w.t.Context(), key.Name, get)
		if err != nil {
			continue
		}
		if seen := r.Seen(key); seen.Idle && seen.Generation == obj.GetGeneration() && seen.Paused == paused {
			return
		}
	}
	w.t.Errorf("%s: the provider does not come to rest", key.Name)
}

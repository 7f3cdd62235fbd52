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

	"kstatus.dev/author/audit"
	"kstatus.dev/author/writes"
	"kstatus.dev/examples/provider/api/v1beta1"
	"kstatus.dev/examples/provider/cloud"
	"kstatus.dev/test/clusterapi/managers"
	"kstatus.dev/test/clusterapi/naive"
)

var update = flag.Bool("update", false, "write the golden files instead of comparing them")

var (
	plainClusters = managers.Resource("infrastructure.cluster.x-k8s.io", "v1", "plainclusters")
	plainMachines = managers.Resource("infrastructure.cluster.x-k8s.io", "v1", "plainmachines")
)

// installNaive installs the definitions in the cluster, and waits until they are served.
func (w *fixture) installNaive() {
	w.T.Helper()
	w.Cluster.Apply(w.T, "", naive.Definitions)
	for _, r := range []schema.GroupVersionResource{plainClusters, plainMachines} {
		w.Until("the definitions of the naive provider are served", func() bool {
			_, err := w.Client(r).List(w.T.Context(), metav1.ListOptions{})
			return err == nil
		})
	}
}

// awaitCollector waits until the garbage collector of the cluster works on the kinds of the naive
// provider, which it looks for every 30 seconds. Without it, no object can be deleted for a move.
func (w *fixture) awaitCollector() {
	w.T.Helper()
	w.installNaive()
	if err := w.createPlain("collected", ""); err != nil {
		w.T.Fatal(err)
	}
	orphan := metav1.DeletePropagationOrphan
	if err := w.Client(plainMachines).Delete(w.T.Context(), "collected", metav1.DeleteOptions{PropagationPolicy: &orphan}); err != nil {
		w.T.Fatal(err)
	}
	w.WaitForDeletion(plainMachines, "collected")
}

// runNaiveProvider runs the naive provider until the test ends.
func (w *fixture) runNaiveProvider(config *rest.Config) (machines *naive.Reconciler) {
	w.T.Helper()
	w.installNaive()
	config = rest.CopyConfig(config)
	config.UserAgent = "plain-provider"
	mgr, err := managers.New(config, v1beta1.AddToScheme, w.Namespace)
	if err != nil {
		w.T.Fatal(err)
	}
	for _, kind := range []string{"PlainCluster", "PlainMachine"} {
		machines = &naive.Reconciler{Client: mgr.GetClient(), Cloud: &cloud.Client{URL: w.url, HTTP: &http.Client{Transport: w.through}}, Kind: naive.Kind(kind)}
		if err := machines.Setup(mgr); err != nil {
			w.T.Fatal(err)
		}
	}
	managers.Run(w.T, "the provider", mgr)
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

// mistakeOptions are the options of the audit of a life.
func mistakeOptions() audit.Options {
	return audit.Options{
		// The machine may be slow, and show an object long after its creation.
		Limits: audit.Limits{GracePeriod: 4 * time.Second, ResponseTime: 6 * time.Second, ClockSkew: time.Minute},
		Declarations: []audit.Declaration{{Group: "infrastructure.cluster.x-k8s.io", Kind: "PlainMachine", Manager: "plain-provider", Conditions: []audit.ConditionDeclaration{
			{Type: "Ready", Summary: true}, {Type: "ServerReady"}, {Type: "Paused", Aside: true},
			{Type: "Inspected", Aside: true, Optional: true, Owner: "inspector"},
			{Type: "Reconciling", Negative: true, Aside: true, Optional: true},
		}}},
	}
}

// auditMistakes runs a machine's life for each of the mistakes, and one without. It returns the
// broken rules by the names of the mistakes.
func auditMistakes(t *testing.T, mistakes []naive.Mistake) (found map[string][]string) {
	w := newFixture(t)
	w.installNaive()
	options := mistakeOptions()
	lives := map[string]*life{"none": newLife(options)}
	for _, m := range mistakes {
		lives[m.Name] = newLife(options)
	}
	recorder := &writes.Recorder{}
	listed := make(chan struct{})
	follow := &writes.Cluster{Config: w.Cluster.Config(), Kinds: []string{"plainmachines.infrastructure.cluster.x-k8s.io"}, Namespaces: []string{w.Namespace},
		Recorder: recorder, OnSynced: func() { close(listed) }}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() {
		ended <- follow.Watch(ctx, func(write audit.Write) {
			obj := &unstructured.Unstructured{Object: write.Object}
			for name, l := range lives {
				if write.Type == audit.WriteGap || name == obj.GetName() {
					l.add(write)
				}
			}
		})
	}()
	select {
	case <-listed:
	case err := <-ended:
		t.Fatal(err)
	}
	through := w.Cluster.Config()
	through.Wrap(recorder.Wrap)
	machines := w.runNaiveProvider(through)

	w.Apply(`
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata: {name: c}
spec:
  infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: PlainCluster, name: c}
`)
	owner, err := w.Client(clusters).Get(t.Context(), "c", get)
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for name, l := range lives {
		group.Go(func() { w.runPlainLifecycle(machines, l, name, owner.GetUID()) })
	}
	group.Wait()
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	found = map[string][]string{}
	for name, l := range lives {
		l.advance(2 * time.Minute) // for the remaining objects
		for _, f := range l.auditor.Report().Findings {
			found[name] = append(found[name], f.Rule)
			t.Logf("%s", writes.FormatFinding(f))
		}
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
// paused for a while, and deleted. If the mistake is a missing action, the time of the audit goes on.
func (w *fixture) runPlainLifecycle(r *naive.Reconciler, l *life, mistake string, owner types.UID) {
	key := types.NamespacedName{Namespace: w.Namespace, Name: mistake}
	after := func(d time.Duration) { w.advance(l, mistake, d) }
	if err := w.createPlain(mistake, owner); err != nil {
		w.T.Error(err)
		return
	}
	w.waitForIdle(r, key, false)
	if mistake == "conditions-one-by-one" {
		after(6 * time.Second)
	}
	if mistake == "drops-what-others-say" {
		w.addForeignCondition(mistake)
	}
	w.awaitNextSecond(mistake)
	w.Patch(plainMachines, mistake, `{"spec": {"edited": 1}}`)
	w.waitForIdle(r, key, false)
	after(6 * time.Second) // a short problem is tolerated
	w.Patch(plainMachines, mistake, `{"metadata": {"annotations": {"cluster.x-k8s.io/paused": ""}}}`)
	w.waitForIdle(r, key, true)
	after(map[string]time.Duration{"works-while-paused": 6 * time.Second, "silent-about-the-pause": 8 * time.Second}[mistake])
	w.Patch(plainMachines, mistake, `{"spec": {"edited": 2}}`)
	w.waitForIdle(r, key, true)
	after(1200 * time.Millisecond)
	w.Patch(plainMachines, mistake, `{"metadata": {"annotations": {"cluster.x-k8s.io/paused": null}}}`)
	w.waitForIdle(r, key, false)
	after(map[string]time.Duration{"stays-paused": 8 * time.Second, "no-generation": 8 * time.Second, "provisioned-without-a-name": 6 * time.Second}[mistake])
	if mistake == "unknown-for-ever" {
		return
	}
	w.Remove(plainMachines, mistake)
	if mistake == "silent-to-the-end" || mistake == "ready-to-the-end" {
		w.endLate(l, mistake)
	}
	w.WaitForDeletion(plainMachines, mistake)
	w.Until("the audit sees the deletion of "+mistake, l.isGone)
}

// awaitNextSecond waits until later writes have other times than the writes to an object so far. Times
// in objects are whole seconds, and managedFields shows who has written by its times.
func (w *fixture) awaitNextSecond(name string) {
	w.T.Helper()
	var newest time.Time
	for _, entry := range w.Get(plainMachines, name).GetManagedFields() {
		if entry.Time != nil && entry.Time.After(newest) {
			newest = entry.Time.Time
		}
	}
	w.Until("the next second", func() bool { return time.Now().Truncate(time.Second).After(newest) })
}

// endLate lets an object go a while after its deletion.
func (w *fixture) endLate(l *life, name string) {
	w.T.Helper()
	w.advance(l, name, 9*time.Second)
	if name == "ready-to-the-end" {
		before := w.Get(plainMachines, name).GetResourceVersion()
		w.WaitUntil(plainMachines, name, "written again", func(obj *unstructured.Unstructured) bool { return obj.GetResourceVersion() != before })
	}
	w.Patch(plainMachines, name, fmt.Sprintf(`{"metadata": {"annotations": {%q: ""}}}`, naive.EndAnnotation))
}

// advance makes the later writes to an object later for its audit.
func (w *fixture) advance(l *life, name string, d time.Duration) {
	w.T.Helper()
	if obj := w.Get(plainMachines, name); obj != nil {
		w.Until("the audit sees the latest version of "+name, func() bool { return l.hasSeen(obj.GetResourceVersion()) })
	}
	l.advance(d)
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
	_, err := w.Client(plainMachines).Create(w.T.Context(), obj, metav1.CreateOptions{FieldManager: "user"})
	return err
}

// addForeignCondition adds the condition of another controller to an object.
func (w *fixture) addForeignCondition(name string) {
	for {
		obj, err := w.Client(plainMachines).Get(w.T.Context(), name, get)
		if err == nil {
			list, _, _ := unstructured.NestedSlice(obj.Object, "status", "conditions")
			list = append(list, map[string]any{"type": "Inspected", "status": "True", "reason": "Seen", "message": "",
				"observedGeneration": obj.GetGeneration(), "lastTransitionTime": time.Now().UTC().Format(time.RFC3339)})
			if err = unstructured.SetNestedSlice(obj.Object, list, "status", "conditions"); err == nil {
				_, err = w.Client(plainMachines).UpdateStatus(w.T.Context(), obj, metav1.UpdateOptions{FieldManager: "inspector"})
			}
		}
		if err == nil {
			return
		}
		if !isConflict(err) {
			w.T.Error(err)
			return
		}
	}
}

// waitForIdle waits until the provider has reconciled the latest version of an object and has
// nothing to do.
func (w *fixture) waitForIdle(r *naive.Reconciler, key types.NamespacedName, paused bool) {
	w.WaitUntil(plainMachines, key.Name, "at rest", func(obj *unstructured.Unstructured) bool {
		seen := r.Seen(key)
		return seen.Idle && seen.Generation == obj.GetGeneration() && seen.Paused == paused
	})
}

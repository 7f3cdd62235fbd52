package e2e

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"kstatus.dev/kube/wait"
	"kstatus.dev/observe"
	"kstatus.dev/observe/grace"
	"kstatus.dev/status"
	"kstatus.dev/test/lib/apply"
	"kstatus.dev/test/lib/cluster"
	"kstatus.dev/test/lib/manifest"
)

// gizmoDefinition defines a kind Gizmo whose schema declares a status, without a controller.
func gizmoDefinition(group string) string {
	return manifest.Definition(group, "Gizmo", manifest.V1("status: {type: object, properties: {observedGeneration: {type: integer}}}"))
}

func gizmo(group string) string { return manifest.Object(group+"/v1", "Gizmo", "g") }

func clientFor(t *testing.T, config *rest.Config) kubernetes.Interface {
	t.Helper()
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func configWith(t *testing.T, c *cluster.Cluster, namespace, name string, grants ...cluster.Grant) *rest.Config {
	t.Helper()
	return configOf(t, c.User(t, namespace, name, grants...))
}

// Each object has its own verdict, whatever is wrong with another.
func TestFetchAndResolve(t *testing.T) {
	c := live.Cluster(t)
	ns := c.Namespace(t)
	const group = "resolve.example.org"
	c.Apply(t, ns, gizmoDefinition(group)+"---\n"+gizmo(group)+"---\n"+manifest.ConfigMap("m")+"---\n"+manifest.Deployment("d", readyPod))
	t.Cleanup(func() { c.Delete(t, "", gizmoDefinition(group)) })
	config := configWith(t, c, ns, "resolver",
		cluster.Grant{Namespace: ns, Verbs: []string{"get", "list", "watch"}, Resources: []string{"configmaps", "deployments.apps", "gizmos." + group}},
		cluster.Grant{Verbs: []string{"get"}, Resources: []string{"customresourcedefinitions.apiextensions.k8s.io"}})
	rows := []struct {
		target observe.Target
		status status.Status
		reason string
		barred bool
	}{
		{manifest.Target("", "ConfigMap", ns, "m"), status.CurrentStatus, "NoStatusExpected", false},
		{manifest.Target("", "ConfigMap", "", "m"), status.CurrentStatus, "NoStatusExpected", false},
		{manifest.Target("apps", "Deployment", ns, "missing"), status.NotFoundStatus, "NeverSeen", false},
		{manifest.Target("", "Secret", ns, "s"), status.UnknownStatus, "Forbidden", true},
		{manifest.Target("example.com", "Nope", ns, "n"), status.UnknownStatus, "NoMatch", true},
		{manifest.Target(group, "Gizmo", ns, "g"), status.InProgressStatus, "NotObserved", false},
		{manifest.Target("", "ConfigMap", ns, "m"), status.CurrentStatus, "NoStatusExpected", false},
	}
	var targets []observe.Target
	for _, row := range rows {
		targets = append(targets, row.target)
	}
	results, err := wait.Resolver{Config: config, Namespace: ns}.FetchAndResolve(t.Context(), targets...)
	if err != nil || len(results) != len(rows) {
		t.Fatalf("have %d results, %v, want %d", len(results), err, len(rows))
	}
	for i, row := range rows {
		r := results[i]
		if r.Target != row.target || r.Result.Status != row.status || r.Result.Reason != row.reason || (r.Err != nil) != row.barred {
			t.Errorf("%s: have %s %s, %v: %s\nwant %s %s", row.target, r.Result.Status, r.Result.Reason, r.Err, r.Result.Message, row.status, row.reason)
		}
	}
	if v := results[0].Version; v.UID == "" || v.ResourceVersion == "" {
		t.Errorf("the version is %+v", v)
	}
}

// Objects of a typed client have no kind in their TypeMeta; their kind is found anyway.
func TestFetchAndResolveObjects(t *testing.T) {
	c := live.Cluster(t)
	ns := c.Namespace(t)
	config := c.Config()
	made, err := clientFor(t, config).CoreV1().ConfigMaps(ns).Create(t.Context(),
		&corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "m"}}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	another := made.DeepCopy()
	another.UID = "another"
	rows := []struct {
		it     string
		object *corev1.ConfigMap
		status status.Status
		reason string
	}{
		{"is the one that was made", made, status.CurrentStatus, "NoStatusExpected"},
		{"is another of that name", another, status.NotFoundStatus, "Replaced"},
		{"was deleted before it was seen", &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: ns, Name: "n", UID: "gone"}}, status.NotFoundStatus, "Deleted"},
		{"never was", &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: ns, Name: "n"}}, status.NotFoundStatus, "NeverSeen"},
	}
	r := wait.Resolver{Config: config, Scheme: scheme.Scheme}
	for _, row := range rows {
		results, err := r.FetchAndResolveObjects(t.Context(), row.object)
		if err != nil || len(results) != 1 || results[0].Result.Status != row.status || results[0].Result.Reason != row.reason {
			t.Errorf("it %s: have %+v, %v\nwant %s %s", row.it, results, err, row.status, row.reason)
		}
	}
}

type waitResult struct {
	first      map[observe.Target]status.Status
	aggregates []status.Status // each that differs from its predecessor
	err        error
}

// follow ranges over a wait and returns what it has seen. It calls look for each event.
func follow(ctx context.Context, t *testing.T, r wait.Resolver, look func(wait.Event), targets ...observe.Target) waitResult {
	t.Helper()
	f := waitResult{first: map[observe.Target]status.Status{}}
	for e, err := range r.WaitForStatus(ctx, targets...) {
		if f.err != nil {
			t.Errorf("there is more after the error %v", f.err)
		}
		if f.err = err; err != nil {
			continue
		}
		if _, again := f.first[e.Target]; !again {
			f.first[e.Target] = e.Result.Status
		}
		if n := len(f.aggregates); n == 0 || f.aggregates[n-1] != e.Aggregate {
			f.aggregates = append(f.aggregates, e.Aggregate)
		}
		look(e)
	}
	return f
}

// The stream ends when all objects are Current. It waits for objects that do not exist at
// first.
func TestWaitForStatusEndsWhenAllAreCurrent(t *testing.T) {
	c := live.Cluster(t)
	ns := c.Namespace(t)
	c.Apply(t, ns, manifest.ConfigMap("m"))
	ctx, cancel := context.WithTimeout(t.Context(), longTimeout)
	defer cancel()
	targets := []observe.Target{manifest.Target("", "ConfigMap", ns, "m"), manifest.Target("apps", "Deployment", ns, "d"), manifest.Target("", "Namespace", "", ns)}
	seen := map[observe.Target]status.Status{}
	var last wait.Event
	for e, err := range (wait.Resolver{Config: c.Config()}).WaitForStatus(ctx, targets...) {
		if err != nil {
			t.Fatal(err)
		}
		if last = e; e.Target.Kind.Kind == "Deployment" && e.Result.Status == status.NotFoundStatus {
			c.Apply(t, ns, manifest.Deployment("d", readyPod))
		}
		seen[e.Target] = e.Result.Status
		for _, s := range seen {
			if e.Aggregate == status.CurrentStatus && s != status.CurrentStatus {
				t.Errorf("all are said to be Current, and one is %s", s)
			}
		}
	}
	if len(seen) != len(targets) || last.Aggregate != status.CurrentStatus || last.Target != targets[1] {
		t.Errorf("have %v, the last is %s %s", seen, last.Target, last.Aggregate)
	}
}

// The end of a context keeps the last verdicts, and is the error. A failing object then counts
// as failed.
func TestWaitForStatusEndsWithItsContext(t *testing.T) {
	t.Parallel()
	c := live.Cluster(t)
	ns := c.Namespace(t)
	c.Apply(t, ns, manifest.ConfigMap("m")+"---\n"+manifest.Deployment("d", unpullablePod))
	for _, interval := range []time.Duration{0, 500 * time.Millisecond} {
		t.Run(fmt.Sprintf("interval %s", interval), func(t *testing.T) {
			t.Parallel()
			r := wait.Resolver{Config: c.Config(), Interval: interval}
			r.Requirements.Grace = grace.Uniform(time.Hour) // the context ends before the failure counts
			checkEndsWithContext(t, r, ns)
		})
	}
}

func checkEndsWithContext(t *testing.T, r wait.Resolver, ns string) {
	t.Helper()
	tired := fmt.Errorf("tired of waiting: %w", observe.ErrTimeout)
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	m, d, n := manifest.Target("", "ConfigMap", ns, "m"), manifest.Target("apps", "Deployment", ns, "d"), manifest.Target("apps", "StatefulSet", ns, "n")
	failing := false
	f := follow(ctx, t, r, func(e wait.Event) {
		if failing = failing || e.Target == d && e.Result.Failure != ""; failing && e.Board.Synced() {
			cancel(tired)
		}
	}, m, d, n)
	end, ok := errors.AsType[*wait.Unfinished](f.err)
	if !ok || end.Outcome != observe.OutcomeFailure || !errors.Is(f.err, tired) || !errors.Is(f.err, context.Canceled) {
		t.Fatalf("have %v", f.err)
	}
	have := map[observe.Target]string{}
	for _, u := range end.Board.Updates() {
		have[u.Target] = fmt.Sprint(u.Result.Status, u.Err)
	}
	want := map[observe.Target]string{m: "Current<nil>", d: "InProgress<nil>", n: "NotFound<nil>"}
	for target, state := range want {
		if have[target] != state {
			t.Errorf("%s: have %s, want %s", target, have[target], state)
		}
	}
	if text := f.err.Error(); !strings.Contains(text, "tired of waiting") || !strings.Contains(text, d.String()) {
		t.Errorf("the error is %s", text)
	}
}

// An object that cannot become Current ends the wait with an error, after a verdict on each
// object.
func TestWaitForStatusEndsWhenDecided(t *testing.T) {
	c := live.Cluster(t)
	ns := c.Namespace(t)
	c.Apply(t, ns, manifest.ConfigMap("m")+"---\napiVersion: v1\nkind: Pod\nmetadata: {name: p, annotations: {kstatus.dev/pod: fail}}\n"+
		"spec: {restartPolicy: Never, containers: [{name: c, image: registry.example.com/c}]}\n")
	ctx, cancel := context.WithTimeout(t.Context(), longTimeout)
	defer cancel()
	m, p, s := manifest.Target("", "ConfigMap", ns, "m"), manifest.Target("", "Pod", ns, "p"), manifest.Target("", "Secret", ns, "s")
	config := configWith(t, c, ns, "waiter", cluster.Grant{Namespace: ns, Verbs: []string{"get", "list", "watch"}, Resources: []string{"configmaps", "pods"}})
	rows := []struct {
		it      string
		targets []observe.Target
		outcome observe.Outcome
		last    status.Status
	}{
		{"has failed for good", []observe.Target{m, p}, observe.OutcomeFailure, status.FailedStatus},
		{"may not be read", []observe.Target{m, s}, observe.OutcomeForbidden, status.UnknownStatus},
	}
	for _, row := range rows {
		f := follow(ctx, t, wait.Resolver{Config: config}, func(wait.Event) {}, row.targets...)
		end, ok := errors.AsType[*wait.Unfinished](f.err)
		if !ok || end.Outcome != row.outcome || f.first[m] != status.CurrentStatus || f.aggregates[len(f.aggregates)-1] != row.last {
			t.Errorf("it %s: have %v, first %v, all %v", row.it, f.err, f.first, f.aggregates)
		}
	}
}

// A status older than the applied version of an object does not end the wait for it. The API
// version of the manifest does not matter.
func TestWaitForStatusOfObjectsThatWereApplied(t *testing.T) {
	c := live.Cluster(t)
	ns := c.Namespace(t)
	config := c.Config()
	ctx, cancel := context.WithTimeout(t.Context(), longTimeout)
	defer cancel()
	var returned *unstructured.Unstructured
	keep := func(u *unstructured.Unstructured) { returned = u }
	r := wait.Resolver{Config: config, Scheme: scheme.Scheme}
	for _, image := range []string{"one", "two"} {
		objects, err := apply.Parse([]byte(manifest.Deployment("d", "image: registry.example.com/"+image)))
		if err == nil {
			err = apply.To(ctx, config, ns, objects, keep)
		}
		if err != nil {
			t.Fatal(err)
		}
		generation := int64(0)
		for e, err := range r.WaitForStatusOfObjects(ctx, returned) {
			if err != nil {
				t.Fatal(err)
			}
			generation = e.Version.ObservedGeneration
		}
		if generation < returned.GetGeneration() {
			t.Errorf("image %s: it is Current as of generation %d, and %d was applied", image, generation, returned.GetGeneration())
		}
	}
	gone := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: ns, Name: "d", UID: "another"}}
	for e, err := range r.WaitForStatusOfObjects(ctx, gone) {
		if end, ok := errors.AsType[*wait.Unfinished](err); err != nil && (!ok || end.Outcome != observe.OutcomeFailure) {
			t.Error(err)
		}
		if err == nil && e.Result.Reason != "Replaced" {
			t.Errorf("another object of its name is %s %s", e.Result.Status, e.Result.Reason)
		}
	}
}

// A wait leaves no goroutine behind, whether the caller stops ranging or the wait ends by
// itself.
func TestResolverLeavesNothingBehind(t *testing.T) {
	c := live.Cluster(t)
	ns := c.Namespace(t)
	c.Apply(t, ns, manifest.ConfigMap("a"))
	targets := []observe.Target{manifest.Target("", "ConfigMap", ns, "a"), manifest.Target("apps", "Deployment", ns, "b"), manifest.Target("example.com", "Nope", ns, "c")}
	before := runtime.NumGoroutine()
	for _, interval := range []time.Duration{0, 0, 300 * time.Millisecond} {
		r := wait.Resolver{Config: c.Config(), Interval: interval}
		for range r.WaitForStatus(t.Context(), targets...) {
			break
		}
		ctx, cancel := context.WithCancel(t.Context())
		if f := follow(ctx, t, r, func(e wait.Event) {
			if e.Board.Synced() {
				cancel()
			}
		}, targets...); !errors.Is(f.err, context.Canceled) {
			t.Errorf("have %v", f.err)
		}
		if _, err := r.FetchAndResolve(t.Context(), targets...); err != nil {
			t.Error(err)
		}
	}
	checkGoroutines(t, before)
}

func configOf(t *testing.T, kubeconfig string) *rest.Config {
	t.Helper()
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	return config
}

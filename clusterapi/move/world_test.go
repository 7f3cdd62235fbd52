package move_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/clusterapi/internal/clusterapitest"
	"kstatus.dev/clusterapi/internal/management"
	"kstatus.dev/clusterapi/move"
	"kstatus.dev/clusterapi/move/plan"
	"kstatus.dev/kube/wiretest"
)

// fleet is a realistic Cluster with everything that belongs to it. Two Boxes own each other.
const fleet = `
	Cluster shop/a : {spec: {infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: Box, name: a}, controlPlaneEndpoint: {host: a.example, port: 6443}}, metadata: {finalizers: [cluster.cluster.x-k8s.io]}, status: {initialization: {infrastructureProvisioned: true, controlPlaneInitialized: true}}}
	Box shop/a < Cluster shop/a cluster.x-k8s.io/cluster-name=a @policy=skip : {spec: {identityRef: {kind: Login, name: own}}, metadata: {finalizers: [box]}, status: {serial: n1}}
	Login shop/own : {spec: {secretRef: {name: password}}}
	Secret shop/password : {data: {password: eA==}}
	MachineDeployment shop/web < Cluster shop/a cluster.x-k8s.io/cluster-name=a : {spec: {replicas: 1}}
	BoxTemplate shop/web < Cluster shop/a : {spec: {template: {spec: {size: small}}}}
	MachineSet shop/web-1 < MachineDeployment shop/web cluster.x-k8s.io/cluster-name=a : {spec: {replicas: 1}}
	Machine shop/web-1-x < MachineSet shop/web-1 cluster.x-k8s.io/cluster-name=a : {spec: {providerID: "box://x", bootstrap: {dataSecretName: web-1-x}}, metadata: {finalizers: [machine.cluster.x-k8s.io]}, status: {nodeRef: {name: x}}}
	Box shop/web-1-x < Machine shop/web-1-x cluster.x-k8s.io/cluster-name=a : {metadata: {finalizers: [box, disk]}, status: {serial: n2}}
	Secret shop/web-1-x < Machine shop/web-1-x : {data: {value: eQ==}}
	Secret shop/a-ca cluster.x-k8s.io/cluster-name=a : {data: {key: eg==}}
	Secret shop/a-kubeconfig < Cluster shop/a : {data: {value: YQ==}}
	Box shop/one < Cluster shop/a < Box shop/two cluster.x-k8s.io/cluster-name=a
	Box shop/two < Box shop/one cluster.x-k8s.io/cluster-name=a
`

// strangers are objects of the source that the move must not touch.
const strangers = `
	Cluster other/z : {spec: {paused: true}}
	Box other/z < Cluster other/z
	Secret shop/unrelated : {data: {a: eA==}}
`

// targetStrangers are objects that the target has before the move.
const targetStrangers = `
	Cluster other/y
	Secret other/a-ca : {data: {key: eQ==}}
`

// fleetKinds are the kinds of a fleet.
var fleetKinds = []string{"Cluster", "Machine", "MachineDeployment", "MachineSet", "Box", "BoxTemplate", "Login"}

// box names the kind of infrastructure.
var box = schema.GroupKind{Group: "infrastructure.cluster.x-k8s.io", Kind: "Box"}

// TestMain has the garbage collector run seldom: a move makes much garbage, and keeps little.
func TestMain(m *testing.M) {
	debug.SetGCPercent(1000)
	os.Exit(m.Run())
}

// A world is two management clusters, which are watched for what must never happen.
type world struct {
	*testing.T
	from, to *wiretest.Server
	watcher  *watcher
	journal  string
	events   []move.Event
	core     [2]*clusterapitest.Core
}

// newWorld starts two clusters with objects: see [clusterapitest.Parse].
func newWorld(t *testing.T, kinds []string, source, target string) *world {
	t.Helper()
	w := &world{T: t, from: clusterapitest.NewServer(t, "source", kinds...), to: clusterapitest.NewServer(t, "target", kinds...), journal: journalIn(t)}
	w.put(w.from, source)
	w.put(w.to, target)
	w.start()
	return w
}

// journalIn returns the path of a journal. Each entry is synced to the disk, so it is in memory if
// the system has a file system there.
func journalIn(t *testing.T) string {
	folder, err := os.MkdirTemp("/dev/shm", "move")
	if err != nil {
		return filepath.Join(t.TempDir(), "journal.json")
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	return filepath.Join(folder, "journal.json")
}

// start runs the controllers of both clusters, and the watcher.
func (w *world) start() {
	w.Helper()
	for i, s := range []*wiretest.Server{w.from, w.to} {
		s.CollectGarbage()
		w.core[i] = clusterapitest.RunCore(s)
	}
	synctest.Wait()
	w.watcher = newWatcher(w)
}

// put stores objects, with their namespaces.
func (w *world) put(s *wiretest.Server, lines string) {
	w.Helper()
	objects, err := clusterapitest.Parse(lines)
	if err != nil {
		w.Fatal(err)
	}
	for _, o := range objects {
		if ns := o.GetNamespace(); ns != "" && s.Find(schema.GroupKind{Kind: "Namespace"}, "", ns) == nil {
			s.Put(clusterapitest.NewNamespace(ns, ""))
		}
		s.Put(o.Unstructured)
	}
}

// options returns the options of a move of the namespace shop.
func (w *world) options() move.Options {
	return move.Options{
		Scope: plan.Scope{Namespaces: []string{"shop"}}, Source: w.from.Config(), Target: w.to.Config(),
		Journal: w.journal, Window: 5 * time.Second, Timeout: time.Minute, Status: []schema.GroupKind{box},
		OnEvent: func(e move.Event) { w.events = append(w.events, e) },
	}
}

// with returns options that are changed.
func with(o move.Options, change func(*move.Options)) move.Options {
	change(&o)
	return o
}

// at returns options that call do when a phase begins for the first time.
func at(o move.Options, phase move.Phase, do func()) move.Options {
	report, done := o.OnEvent, false
	o.OnEvent = func(e move.Event) {
		report(e)
		if e.Phase == phase && !done {
			done = true
			do()
		}
	}
	return o
}

// use calls do with a Mover.
func use[T any](ctx context.Context, o move.Options, do func(*move.Mover) (T, error)) (none T, err error) {
	m, err := move.New(ctx, o)
	if err != nil {
		return none, err
	}
	defer m.Close()
	return do(m)
}

// run plans a move and carries it out.
func run(ctx context.Context, o move.Options) (*move.Result, error) {
	return use(ctx, o, func(m *move.Mover) (*move.Result, error) {
		p, err := m.Plan(ctx)
		if err != nil {
			return nil, err
		}
		return m.Run(ctx, p)
	})
}

// resume continues a move.
func resume(ctx context.Context, o move.Options) (*move.Result, error) {
	return use(ctx, o, func(m *move.Mover) (*move.Result, error) { return m.Resume(ctx) })
}

// rollBack undoes a move.
func rollBack(ctx context.Context, o move.Options) (*move.Result, error) {
	return use(ctx, o, func(m *move.Mover) (*move.Result, error) { return m.Rollback(ctx) })
}

// mustRun moves, and fails the test if that fails.
func (w *world) mustRun(o move.Options) *move.Result {
	w.Helper()
	r, err := run(w.Context(), o)
	if err != nil {
		w.Fatal(err)
	}
	return r
}

// mustFail fails the test unless an error contains a text.
func (w *world) mustFail(err error, want string) {
	w.Helper()
	if err == nil || !strings.Contains(err.Error(), want) {
		w.Fatalf("have the error %v, want %q in it", err, want)
	}
}

// find returns an object by a line such as "Box shop/a", and nil if it does not exist.
func (w *world) find(s *wiretest.Server, line string) *unstructured.Unstructured {
	w.Helper()
	objects, err := clusterapitest.Parse(line)
	if err != nil {
		w.Fatal(err)
	}
	o := objects[0]
	return s.Find(o.Kind.GroupKind(), o.GetNamespace(), o.GetName())
}

// edit changes an object as somebody else.
func (w *world) edit(s *wiretest.Server, line string, change func(*unstructured.Unstructured)) {
	w.Helper()
	u := w.find(s, line)
	if u == nil || !s.Edit("stranger", "", u, change) {
		w.Errorf("%s does not exist", line)
	}
}

// set returns a change of a field.
func set(value any, path ...string) func(*unstructured.Unstructured) {
	return func(u *unstructured.Unstructured) {
		if err := unstructured.SetNestedField(u.Object, value, path...); err != nil {
			panic(err) // the test is wrong
		}
		if path[0] == "spec" {
			u.SetGeneration(u.GetGeneration() + 1)
		}
	}
}

// field returns a text in an object, and an empty one if it is missing.
func field(u *unstructured.Unstructured, path ...string) string {
	if u == nil {
		return ""
	}
	value, found, _ := unstructured.NestedFieldNoCopy(u.Object, path...)
	if !found {
		return ""
	}
	return fmt.Sprint(value)
}

// notes returns the events with a message, one line each.
func (w *world) notes() string {
	var lines []string
	for _, e := range w.events {
		if e.Message != "" {
			lines = append(lines, e.Object+": "+e.Message)
		}
	}
	return strings.Join(lines, "\n")
}

// inBubble runs a test in which time advances only while all goroutines wait.
func inBubble(t *testing.T, it string, test func(t *testing.T)) {
	t.Helper()
	t.Run(it, func(t *testing.T) { synctest.Test(t, test) })
}

// isMoved reports whether an object is in the namespace of the Clusters that move.
func isMoved(u *unstructured.Unstructured) bool {
	return u.GetNamespace() == "shop" && !strings.HasPrefix(u.GetName(), "unrelated") && management.Find(clusterapitest.Kinds(), u.GroupVersionKind().GroupKind()) != nil
}

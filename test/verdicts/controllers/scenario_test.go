package controllers

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/restmapper"

	"kstatus.dev/kube/source"
	"kstatus.dev/observe"
	"kstatus.dev/status"
	"kstatus.dev/test/lib/apply"
	"kstatus.dev/test/lib/cluster"
	"kstatus.dev/test/lib/poll"
)

// A scenario is the life of one object: it is applied, waits for something, and becomes ready.
// Manifests may contain $NS, the namespace.
type scenario struct {
	it     string                              // finishes the sentence "the object …"
	target string                              // Kind.group/name of the object
	given  string                              // manifests that exist before
	before func(context.Context, *world) error // what else is done before; may be nil
	first  string                              // an earlier form of the object, which becomes ready before the scenario begins
	apply  string                              // the manifests of the scenario, with the object
	late   bool                                // the controller is suspended when the object is applied, and continues later
	waits  string                              // the verdict while the object cannot be ready: a status and words of its message
	fix    string                              // manifests that make it ready afterwards
	act    func(context.Context, *world) error // the same, for other changes
	truth  func(context.Context, *world) error // nil if the fact is true that makes the object ready
	never  bool                                // nothing makes it ready

	// hidden describes why the object itself reports the new generation as ready too early, so that a
	// verdict on the object alone can be early. Empty for all others.
	hidden string
}

// hold is how long an object is watched that cannot be ready.
const hold = 3 * time.Second

// patience is how long a wait may take on a busy machine before it counts as stuck.
const patience = 90 * time.Second

// A world is the namespace of a scenario.
type world struct {
	t       *testing.T
	cluster *cluster.Cluster
	ns      string
	client  kubernetes.Interface
	dynamic dynamic.Interface
	mapper  *restmapper.DeferredDiscoveryRESTMapper
}

func (w *world) connect() {
	w.t.Helper()
	var err error
	if w.client, err = kubernetes.NewForConfig(w.cluster.Config()); err == nil {
		w.dynamic, err = dynamic.NewForConfig(w.cluster.Config())
	}
	if err != nil {
		w.t.Fatal(err)
	}
	w.mapper = restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(w.client.Discovery()))
}

// get reads an object, Kind.group/name, from the namespace if its kind has one.
func (w *world) get(ctx context.Context, name string) (*unstructured.Unstructured, error) {
	kind, name, _ := strings.Cut(name, "/")
	mapping, err := w.mapper.RESTMapping(schema.ParseGroupKind(kind))
	if err != nil {
		w.mapper.Reset()
		return nil, err
	}
	if mapping.Scope.Name() == "root" {
		return w.dynamic.Resource(mapping.Resource).Get(ctx, name, metav1.GetOptions{})
	}
	return w.dynamic.Resource(mapping.Resource).Namespace(w.ns).Get(ctx, name, metav1.GetOptions{})
}

func (w *world) apply(text string) error {
	objects, err := apply.Parse([]byte(strings.ReplaceAll(text, "$NS", w.ns)))
	if err != nil {
		return err
	}
	return apply.To(w.t.Context(), w.cluster.Config(), w.ns, objects, nil)
}

// report writes the status of an object, a JSON merge patch, as another controller does.
func (w *world) report(ctx context.Context, name, patch string) error {
	kind, name, _ := strings.Cut(name, "/")
	mapping, err := w.mapper.RESTMapping(schema.ParseGroupKind(kind))
	if err != nil {
		return err
	}
	_, err = w.dynamic.Resource(mapping.Resource).Namespace(w.ns).Patch(ctx, name, types.MergePatchType, []byte(patch), metav1.PatchOptions{FieldManager: "other"}, "status")
	return err
}

func (w *world) mustApply(text string) {
	w.t.Helper()
	if text == "" {
		return
	}
	if err := w.apply(text); err != nil {
		w.t.Fatal(err)
	}
}

// observeTarget returns the target of a scenario for the library.
func (w *world) observeTarget(name string) observe.Target {
	kind, name, _ := strings.Cut(strings.ReplaceAll(name, "$NS", w.ns), "/")
	gk := schema.ParseGroupKind(kind)
	t := observe.Target{Kind: status.Kind(gk), Namespace: w.ns, Name: name}
	if mapping, err := w.mapper.RESTMapping(gk); err == nil && mapping.Scope.Name() == "root" {
		t.Namespace = ""
	}
	return t
}

// run plays the scenario and returns its row of the page.
func (s *scenario) run(t *testing.T, c *controller) row {
	w := &world{t: t, cluster: live.Cluster(t)}
	w.ns = w.cluster.Namespace(t)
	w.connect()
	w.mustApply(s.given)
	if s.before != nil {
		if err := s.before(t.Context(), w); err != nil {
			t.Fatal(err)
		}
	}
	target := w.observeTarget(s.target)
	truth := func(ctx context.Context) error { return s.truth(ctx, w) }
	var old int64
	if s.first != "" {
		w.mustApply(s.first)
		old = s.waitForFirst(w, target)
	}
	if s.late {
		if err := c.program.Suspend(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.program.Resume() }) // it runs already unless the test has failed
	}
	from := &source.Cluster{Config: w.cluster.Config()}
	before := startWatch(t.Context(), from, &watch{target: target, truth: truth, old: old})
	t.Cleanup(before.stop)
	w.mustApply(s.apply)
	after := startWatch(t.Context(), from, &watch{target: target, truth: truth, old: old})
	t.Cleanup(after.stop)
	r := row{controller: c.name, kind: target.Kind.Kind, it: s.it}
	began := time.Now()
	if s.late || s.waits != "" {
		r.waiting = s.waitForVerdict(w, after)
		began = time.Now()
		s.end(w, c)
	}
	if !s.never {
		r.truth, r.current = s.waitForTruth(w, after, began)
	}
	if s.hidden != "" {
		r.waiting = "**early**: " + s.hidden
	}
	for _, watched := range []*watch{before, after} {
		watched.stop()
		for _, text := range watched.early {
			if s.hidden == "" {
				t.Errorf("early: %s", text)
			} else {
				t.Logf("early, as the object hides it: %s", text)
			}
		}
		if watched.err != nil {
			t.Error(watched.err)
		}
	}
	t.Logf("%s %s:\n\t%s", target, s.it, strings.Join(after.line, "\n\t"))
	return r
}

// waitForFirst waits until the earlier form of the object is Current. It returns its generation.
func (s *scenario) waitForFirst(w *world, target observe.Target) int64 {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), patience)
	defer cancel()
	watcher := observe.Watcher{Source: &source.Cluster{Config: w.cluster.Config()}}
	outcome, board, err := watcher.Wait(ctx, observe.Policy{}, target)
	if err != nil || outcome != observe.OutcomeSuccess {
		for _, u := range board.Unmet() {
			w.t.Logf("%s %s", u.Result.Status, u.Message())
		}
		w.t.Fatalf("the first form of %s: %s, %v", target, outcome, err)
	}
	o, err := w.get(ctx, target.Kind.String()+"/"+target.Name)
	if err != nil {
		w.t.Fatal(err)
	}
	return o.GetGeneration()
}

// waitForVerdict waits for the verdict of an object that cannot be ready, and then for a while longer.
func (s *scenario) waitForVerdict(w *world, watched *watch) string {
	w.t.Helper()
	wantStatus, words, _ := strings.Cut(s.waits, " ")
	matches := func(words string) (observe.Update, error) {
		last, _ := watched.state()
		if string(last.Result.Status) != wantStatus || !strings.Contains(last.Message(), words) {
			return last, fmt.Errorf("the verdict is %s %s: %s, want %s", last.Result.Status, last.Result.Reason, last.Message(), s.waits)
		}
		if err := s.truth(w.t.Context(), w); err == nil {
			return last, errors.New("its truth has come before the repair")
		}
		return last, nil
	}
	var seen observe.Update
	eventually(w.t, "a verdict", func(context.Context) (err error) {
		seen, err = matches(words)
		return err
	})
	time.Sleep(hold)                       // a wrong verdict would come by a timer of the controller, which no state shows
	if _, err := matches(""); err != nil { // a retry may have another message
		w.t.Errorf("after %s: %v", hold, err)
	}
	return fmt.Sprintf("%s: %s", seen.Result.Status, seen.Message())
}

// end ends what the object waits for.
func (s *scenario) end(w *world, c *controller) {
	w.t.Helper()
	if s.late {
		if err := c.program.Resume(); err != nil {
			w.t.Fatal(err)
		}
	}
	w.mustApply(s.fix)
	if s.act != nil {
		if err := s.act(w.t.Context(), w); err != nil {
			w.t.Fatal(err)
		}
	}
}

// waitForTruth waits until the truth comes and the object is Current. It returns how long both took.
func (s *scenario) waitForTruth(w *world, watched *watch, began time.Time) (truth, current time.Duration) {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), patience)
	defer cancel()
	var at, first time.Time
	var err error
	if poll.Until(ctx, func() error {
		if at.IsZero() {
			if err = s.truth(ctx, w); err != nil {
				return err
			}
			at = time.Now()
		}
		if _, at := watched.state(); !at.IsZero() {
			first = at
			return nil
		}
		return errors.New("it is not Current")
	}) == nil {
		return at.Sub(began), first.Sub(began)
	}
	last, _ := watched.state()
	if at.IsZero() {
		w.t.Errorf("the truth does not come within %s: %v; the verdict is %s: %s", patience, err, last.Result.Status, last.Message())
	} else {
		w.t.Errorf("stuck: the truth came after %s, but the verdict is %s %s: %s", at.Sub(began), last.Result.Status, last.Result.Reason, last.Message())
	}
	return 0, 0
}

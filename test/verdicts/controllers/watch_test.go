package controllers

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"kstatus.dev/kube/source"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// A watch watches one object with the library. It judges each version that the cluster sends, and keeps
// the verdicts that a caller of the library gets.
type watch struct {
	target observe.Target
	truth  func(context.Context) error
	old    int64 // the generation before the change, which does not count; 0 for a new object
	began  time.Time
	stop   func()
	ended  chan struct{}

	mu      sync.Mutex // guards the fields below
	early   []string   // descriptions of verdicts Current without the truth
	last    observe.Update
	current time.Time // of the first verdict Current on the new generation
	line    []string  // the verdicts, with their times
	err     error
}

// isOld reports whether a generation is the one before the change.
func (w *watch) isOld(generation int64) bool { return w.old != 0 && generation == w.old }

// startWatch starts a watch. The caller ends it with stop.
func startWatch(ctx context.Context, cluster *source.Cluster, w *watch) *watch {
	ctx, cancel := context.WithCancel(ctx)
	w.began, w.ended = time.Now(), make(chan struct{})
	w.stop = func() {
		cancel()
		<-w.ended
	}
	go func() {
		defer close(w.ended)
		for u, err := range (observe.Watcher{Source: judged{cluster, ctx, w}}).Updates(ctx, w.target) {
			w.add(u, err)
		}
	}()
	return w
}

// judged is a source that judges each version of the object before it reports it.
type judged struct {
	observe.Source
	ctx   context.Context
	watch *watch
}

// Observe reports the events of the source.
func (j judged) Observe(ctx context.Context, targets []observe.Target, report func(observe.Event) bool) error {
	return j.Source.Observe(ctx, targets, func(e observe.Event) bool {
		if e.Object != nil && e.Target == j.watch.target {
			j.judge(e)
		}
		return report(e)
	})
}

// judge compares the verdict on a version with the truth at that time.
func (j judged) judge(e observe.Event) {
	var by status.Evaluator
	if e.Evaluator != nil {
		by = *e.Evaluator
	}
	r, err := by.Compute(e.Object)
	meta, _ := e.Object.UnstructuredContent()["metadata"].(map[string]any)
	generation, _ := meta["generation"].(int64)
	if err != nil || r.Status != status.CurrentStatus || j.watch.isOld(generation) {
		return
	}
	if err := j.watch.truth(j.ctx); err != nil && j.ctx.Err() == nil {
		j.watch.mu.Lock()
		defer j.watch.mu.Unlock()
		j.watch.early = append(j.watch.early, fmt.Sprintf("version %v is Current (%s: %s), but %v\n%v", meta["resourceVersion"], r.Reason, r.Message, err, e.Object.UnstructuredContent()["status"]))
	}
}

// add keeps a verdict.
func (w *watch) add(u observe.Update, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err != nil {
		w.err = err
		return
	}
	if w.isOld(u.Version.Generation) {
		return
	}
	w.last = u
	w.line = append(w.line, fmt.Sprintf("%5.1fs %s %s: %s", time.Since(w.began).Seconds(), u.Result.Status, u.Result.Reason, u.Message()))
	if u.Progress == observe.ProgressReached && w.current.IsZero() {
		w.current = time.Now()
	}
}

// state returns the last verdict, and the time of the first verdict Current.
func (w *watch) state() (last observe.Update, current time.Time) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.last, w.current
}

// An early verdict is found: a ConfigMap is always Current, and the truth never comes.
func TestEarlyVerdictIsFound(t *testing.T) {
	w := &world{t: t, cluster: live.Cluster(t)}
	w.ns = w.cluster.Namespace(t)
	w.connect()
	w.mustApply("{apiVersion: v1, kind: ConfigMap, metadata: {name: m}}")
	truth := func(ctx context.Context) error { return never(ctx, w) }
	watched := startWatch(t.Context(), &source.Cluster{Config: w.cluster.Config()}, &watch{target: w.observeTarget("ConfigMap/m"), truth: truth})
	defer watched.stop()
	eventually(t, "a verdict", func(context.Context) error {
		if _, current := watched.state(); current.IsZero() {
			return errors.New("the ConfigMap is not Current")
		}
		return nil
	})
	watched.stop()
	if len(watched.early) != 1 {
		t.Errorf("early verdicts: %q, want one", watched.early)
	}
}

package move_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/watch"

	"kstatus.dev/clusterapi/internal/clusterapitest"
	"kstatus.dev/clusterapi/internal/management"
	"kstatus.dev/clusterapi/move"
	"kstatus.dev/clusterapi/pause"
	"kstatus.dev/kube/wiretest"
)

// blocking has a controller of the source set block-move on a Box when the pause begins, and remove
// it after a time. A negative time means never.
func blocking(w *world, line string, d time.Duration) {
	once := false
	w.from.Follow(func(e wiretest.Event) {
		if e.Type == watch.Deleted || once || nameOf(e.Object) != "Cluster shop/a" || !clusterapitest.IsPaused(e.Object) {
			return
		}
		once = true
		w.edit(w.from, line, annotate(management.BlockMoveAnnotation, ""))
		if d >= 0 {
			time.AfterFunc(d, func() {
				w.edit(w.from, line, func(u *unstructured.Unstructured) {
					unstructured.RemoveNestedField(u.Object, "metadata", "annotations", management.BlockMoveAnnotation)
				})
			})
		}
	})
}

// annotate returns a change of an annotation.
func annotate(name, value string) func(*unstructured.Unstructured) {
	return func(u *unstructured.Unstructured) {
		annotations := u.GetAnnotations()
		if annotations == nil {
			annotations = map[string]string{}
		}
		annotations[name] = value
		u.SetAnnotations(annotations)
	}
}

// Objects that block the move delay it: all at the same time, and also a move into a folder.
func TestBlockedMoves(t *testing.T) {
	for _, row := range []struct {
		it     string
		folder bool
	}{{"waits before it copies", false}, {"waits before it writes a folder", true}} {
		inBubble(t, row.it, func(t *testing.T) {
			w := newWorld(t, fleetKinds, fleet+strangers, targetStrangers)
			blocking(w, "Box shop/one", time.Minute)
			blocking(w, "Box shop/two", time.Minute)
			o := with(w.options(), func(o *move.Options) { o.Timeout = 10 * time.Minute })
			if row.folder {
				o.Target, o.TargetFolder = nil, filepath.Join(t.TempDir(), "saved")
			}
			began, copied := time.Now(), time.Time{}
			w.mustRun(at(o, move.Creating, func() {
				copied = time.Now()
				for _, line := range []string{"Box shop/one", "Box shop/two"} {
					if _, blocked := w.find(w.from, line).GetAnnotations()[management.BlockMoveAnnotation]; blocked {
						t.Errorf("the copy begins while %s blocks the move", line)
					}
				}
			}))
			if took := copied.Sub(began); took < time.Minute || took > 90*time.Second {
				t.Errorf("the copy began after %s", took)
			}
		})
	}
}

// A pause that is not acknowledged ends at its deadline. Then the source is as before.
func TestPausesEnd(t *testing.T) {
	for _, row := range []struct {
		it      string
		prepare func(*world)
		timeout time.Duration // of the move
		within  time.Duration
		want    string
	}{
		{"ends with the deadline of the move", func(w *world) { blocking(w, "Box shop/one", -1) }, time.Minute, 2 * time.Minute,
			"the source is as before: the pause was not acknowledged: Box/shop/one: it has the annotation block-move"},
		{"ends with the deadline of the object", func(w *world) {
			w.change("Box shop/one", annotate(pause.BlockMoveTimeoutAnnotation, "30s"))
			blocking(w, "Box shop/one", -1)
		}, time.Hour, 2 * time.Minute, "Box/shop/one: it has the annotation block-move"},
		{"ends with the context", func(w *world) { blocking(w, "Box shop/one", -1) }, time.Hour, 2 * time.Hour, "Box/shop/one: it has the annotation block-move"},
	} {
		inBubble(t, row.it, func(t *testing.T) {
			w := newWorld(t, fleetKinds, fleet+strangers, targetStrangers)
			row.prepare(w)
			began := time.Now()
			_, err := run(t.Context(), with(w.options(), func(o *move.Options) { o.Timeout = row.timeout }))
			w.mustFail(err, row.want)
			if took := time.Since(began); took > row.within {
				t.Errorf("it took %s", took)
			}
			w.edit(w.from, "Box shop/one", func(u *unstructured.Unstructured) {
				unstructured.RemoveNestedField(u.Object, "metadata", "annotations", management.BlockMoveAnnotation)
			})
			synctest.Wait()
			w.watcher.checkRolledBack()
			_, err = resume(t.Context(), w.options())
			w.mustFail(err, "is rolled back; begin a new move")
			if r, err := rollBack(t.Context(), w.options()); err != nil || r.Phase != move.RolledBack {
				t.Errorf("a second rollback has the result %+v: %v", r, err)
			}
		})
	}
}

// A kind that does not report Paused counts as paused after a time without a write, unless the move
// is strict.
func TestSilentKinds(t *testing.T) {
	for _, row := range []struct {
		it     string
		strict bool
		want   string
	}{
		{"moves them after a window", false, ""},
		{"does not move them if it is strict", true, "cannot tell: its kind does not report Paused"},
	} {
		inBubble(t, row.it, func(t *testing.T) {
			w := newWorld(t, fleetKinds, fleet+strangers, targetStrangers)
			w.core[source].Ignore("Box")
			w.core[target].Ignore("Box")
			for name := range w.watcher.before[source] {
				if strings.HasPrefix(name, "Box shop/") {
					w.change(name, func(u *unstructured.Unstructured) { unstructured.RemoveNestedField(u.Object, "status", "conditions") })
				}
			}
			_, err := run(t.Context(), with(w.options(), func(o *move.Options) { o.Strict = row.strict }))
			if row.want != "" {
				w.mustFail(err, row.want)
				w.watcher.checkRolledBack()
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			w.watcher.checkMoved(copied...)
		})
	}
}

// Controllers of the target that do not report after the move are named. A later run waits for them.
func TestSilentControllersAreNamed(t *testing.T) {
	inBubble(t, "it names them", func(t *testing.T) {
		w := newWorld(t, fleetKinds, fleet+strangers, targetStrangers)
		w.core[target].Ignore("Machine")
		o := with(w.options(), func(o *move.Options) { o.Strict = true })
		r, err := run(t.Context(), o)
		w.mustFail(err, "unpaused in the target, but these objects have not reported yet: Machine/shop/web-1-x")
		if r == nil || len(r.Unacknowledged) != 1 || r.Unacknowledged[0] != "Machine/shop/web-1-x" {
			t.Errorf("have the result %+v", r)
		}
		w.core[target].Ignore()
		if _, err := resume(t.Context(), o); err != nil {
			t.Fatal(err)
		}
		w.watcher.checkMoved(copied...)
	})
}

// The target does not keep copies as they are. That stops the move, unless it is accepted.
func TestCopiesAreVerified(t *testing.T) {
	prune := func(w *world, dry bool) func() {
		return w.to.Admit(func(r wiretest.Request, u *unstructured.Unstructured) error {
			if u.GetKind() == "MachineSet" && (dry || !r.DryRun) {
				unstructured.RemoveNestedField(u.Object, "spec", "replicas")
			}
			return nil
		})
	}
	for _, row := range []struct {
		it     string
		dry    bool // the target shows it in a dry run
		accept []string
		want   string
	}{
		{"finds it before the move", true, nil, "MachineSet.cluster.x-k8s.io shop/web-1: the target would not keep it as it is: spec.replicas is missing"},
		{"finds it during the move", false, nil, "its copy in the target differs from the original: spec.replicas is missing"},
		{"accepts it", true, []string{"differences"}, ""},
	} {
		inBubble(t, row.it, func(t *testing.T) {
			w := newWorld(t, fleetKinds, fleet+strangers, targetStrangers)
			repair := prune(w, row.dry)
			w.watcher.tolerated["MachineSet shop/web-1"] = len(row.accept) > 0
			_, err := run(t.Context(), with(w.options(), func(o *move.Options) { o.Accept = row.accept }))
			if row.want == "" {
				if err != nil {
					t.Fatal(err)
				}
				w.mustFail(errors.New(w.notes()), "MachineSet.cluster.x-k8s.io shop/web-1: accepted: in the target, spec.replicas is missing")
				return
			}
			w.mustFail(err, row.want)
			difference, is := errors.AsType[*move.DifferenceError](err)
			if is == row.dry || is && difference.Differences != "spec.replicas is missing" {
				t.Errorf("have %#v", err)
			}
			repair()
			if row.dry {
				_, err = run(t.Context(), w.options())
			} else {
				_, err = resume(t.Context(), w.options())
			}
			if err != nil {
				t.Fatal(err)
			}
			w.watcher.checkMoved(copied...)
		})
	}
}

// A target with a default for a field that the source lacks keeps copies as they are.
func TestDefaultsOfTheTarget(t *testing.T) {
	begin := func(t *testing.T) *world {
		w := newWorld(t, fleetKinds, fleet+strangers, targetStrangers)
		for _, u := range w.to.Objects() {
			if u.GetName() == "machinesets.cluster.x-k8s.io" {
				u = u.DeepCopy()
				versions, _, _ := unstructured.NestedSlice(u.Object, "spec", "versions")
				versions[0].(map[string]any)["schema"] = map[string]any{"openAPIV3Schema": map[string]any{"properties": map[string]any{
					"spec": map[string]any{"properties": map[string]any{"order": map[string]any{"type": "string", "default": "Random"}}},
				}}}
				_ = unstructured.SetNestedSlice(u.Object, versions, "spec", "versions")
				w.to.Put(u)
			}
		}
		w.to.Admit(func(_ wiretest.Request, u *unstructured.Unstructured) error {
			if spec, is := u.Object["spec"].(map[string]any); is && u.GetKind() == "MachineSet" {
				spec["order"] = "Random"
			}
			return nil
		})
		w.watcher.tolerated["MachineSet shop/web-1"] = true
		return w
	}
	check := func(w *world) {
		if have := field(w.find(w.to, "MachineSet shop/web-1"), "spec", "order"); have != "Random" {
			w.Errorf("the copy has the order %q", have)
		}
	}
	inBubble(t, "it moves", func(t *testing.T) {
		w := begin(t)
		w.mustRun(w.options())
		check(w)
	})
	inBubble(t, "it moves although the definition cannot be read for a time", func(t *testing.T) {
		w := begin(t)
		repair := reject(target, "create", "web-1-x")(w, nil)
		_, err := run(t.Context(), w.options())
		w.mustFail(err, "no room for web-1-x")
		repair()
		if _, err := resume(t.Context(), at(w.options(), move.Creating, func() {
			w.to.On(wiretest.Rule{Match: wiretest.Match{Verbs: []string{"get"}, Resource: "customresourcedefinitions", Name: "machinesets.cluster.x-k8s.io"}, Times: 2, Reply: unavailable})
		})); err != nil {
			t.Fatal(err)
		}
		check(w)
	})
}

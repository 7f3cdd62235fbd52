package move_test

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/clusterapi/internal/clusterapitest"
	"kstatus.dev/clusterapi/move"
	"kstatus.dev/clusterapi/move/plan"
	"kstatus.dev/internal/bubble"
	"kstatus.dev/kube/wiretest"
)

// Options that contradict each other, and clusters that cannot be told apart, are refused.
func TestOptions(t *testing.T) {
	for _, row := range []struct {
		it     string
		change func(*world, *move.Options)
		want   string
	}{
		{"wants a source", func(_ *world, o *move.Options) { o.Source = nil }, "want either a source cluster or a source folder"},
		{"wants one source", func(_ *world, o *move.Options) { o.SourceFolder = "x" }, "want either a source cluster or a source folder"},
		{"wants a target", func(_ *world, o *move.Options) { o.Target = nil }, "want either a target cluster or a target folder"},
		{"wants a cluster", func(_ *world, o *move.Options) {
			o.Source, o.Target, o.SourceFolder, o.TargetFolder = nil, nil, "x", "y"
		}, "have two folders"},
		{"wants two clusters for ConfigMaps", func(_ *world, o *move.Options) { o.Target, o.TargetFolder, o.JournalNamespace = nil, "x", "journals" }, "want a journal in ConfigMaps only between two clusters"},
		{"wants an ID that is no path", func(_ *world, o *move.Options) { o.ID = "a/b" }, `no move can have the name "a/b"`},
		{"wants two different clusters", func(w *world, o *move.Options) { o.Target = w.from.Config() }, "source and target are the same cluster"},
		{"wants to identify the source", func(w *world, _ *move.Options) {
			forbid(source, wiretest.Match{Resource: "namespaces", Name: "kube-system"})(w)
		}, "the source: read Namespace kube-system, which identifies the cluster: "},
		{"wants to identify the target", func(w *world, _ *move.Options) {
			forbid(target, wiretest.Match{Resource: "namespaces", Name: "kube-system"})(w)
		}, "the target: read Namespace kube-system"},
		{"wants a selector", func(_ *world, o *move.Options) { o.Scope.Selector = "a in b" }, `selector "a in b": `},
		{"wants a management cluster", func(w *world, _ *move.Options) {
			for _, u := range w.from.Objects() {
				if u.GetName() == "clusters.cluster.x-k8s.io" {
					w.from.Delete(u)
				}
			}
		}, "the source has no definition clusters.cluster.x-k8s.io"},
		{"wants an object", func(_ *world, o *move.Options) { o.Scope.Namespaces = []string{"empty"} }, "no object is selected"},
		{"wants to list definitions", func(w *world, _ *move.Options) {
			forbid(source, wiretest.Match{Resource: "customresourcedefinitions"})(w)
		}, "list definitions: "},
		{"wants to list objects", func(w *world, _ *move.Options) {
			forbid(source, wiretest.Match{Verbs: []string{"list"}, Resource: "boxs"})(w)
		}, "list boxs"},
	} {
		inBubble(t, row.it, func(t *testing.T) {
			w := newWorld(t, fleetKinds, fleet, targetStrangers)
			o := w.options()
			row.change(w, &o)
			_, err := run(t.Context(), o)
			w.mustFail(err, row.want)
			if _, err := os.Stat(w.journal); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("the journal has been written: %v", err)
			}
		})
	}
}

// A plan that was shown before is only carried out if the source still is like that.
func TestPlansExpire(t *testing.T) {
	for _, row := range []struct {
		it     string
		change func(*world)
		want   string // in the error; empty: the plan is carried out
	}{
		{"carries out the same plan", func(*world) {}, ""},
		{"does not carry out another one", func(w *world) { w.change("MachineSet shop/web-1", set(int64(7), "spec", "replicas")) }, "the source has changed since the plan: MachineSet.cluster.x-k8s.io shop/web-1: changed since the earlier plan"},
	} {
		inBubble(t, row.it, func(t *testing.T) {
			w := newWorld(t, fleetKinds, fleet+strangers, targetStrangers)
			p, err := use(t.Context(), w.options(), func(m *move.Mover) (*plan.Plan, error) { return m.Plan(t.Context()) })
			if err != nil {
				t.Fatal(err)
			}
			row.change(w)
			_, err = use(t.Context(), w.options(), func(m *move.Mover) (*move.Result, error) { return m.Run(t.Context(), p) })
			if row.want != "" {
				w.mustFail(err, row.want)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			w.watcher.checkMoved(copied...)
		})
	}
}

// A journal of another move, of other clusters or in a wrong form is refused.
func TestJournalsAreChecked(t *testing.T) {
	another := func(w *world) *wiretest.Server { return clusterapitest.NewServer(w.T, "another", "Cluster") }
	for _, row := range []struct {
		it     string
		change func(*world, *move.Options)
		want   string
	}{
		{"wants the journal", func(_ *world, o *move.Options) { o.Journal += ".missing" }, "it does not exist; want the journal of a move that has begun"},
		{"wants its place", func(_ *world, o *move.Options) { o.Journal = "" }, "want the file of the journal, or the namespace of its ConfigMaps and the ID of the move"},
		{"wants its ID", func(_ *world, o *move.Options) { o.ID = "another" }, "it is about move film; want another"},
		{"wants the same source", func(w *world, o *move.Options) { o.Source = another(w).Config() }, "its source is http://wiretest; want the same instead of "},
		{"wants the same target", func(w *world, o *move.Options) { o.Target = another(w).Config() }, "its target is http://wiretest; want the same instead of "},
		{"wants a journal", func(w *world, o *move.Options) {
			if err := os.WriteFile(o.Journal, []byte("{}"), 0o600); err != nil {
				w.Error(err)
			}
		}, "it is not a journal of a move"},
	} {
		inBubble(t, row.it, func(t *testing.T) {
			w := newWorld(t, fleetKinds, fleet+strangers, targetStrangers)
			stop := reject(target, "create", "web-1-x")(w, nil)
			o := with(w.options(), func(o *move.Options) { o.ID = "film" })
			if _, err := run(t.Context(), o); err == nil {
				t.Fatal("the move was not interrupted")
			}
			stop()
			row.change(w, &o)
			synctest.Wait()
			before := versions(w)
			for _, do := range []func() error{
				func() error { _, err := resume(t.Context(), o); return err },
				func() error { _, err := rollBack(t.Context(), o); return err },
			} {
				w.mustFail(do(), row.want)
			}
			if after := versions(w); strings.Join(before, " ") != strings.Join(after, " ") {
				t.Error("the clusters were changed")
			}
		})
	}
}

// The status of a move in ConfigMaps comes from either cluster.
func TestStatusInConfigMaps(t *testing.T) {
	inBubble(t, "it is the same", func(t *testing.T) {
		w := newWorld(t, fleetKinds, fleet+strangers, targetStrangers)
		o := with(w.options(), places[1].change)
		repair := reject(target, "create", "web-1-x")(w, nil)
		_, err := run(t.Context(), o)
		w.mustFail(err, "no room for web-1-x")
		repair()
		for _, change := range []func(*move.Options){func(o *move.Options) { o.Target = nil }, func(o *move.Options) { o.Source = nil }} {
			s, err := move.ReadStatus(t.Context(), with(o, change))
			if err != nil || s.ID != "film" || s.Phase != move.Creating || !s.MayResume || !s.MayRollBack || !strings.Contains(s.Failure, "no room for web-1-x") {
				t.Errorf("have the status %+v: %v", s, err)
			}
		}
		if _, err := move.ReadStatus(t.Context(), move.Options{}); err == nil {
			t.Error("a status without a journal has no error")
		}
		if _, err := rollBack(t.Context(), o); err != nil {
			t.Fatal(err)
		}
		w.watcher.checkRolledBack()
		if _, err := move.ReadStatus(t.Context(), o); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("after the rollback, the status has the error %v", err)
		}
	})
}

// lease names the kind of the locks.
var lease = schema.GroupKind{Group: "coordination.k8s.io", Kind: "Lease"}

// Two moves of the same clusters exclude each other. A move that loses its Lease stops.
func TestLeases(t *testing.T) {
	inBubble(t, "one move waits for no other", func(t *testing.T) {
		w := newWorld(t, fleetKinds, fleet+strangers, targetStrangers)
		o := with(w.options(), places[1].change)
		w.mustRun(at(o, move.Creating, func() {
			_, err := use(t.Context(), with(o, func(o *move.Options) { o.ID, o.Accept = "other", []string{"other-move"} }), func(m *move.Mover) (*move.Result, error) {
				p, err := m.Plan(t.Context())
				if err != nil {
					return nil, err
				}
				return m.Run(t.Context(), p)
			})
			w.mustFail(err, "move film has paused it, and is not complete")
			_, err = run(t.Context(), with(o, func(o *move.Options) {
				o.ID, o.Accept, o.Scope.Namespaces = "other", []string{"not-ready"}, []string{"other"}
			}))
			w.mustFail(err, `Lease journals/kstatus-move in the source is held by "move film" until `)
		}))
		w.watcher.checkMoved(copied...)
	})
	inBubble(t, "a move stops without its Lease", func(t *testing.T) {
		w := newWorld(t, fleetKinds, fleet+strangers, targetStrangers)
		o := with(w.options(), places[1].change)
		_, err := run(t.Context(), at(o, move.Creating, func() {
			held := w.from.Find(lease, "journals", "kstatus-move")
			if held == nil {
				t.Fatal("the source has no Lease")
			}
			w.from.Edit("other", "", held, func(u *unstructured.Unstructured) {
				set("move other", "spec", "holderIdentity")(u)
				set(time.Now().Add(time.Minute).UTC().Format("2006-01-02T15:04:05.000000Z"), "spec", "renewTime")(u)
			})
			bubble.Sleep(20 * time.Second)
		}))
		w.mustFail(err, `lost Lease journals/kstatus-move in the source: it belongs to another process: "move other" holds it`)
		w.mustFail(err, "this process has written nothing since; look at the status of the move, and resume it unless another process does")
		_, err = resume(t.Context(), o)
		w.mustFail(err, `is held by "move other" until`)
		if w.find(w.to, "Cluster shop/a") != nil || w.find(w.from, "Cluster shop/a") == nil {
			t.Error("the move went on without its Lease")
		}
		bubble.Sleep(3 * time.Minute)
		if _, err := resume(t.Context(), o); err != nil {
			t.Fatal(err)
		}
		w.watcher.checkMoved(copied...)
	})
}

// The kinds that a move touches.
func TestMappings(t *testing.T) {
	inBubble(t, "it has the kinds", func(t *testing.T) {
		w := newWorld(t, fleetKinds, "", "")
		kinds, err := move.Mappings(t.Context(), w.from.Config())
		if err != nil || len(kinds) != len(fleetKinds)+2 {
			t.Errorf("have %d kinds: %v", len(kinds), err)
		}
		forbid(source, wiretest.Match{Resource: "customresourcedefinitions"})(w)
		_, err = move.Mappings(t.Context(), w.from.Config())
		w.mustFail(err, "find the kinds of Cluster API: list definitions: ")
	})
}

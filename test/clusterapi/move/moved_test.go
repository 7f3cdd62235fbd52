package move

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kstatus.dev/clusterapi/move"
	"kstatus.dev/clusterapi/move/plan"
	"kstatus.dev/test/lib/cluster"
)

// options returns the options of a move of all Clusters of the fixture.
func (f *fixture) options() move.Options {
	return move.Options{
		Scope: plan.Scope{Namespaces: []string{f.ns}}, Source: f.from.Config(), Target: f.to.Config(),
		Journal: filepath.Join(f.t.TempDir(), "journal.json"), Window: time.Second, Timeout: patience,
		OnEvent: func(e move.Event) {
			if e.Object == "" || e.Phase != move.Pausing && e.Phase != move.Unpausing {
				f.t.Logf("%s %s %d/%d %d/%d %s %s", e.Time.Format("05.000"), e.Phase, e.Step, e.Steps, e.Done, e.Total, e.Object, e.Message)
			}
		},
	}
}

// mover returns a mover that is closed when the test ends.
func (f *fixture) mover(o move.Options) *move.Mover {
	f.t.Helper()
	m, err := move.New(f.t.Context(), o)
	if err != nil {
		f.t.Fatal(err)
	}
	f.t.Cleanup(m.Close)
	return m
}

// run plans a move and carries it out.
func (f *fixture) run(ctx context.Context, o move.Options) (*move.Result, error) {
	f.t.Helper()
	m := f.mover(o)
	p, err := m.Plan(f.t.Context())
	if err != nil {
		return nil, err
	}
	return m.Run(ctx, p)
}

// checkMoved checks that Clusters are in the target only, are available there, and have the same
// resources in the cloud as after the first changes.
func (f *fixture) checkMoved(from, to *site, changes int, names ...string) {
	f.t.Helper()
	f.waitAvailable(to, names...)
	if changes := f.changes(changes); len(changes) > 0 {
		f.t.Errorf("the move changed the cloud: %v", changes)
	}
	if left := f.names(from, clusters); len(left) > 0 {
		f.t.Errorf("the %s still has the Clusters %v", from.name, left)
	}
	list, err := f.in(to, machines).List(f.t.Context(), metav1.ListOptions{})
	if want := len(f.cloud.Resources()) - len(names); err != nil || len(list.Items) != want {
		f.t.Errorf("the %s has %d Machines, %v; want %d", to.name, len(list.Items), err, want)
	}
	for _, m := range list.Items {
		for name := range m.GetAnnotations() {
			if strings.HasPrefix(name, "kstatus.dev/move") || strings.HasSuffix(name, "delete-for-move") {
				f.t.Errorf("Machine %s still has the annotation %s", m.GetName(), name)
			}
		}
	}
}

// Clusters with a class, MachineDeployments and Secrets are moved without a change in the cloud.
func TestMove(t *testing.T) {
	f := newFixture(t)
	f.createClass()
	names := f.createClusters(1, 1)
	before := len(f.cloud.Changes())
	r, err := f.run(t.Context(), f.options())
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d moved, %d copied, %d kept, %d requests, %s", r.Moved, r.Copied, r.Kept, r.Requests, r.Ended.Sub(r.Began))
	f.checkMoved(f.from, f.to, before, names...)
}

// Twenty Clusters with a shared class, a shared identity and three Machines each are moved. The
// source keeps nothing of them.
func TestMoveTwenty(t *testing.T) {
	cluster.Long(t)
	f := newFixture(t)
	f.createClass()
	names := f.createClusters(20, 2)
	before := len(f.cloud.Changes())
	r, err := f.run(t.Context(), f.options())
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d moved, %d copied, %d kept, %d requests, %s", r.Moved, r.Copied, r.Kept, r.Requests, r.Ended.Sub(r.Began))
	f.checkMoved(f.from, f.to, before, names...)
	for name := range f.contents(f.from) {
		switch name {
		case "Secret shelf-identity": // nothing shows that only moved objects use it
		default:
			t.Errorf("the source still has %s", name)
		}
	}
}

// A move that stops while it creates objects is rolled back. Then it is made again with its journal
// in ConfigMaps. It stops, and is resumed without the file.
func TestMoveRollbackAndResume(t *testing.T) {
	cluster.Long(t)
	f := newFixture(t)
	f.createClass()
	names := f.createClusters(1, 1)
	before := len(f.cloud.Changes())

	stopAt := func(o move.Options, phase move.Phase, step int) (*move.Result, error) {
		ctx, cancel := context.WithCancelCause(t.Context())
		print := o.OnEvent
		o.OnEvent = func(e move.Event) {
			print(e)
			if e.Phase == phase && e.Step == step {
				cancel(errors.New("stopped by the test"))
			}
		}
		return f.run(ctx, o)
	}
	o := f.options()
	_, err := stopAt(o, move.Creating, 4)
	interrupted, is := errors.AsType[*move.InterruptedError](err)
	if !is || interrupted.Phase != move.Creating {
		t.Fatalf("have %v, want an interruption while objects are created", err)
	}
	if _, err := f.mover(o).Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	f.waitAvailable(f.from, names...)
	if left := f.names(f.to, machines); len(left) > 0 {
		t.Errorf("after the rollback the target has the Machines %v", left)
	}

	o = f.options()
	o.Journal, o.JournalNamespace, o.ID = "", "default", "test-"+f.ns
	if _, err = stopAt(o, move.Deleting, 3); err == nil {
		t.Fatal("the move was not interrupted")
	}
	if _, err := f.mover(o).Rollback(t.Context()); err == nil || !strings.Contains(err.Error(), "resume it") {
		t.Fatalf("have %v, want an error that says that the move can only be resumed", err)
	}
	if _, err := f.mover(o).Resume(t.Context()); err != nil {
		t.Fatal(err)
	}
	f.checkMoved(f.from, f.to, before, names...)
	for _, s := range []*site{f.from, f.to} {
		list, err := s.dynamic.Resource(resource("", "v1", "configmaps")).Namespace("default").List(t.Context(), metav1.ListOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range list.Items {
			if strings.Contains(c.GetName(), o.ID) {
				t.Errorf("the %s still has ConfigMap %s", s.name, c.GetName())
			}
		}
	}
}

// Clusters are saved into a folder, and restored in the target after the source has lost them.
func TestMoveFolder(t *testing.T) {
	cluster.Long(t)
	f := newFixture(t)
	f.createClass()
	names := f.createClusters(1, 1)
	before := len(f.cloud.Changes())
	saved := filepath.Join(t.TempDir(), "saved")
	o := f.options()
	o.Target, o.TargetFolder = nil, saved
	if _, err := f.run(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	f.waitAvailable(f.from, names...)
	f.stop[f.from]()
	f.wipe(f.from)
	o = f.options()
	o.Source, o.SourceFolder = nil, saved
	if _, err := f.run(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	f.checkMoved(f.from, f.to, before, names...)
}

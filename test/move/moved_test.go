package move

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kstatus.dev/kube/move"
	"kstatus.dev/kube/move/plan"
)

// options returns the options of a move of all Clusters of the fixture.
func (f *fixture) options() move.Options {
	return move.Options{
		Scope: plan.Scope{Namespaces: []string{f.ns}}, Source: f.from.Config(), Target: f.to.Config(),
		Journal: filepath.Join(f.t.TempDir(), "journal.json"), Window: time.Second, Timeout: patience,
		OnEvent: func(e move.Event) {
			f.t.Logf("%s %s %d/%d %d/%d %s %s", e.Time.Format("05.000"), e.Phase, e.Step, e.Steps, e.Done, e.Total, e.Object, e.Message)
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
func (f *fixture) run(o move.Options) (*move.Result, error) {
	f.t.Helper()
	m := f.mover(o)
	p, err := m.Plan(f.t.Context())
	if err != nil {
		return nil, err
	}
	return m.Run(context.WithoutCancel(f.t.Context()), p)
}

// Clusters with a class, MachineDeployments and Secrets are moved without a change in the cloud.
func TestMove(t *testing.T) {
	f := newFixture(t)
	f.createClass()
	names := f.createClusters(1, 1)
	before := len(f.cloud.Changes())
	r, err := f.run(f.options())
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d moved, %d copied, %d kept, %d requests, %s", r.Moved, r.Copied, r.Kept, r.Requests, r.Ended.Sub(r.Began))
	f.waitAvailable(f.to, names...)
	if changes := f.changes(before); len(changes) > 0 {
		t.Errorf("the move changed the cloud: %v", changes)
	}
	if left := f.names(f.from, clusters); len(left) > 0 {
		t.Errorf("the source still has the Clusters %v", left)
	}
	list, err := f.in(f.to, machines).List(t.Context(), metav1.ListOptions{})
	if err != nil || len(list.Items) != 2 {
		t.Errorf("the target has %d Machines, %v; want 2", len(list.Items), err)
	}
	for i := range list.Items {
		if _, marked := list.Items[i].GetAnnotations()["kstatus.dev/move"]; marked {
			t.Errorf("Machine %s still has the mark of the move", list.Items[i].GetName())
		}
	}
}

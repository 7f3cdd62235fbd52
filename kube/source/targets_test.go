package source

import (
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"kstatus.dev/kube/source/internal/client"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// reports are the reported events in short: name@version, name gone, name! for an
// unreadable object, and * for a complete selection.
type reports struct{ lines []string }

func (r *reports) report(s observe.Event) bool {
	name := s.Target.Name
	if s.Target.IsSelection() {
		name = "*"
	}
	switch {
	case s.Err != nil:
		name += "!"
	case s.Object != nil:
		name += "@" + s.Object.(*unstructured.Unstructured).GetResourceVersion()
	case !s.Target.IsSelection():
		name += " gone"
	}
	r.lines = append(r.lines, name)
	return true
}

// A step is a call of a stream to its Sink.
type step func(sub subset)

// see passes an object with a version.
func see(name, version string) step {
	return func(sub subset) {
		u := &unstructured.Unstructured{}
		u.SetNamespace("x")
		u.SetName(name)
		u.SetResourceVersion(version)
		sub.See(u)
	}
}

// lose passes the deletion of an object at a version.
func lose(name string, version uint64) step {
	return func(sub subset) { sub.Lose("x", name, version) }
}

// list passes a list of objects with a version.
func list(version uint64, objects ...step) step {
	return func(sub subset) {
		sub.Begin()
		for _, object := range objects {
			object(sub)
		}
		sub.End(version)
	}
}

// fail passes the failure to read.
func fail(sub subset) { sub.Fail(&observe.Unreadable{Reason: "Transport"}, nil) }

func TestTargetReports(t *testing.T) {
	kind := status.Kind{Kind: "ConfigMap"}
	selected := observe.Target{Kind: kind, Namespace: "x"}
	rows := []struct {
		it    string
		of    observe.Target // a selection, unless targets are named
		names []string
		steps []step
		want  []string
	}{
		{it: "reports each object once", names: []string{"a"}, steps: []step{list(9, see("a", "5")), list(12, see("a", "5"))}, want: []string{"a@5"}},
		{it: "reports a missing object once", names: []string{"a"}, steps: []step{list(9), list(12)}, want: []string{"a gone"}},
		{it: "ignores other objects", names: []string{"a"}, steps: []step{list(9, see("a", "5"), see("b", "6")), see("b", "10"), lose("b", 11)}, want: []string{"a@5"}},
		{it: "reports changes", names: []string{"a"}, steps: []step{list(9, see("a", "5")), see("a", "10"), see("a", "11")}, want: []string{"a@5", "a@10", "a@11"}},
		{it: "reports a deletion", names: []string{"a"}, steps: []step{list(9, see("a", "5")), lose("a", 10)}, want: []string{"a@5", "a gone"}},
		{it: "reports a deletion that only the list shows", names: []string{"a"}, steps: []step{list(9, see("a", "5")), list(12)}, want: []string{"a@5", "a gone"}},
		{it: "ignores an older version", names: []string{"a"}, steps: []step{list(9, see("a", "5")), see("a", "11"), see("a", "10")}, want: []string{"a@5", "a@11"}},
		{it: "reports an older version of a list, which is from a backup", names: []string{"a"}, steps: []step{list(90, see("a", "50")), list(99, see("a", "5")), see("a", "100")}, want: []string{"a@50", "a@5", "a@100"}},
		{it: "ignores an older version of a list that does not end", names: []string{"a"}, steps: []step{list(90, see("a", "50")), subset.Begin, see("a", "5"), list(99, see("a", "50"))}, want: []string{"a@50"}},
		{it: "does not apply an old deletion to a new object", names: []string{"a"}, steps: []step{list(9, see("a", "5")), see("a", "11"), lose("a", 10)}, want: []string{"a@5", "a@11"}},
		{it: "does not report a deleted object again", names: []string{"a"}, steps: []step{list(9, see("a", "5")), lose("a", 12), see("a", "11")}, want: []string{"a@5", "a gone"}},
		{it: "reports an object that returns", names: []string{"a"}, steps: []step{list(9, see("a", "5")), lose("a", 12), see("a", "14")}, want: []string{"a@5", "a gone", "a@14"}},
		{it: "reports all again after a failure", names: []string{"a"}, steps: []step{list(9, see("a", "5")), fail, list(12, see("a", "5"))}, want: []string{"a@5", "a!", "a@5"}},
		{it: "reports a missing object again after a failure", names: []string{"a"}, steps: []step{list(9), fail, list(12)}, want: []string{"a gone", "a!", "a gone"}},
		{it: "continues if versions cannot be compared", names: []string{"a"}, steps: []step{list(0, see("a", "x")), see("a", "y"), see("a", "z")}, want: []string{"a@x", "a@y", "a@z"}},
		{it: "restarts when the server has restarted", names: []string{"a"}, steps: []step{list(90, see("a", "50")), subset.Forget, list(9, see("a", "5"))}, want: []string{"a@50", "a@5"}},
		{it: "reports the objects of a selection, and that they are complete", of: selected, steps: []step{list(9, see("a", "5"))}, want: []string{"a@5", "*"}},
		{it: "reports an empty selection", of: selected, steps: []step{list(9)}, want: []string{"*"}},
		{it: "reports an object that left a selection", of: selected, steps: []step{list(9, see("a", "5")), lose("a", 10)}, want: []string{"a@5", "*", "a gone"}},
		{it: "reports an object that left a selection by a list", of: selected, steps: []step{list(9, see("a", "5")), list(12)}, want: []string{"a@5", "*", "a gone", "*"}},
		{it: "reports a failure to a selection", of: selected, steps: []step{list(9, see("a", "5")), fail}, want: []string{"a@5", "*", "a!", "*!"}},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			r := &reports{}
			store := &targetStore{kind: kind, selection: row.of, reportEvent: r.report, states: map[types.NamespacedName]targetState{}}
			for _, name := range row.names {
				store.states[types.NamespacedName{Namespace: "x", Name: name}] = targetState{pending: true}
			}
			for _, step := range row.steps {
				step(subset{store, namespaceX})
			}
			if !slices.Equal(r.lines, row.want) {
				t.Errorf("reported %q, want %q", r.lines, row.want)
			}
		})
	}
}

var namespaceX = client.Scope{Mapping: &meta.RESTMapping{Scope: meta.RESTScopeNamespace}, Namespace: "x"}

// An object is reported for each target that it matches.
func TestTargetsWithoutANamespace(t *testing.T) {
	r := &reports{}
	store := &targetStore{defaultNamespace: "x", reportEvent: r.report, states: map[types.NamespacedName]targetState{{Name: "a"}: {}, {Namespace: "x", Name: "a"}: {}, {Namespace: "y", Name: "a"}: {}}}
	list(9, see("a", "5"))(subset{store, namespaceX})
	if want := []string{"a@5", "a@5"}; !slices.Equal(r.lines, want) {
		t.Errorf("reported %q, want %q", r.lines, want)
	}
}

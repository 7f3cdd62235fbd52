package document

import (
	"encoding/json"
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/clusterapi/internal/management"
	"kstatus.dev/clusterapi/move/internal/journal"
	"kstatus.dev/clusterapi/move/internal/plancheck"
	"kstatus.dev/clusterapi/move/internal/planner"
	"kstatus.dev/clusterapi/move/plan"
	"kstatus.dev/internal/guard"
	"kstatus.dev/internal/text"
)

// A journal that is accepted has an end, names each object once, and names nothing outside of its
// scope and of the known kinds. The error of any other is one line.
func FuzzDocument(f *testing.F) {
	f.Add([]byte(`{"version":1,"id":"film","phase":"Deleting","step":1,"plan":{"scope":{"namespaces":["shop"]},"steps":2,"items":[` +
		`{"group":"cluster.x-k8s.io","version":"v1","kind":"Cluster","resource":"clusters","namespace":"shop","name":"a","uid":"1","decision":"Move","step":0,"root":true},` +
		`{"version":"v1","kind":"Secret","resource":"secrets","namespace":"other","name":"b","uid":"2","decision":"Copy","step":1},` +
		`{"version":"v1","kind":"Secret","resource":"secrets","namespace":"shop","name":"c","uid":"3","decision":"Exclude","step":-1}]}}`))
	kinds := []*management.Kind{
		{GroupVersionKind: schema.GroupVersionKind{Version: "v1", Kind: "Secret"}, Resource: "secrets", Namespaced: true, Versions: []string{"v1"}},
		{GroupVersionKind: schema.GroupVersionKind{Group: management.Group, Version: "v1", Kind: "Cluster"}, Resource: "clusters", Namespaced: true, Versions: []string{"v1"}},
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		doc, err := Decode(journal.File("journal.json"), data, anyPhase)
		if err != nil {
			if line := err.Error(); text.Safe(line) != line {
				t.Errorf("the error acts: %q", line)
			}
			return
		}
		if doc.ID == "" || guard.CheckName("move", doc.ID) != nil || doc.Step < 0 || doc.Step > len(doc.Plan.Items) {
			t.Errorf("accepted the ID %q and the step %d", doc.ID, doc.Step)
		}
		scheduled := 0
		steps := planner.Steps(doc.Plan)
		for step := range doc.Plan.Steps {
			scheduled += len(steps[step])
		}
		keys := map[string]bool{}
		for _, i := range doc.Plan.Selected() {
			keys[i.Key()] = true
			if i.Decision == plan.Move && (i.Namespace == "" || !isIn(doc.Plan.Scope, i.Namespace)) {
				t.Errorf("accepted %s outside of the scope", i.Key())
			}
			if plancheck.Kinds(doc.Plan, kinds) == nil && i.Kind != "Secret" && i.Kind != "Cluster" {
				t.Errorf("accepted %s of a foreign kind", i.Key())
			}
		}
		if selected := len(doc.Plan.Selected()); scheduled != selected || len(keys) != selected {
			t.Errorf("%d of %d objects have a step, and %d have a name", scheduled, selected, len(keys))
		}
		again, err := json.Marshal(doc)
		if err == nil {
			_, err = Decode(journal.File("journal.json"), again, anyPhase)
		}
		if err != nil {
			t.Errorf("the document cannot be read again: %v", err)
		}
	})
}

// anyPhase accepts each phase.
func anyPhase(string) error { return nil }

// isIn reports whether a scope has a namespace.
func isIn(s plan.Scope, namespace string) bool {
	return len(s.Namespaces) == 0 || slices.Contains(s.Namespaces, namespace)
}

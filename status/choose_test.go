package status_test

import (
	"slices"
	"testing"

	"kstatus.dev/status"
)

func currentRule(message string) status.Rule {
	return func(*status.Fields) status.Result { return status.Current("Reconciled", message) }
}

// noResult is a rule without a result.
func noResult(*status.Fields) (r status.Result) { return r }

func TestChoose(t *testing.T) {
	kind := status.Kind{Group: "example.com", Kind: "Widget"}
	obj := status.Map{"apiVersion": "example.com/v1", "kind": "Widget", "status": map[string]any{
		"conditions": []any{map[string]any{"type": "Ready", "status": "True", "message": "ready"}},
	}}
	for _, c := range []struct {
		name   string
		table  status.KindRule
		choose func(status.KindRule) status.KindRule
		want   string
	}{
		{"keeps the rule of the table", status.KindRule{Rule: currentRule("table")}, func(e status.KindRule) status.KindRule { return e }, "table"},
		{"replaces the rule of the table", status.KindRule{Rule: currentRule("table")},
			func(status.KindRule) status.KindRule { return status.KindRule{Rule: currentRule("own")} }, "own"},
		{"runs a rule first", status.KindRule{Rule: currentRule("table")},
			func(e status.KindRule) status.KindRule { e.Override = currentRule("first"); return e }, "first"},
		{"uses the table if the first rule has no result", status.KindRule{Rule: currentRule("table")},
			func(e status.KindRule) status.KindRule { e.Override = noResult; return e }, "table"},
		{"uses the object's status if the first rule is the only one", status.KindRule{},
			func(e status.KindRule) status.KindRule { e.Override = noResult; return e }, "Ready is True"},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := status.Evaluator{Rules: status.Rules{kind: c.table}, SelectRule: func(k status.Kind, o status.Object, table status.KindRule) status.KindRule {
				if k != kind {
					t.Errorf("asked about %s, want %s", k, kind)
				}
				return c.choose(table)
			}}
			if r, err := e.Compute(obj); err != nil || r.Message != c.want {
				t.Errorf("have %+v, %v, want %s", r, err, c.want)
			}
		})
	}
}

// The path of a condition can be looked up, also if its type has characters that paths cannot have.
func TestReadsOfUnusualConditions(t *testing.T) {
	for unusual, want := range map[string]string{"Ready": "Ready", "example.com/Ready": "example.com/Ready", "Re]ady": "1", "Re ady": "1", "Re\x1bady": "1", "Re\xaeady": "1", "Réady": "1"} {
		obj := status.Map{"apiVersion": "example.com/v1", "kind": "Widget", "status": map[string]any{"conditions": []any{
			map[string]any{"type": "Synced", "status": "True"},
			map[string]any{"type": unusual, "status": "False", "message": "broken"},
		}}}
		rule := func(o *status.Fields) status.Result {
			o.Condition(unusual)
			return status.Current("Reconciled", "seen")
		}
		_, reads, err := status.Evaluator{Rules: status.Rules{{Group: "example.com", Kind: "Widget"}: {Rule: rule}}}.Explain(obj)
		if err != nil {
			t.Fatal(err)
		}
		path := "status.conditions[" + want + "].message"
		if !slices.ContainsFunc(reads, func(r status.Read) bool { return r.Path == path && r.Value == "broken" }) {
			t.Errorf("condition %q: no read of %s in %+v", unusual, path, reads)
		}
	}
}

// The explanation has the fields that a rule has recorded by itself.
func TestRecordRead(t *testing.T) {
	obj := status.Map{"apiVersion": "example.com/v1", "kind": "Widget", "status": map[string]any{"list": []any{1}, "map": map[string]any{}, "n": 3}}
	rule := func(o *status.Fields) status.Result {
		state, _ := o.Object()["status"].(map[string]any)
		for _, name := range []string{"list", "map", "n", "nothing"} {
			o.RecordRead("status."+name, state[name])
		}
		return status.Current("Reconciled", "seen")
	}
	_, reads, err := status.Evaluator{Rules: status.Rules{{Group: "example.com", Kind: "Widget"}: {Rule: rule}}}.Explain(obj)
	if err != nil {
		t.Fatal(err)
	}
	have := map[string]any{}
	for _, r := range reads {
		have[r.Path] = r.Value
	}
	for path, want := range map[string]any{"status.list": "1 item", "status.map": "0 fields", "status.n": 3, "status.nothing": nil} {
		t.Run(path, func(t *testing.T) {
			if v, ok := have[path]; !ok || v != want {
				t.Errorf("%s = %v, want %v", path, v, want)
			}
		})
	}
}

// Each profile has stages, and all of them have a description.
func TestStages(t *testing.T) {
	for _, p := range status.Profiles() {
		t.Run(p.Name(), func(t *testing.T) {
			var names []string
			for name, doc := range p.Stages() {
				names = append(names, name)
				if doc == "" {
					t.Errorf("stage %s has no description", name)
				}
			}
			if len(names) == 0 || names[0] != "deletion" {
				t.Errorf("the stages are %q, want deletion first", names)
			}
		})
	}
}

package celrule_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"kstatus.dev/kube/celrule"
	"kstatus.dev/status"
)

// Any rule is either rejected with errors that have a position, or gives any
// object a verdict, which is always the same.
func FuzzRule(f *testing.F) {
	const object = `{"metadata":{"generation":2},"status":{"observedGeneration":2,"phase":"Ready","n":3,"f":1.5,"null":null,"empty":[],` +
		`"conditions":[{"type":"Ready","status":"True"},{"type":"Synced","status":"False","message":"no"}]}}`
	for _, rule := range []string{
		"current: status.conditions.filter(e, e.type == 'Ready').all(e, e.status == 'True')",
		"failed: status.conditions.exists(c, c.type == 'Synced' && c.status == 'False')\nterminal: true",
		"inProgress: '!has(status.phase)'\ncurrent: status.phase in ['Ready', 'Idle']\nmessageExpression: \"'phase ' + status.phase\"",
		"current: status.?conditions.orValue([]).all(c, c.status == 'True')\ngeneration: ignore",
		"current: status.observedGeneration == metadata.generation && status.n > 2.5\ngeneration: required",
		"current: status.empty.all(e, e) || status.null == null\nmessage: x",
		"current: status.n / (status.n - 3) == 1\ngeneration: tolerateAhead",
		"failed: status.phase.matches('R.*y$') ? status.phase.size() > 3 : false",
		"current: status.conditions.map(c, c.type).exists_one(t, t == 'Ready')",
		"current: {'a': 1, 'b': status.n}.all(k, k != '') && [1, 2][status.n] == 2",
		"current: timestamp('2026-01-01T00:00:00Z') < timestamp(metadata.creationTimestamp)",
		"apiVersion: example.com/v1\nkind: Widget\ncurrent: 'true'",
		"current: )", "[", "a: b", "current: [x]", "current: &a x\nfailed: *a",
	} {
		f.Add(rule, object)
		f.Add(rule, "{}")
	}
	f.Fuzz(func(t *testing.T, rule, object string) {
		obj := status.Map{}
		if json.Unmarshal([]byte(object), (*map[string]any)(&obj)) != nil {
			return
		}
		obj["apiVersion"], obj["kind"] = "example.com/v1", "Widget"
		set := &celrule.Set{ObjectRules: true}
		e := status.Evaluator{SelectRule: set.SelectRule}
		if rules, err := celrule.Parse("r.yaml", []byte("- "+strings.ReplaceAll(rule, "\n", "\n  "))); err != nil {
			if _, ok := errors.AsType[*celrule.ParseError](err); !ok {
				t.Fatalf("Read(%q): %v is no Problem", rule, err)
			}
			if !strings.HasPrefix(err.Error(), "r.yaml") {
				t.Fatalf("Read(%q): %v does not say where", rule, err)
			}
		} else if set, err = celrule.NewSet(rules...); err == nil {
			check(t, status.Evaluator{SelectRule: set.SelectRule}, obj)
		}
		annotate(obj, rule)
		check(t, e, obj)
	})
}

// annotate sets the rule of an object.
func annotate(obj status.Map, rule string) {
	meta, _ := obj["metadata"].(map[string]any)
	if meta == nil {
		meta = map[string]any{}
		obj["metadata"] = meta
	}
	meta["annotations"] = map[string]any{celrule.Annotation: rule}
}

// check judges an object twice, and explains it.
func check(t *testing.T, e status.Evaluator, obj status.Map) {
	first, err := e.Compute(obj)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(status.Statuses(), first.Status) {
		t.Fatalf("no status in %+v", *first)
	}
	if first.Reason == "RuleError" && (first.Status != status.InProgressStatus || first.Failure != "") {
		t.Fatalf("a rule that cannot be evaluated makes %+v", *first)
	}
	again, _ := e.Compute(obj)
	explained, _, err := e.Explain(obj)
	if err != nil {
		t.Fatal(err)
	}
	slow := strings.Contains(first.Message+again.Message+explained.Message, "it takes longer than")
	if !slow && (!reflect.DeepEqual(first, again) || !reflect.DeepEqual(first, explained)) {
		t.Fatalf("first %+v, then %+v, explained %+v", *first, *again, *explained)
	}
}

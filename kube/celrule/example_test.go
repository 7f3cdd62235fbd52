package celrule_test

import (
	"errors"
	"fmt"

	"kstatus.dev/kube/celrule"
	"kstatus.dev/status"
)

func ExampleSet_SelectRule() {
	rules, err := celrule.Parse("rules.yaml", []byte(`
- apiVersion: example.com/v1
  kind: Pump
  inProgress: status.pressure < spec.pressure
  current: status.pressure >= spec.pressure
  messageExpression: "string(status.pressure) + ' bar'"
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	set, err := celrule.NewSet(rules...)
	if err != nil {
		fmt.Println(err)
		return
	}
	judge := status.Evaluator{SelectRule: set.SelectRule}
	r, err := judge.Compute(status.Map{
		"apiVersion": "example.com/v1", "kind": "Pump",
		"spec":   map[string]any{"pressure": 7},
		"status": map[string]any{"pressure": 2},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Status, r.Message)
	// Output: InProgress 2 bar
}

// One error contains all problems of a file.
func ExampleParse() {
	_, err := celrule.Parse("rules.yaml", []byte("- apiVersion: example.com/v1\n  kind: Pump\n  current: status.pressure >=\n"))
	problem, ok := errors.AsType[*celrule.ParseError](err)
	fmt.Println(ok, problem.Source, problem.Field)
	// Output: true rules.yaml:3 current
}

// Two different rules for one kind contradict each other.
func ExampleNewSet() {
	rules, err := celrule.Parse("rules.yaml", []byte("- {apiVersion: a.io/v1, kind: Pump, current: 'true'}\n- {apiVersion: a.io/v1, kind: Pump, failed: 'true'}\n"))
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = celrule.NewSet(rules...)
	fmt.Println(err)
	// Output: rules.yaml:2: want one rule for Pump.a.io, have another in rules.yaml:1
}

// The definition of a kind may carry the rule of its objects.
func ExampleSet_AddDefinition() {
	var set celrule.Set
	set.AddDefinition(status.Map{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
		"metadata": map[string]any{"name": "pumps.example.com", "annotations": map[string]any{celrule.Annotation: "current: status.on"}},
		"spec":     map[string]any{"group": "example.com", "names": map[string]any{"kind": "Pump"}},
	})
	for _, rule := range set.RulesFor(status.Kind{Group: "example.com", Kind: "Pump"}, status.KindRule{}) {
		fmt.Printf("%scomplete: %t\n", rule, rule.IsComplete())
	}
	// Output:
	// current: status.on
	// complete: true
}

func ExampleProblems() {
	definition := map[string]any{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
		"metadata": map[string]any{"annotations": map[string]any{celrule.Annotation: "current: status.pressure >="}},
		"spec":     map[string]any{"group": "example.com", "names": map[string]any{"kind": "Pump"}},
	}
	fmt.Println(len(celrule.Problems(definition)))
	// Output: 1
}

package celrule_test

import (
	"fmt"

	"kstatus.dev/kube/celrule"
	"kstatus.dev/status"
)

func Example() {
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

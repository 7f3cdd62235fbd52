package schema_test

import (
	"fmt"

	"kstatus.dev/status"
	"kstatus.dev/status/schema"
)

// With a definition, a new object waits for the first report of its controller.
func ExampleFromCRDs() {
	definition := map[string]any{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": map[string]any{"name": "widgets.example.com"},
		"spec": map[string]any{"group": "example.com", "names": map[string]any{"kind": "Widget"}, "versions": []any{map[string]any{
			"name": "v1", "served": true, "subresources": map[string]any{"status": map[string]any{}},
			"schema": map[string]any{"openAPIV3Schema": map[string]any{"properties": map[string]any{
				"status": map[string]any{"properties": map[string]any{"conditions": map[string]any{"type": "array"}}}}}}}}}}
	expect, err := schema.FromCRDs(definition)
	if err != nil {
		fmt.Println(err)
		return
	}
	widget := status.Map{"apiVersion": "example.com/v1", "kind": "Widget"}
	for _, e := range []status.Evaluator{{}, {Expect: expect}} {
		r, _ := e.Compute(widget)
		fmt.Println(r.Status, r.Reason)
	}
	// Output:
	// Current NoEvidence
	// InProgress NotObserved
}

func ExampleFromOpenAPI() {
	e, err := schema.FromOpenAPI(map[string]any{"properties": map[string]any{"spec": map[string]any{}}})
	fmt.Println(e.Status, err)
	// Output: no <nil>
}

func ExampleIsCRD() {
	fmt.Println(schema.IsCRD(map[string]any{"apiVersion": "v1", "kind": "Pod"}))
	// Output: false
}

func ExampleStatusWritten() {
	created := map[string]any{
		"apiVersion": "example.com/v1", "kind": "Widget",
		"metadata": map[string]any{"name": "w", "generation": 1, "managedFields": []any{
			map[string]any{"manager": "kubectl", "operation": "Apply", "fieldsV1": map[string]any{"f:spec": map[string]any{}}},
		}},
		"status": map[string]any{"observedGeneration": -1},
	}
	fmt.Println(schema.StatusWritten(created))
	// Output: no
}

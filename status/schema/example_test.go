package schema_test

import (
	"fmt"

	"kstatus.dev/status/schema"
)

func ExampleStatusWritten() {
	created := map[string]any{
		"apiVersion": "example.com/v1", "kind": "Widget",
		"metadata": map[string]any{"name": "w", "generation": 1, "managedFields": []any{
			map[string]any{"manager": "kubectl", "operation": "Apply", "fieldsV1": map[string]any{"f:spec": map[string]any{}}},
		}},
		"status": map[string]any{"observedGeneration": -1},
	}
	fmt.Println(schema.StatusWritten(created) == schema.TristateNo)
	// Output: true
}

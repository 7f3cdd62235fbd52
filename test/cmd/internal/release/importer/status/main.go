// Command status is a program that imports only package status.
package main

import (
	"fmt"

	"kstatus.dev/status"
)

func main() {
	result, err := status.Compute(status.Map{
		"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": map[string]any{"name": "data"},
		"status": map[string]any{"phase": "Bound"},
	})
	fmt.Println(result.Status, err)
}

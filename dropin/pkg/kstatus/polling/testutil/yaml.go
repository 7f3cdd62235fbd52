// Package testutil reads objects in tests.
package testutil

import (
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/yaml"
)

// YamlToUnstructured returns the object of a YAML text. An error ends the test.
func YamlToUnstructured(t *testing.T, yml string) *unstructured.Unstructured {
	t.Helper()
	obj := map[string]any{}
	if err := yaml.Unmarshal([]byte(yml), &obj); err != nil {
		t.Fatalf("YAML of an object: %v", err)
	}
	return &unstructured.Unstructured{Object: obj}
}

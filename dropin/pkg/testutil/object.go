package testutil

import (
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/yaml"

	"kstatus.dev/dropin/pkg/object"
	"kstatus.dev/dropin/pkg/object/dependson"
)

// OwningInventoryKey is the annotation that names the inventory of an object.
const OwningInventoryKey = "config.k8s.io/owning-inventory"

// A Mutator changes an object in a test.
type Mutator interface {
	Mutate(u *unstructured.Unstructured)
}

// Unstructured returns the object of a YAML text after the changes. An error ends the test.
func Unstructured(t *testing.T, manifest string, mutators ...Mutator) *unstructured.Unstructured {
	t.Helper()
	text, err := yaml.ToJSON([]byte(manifest))
	require.NoError(t, err)
	u := &unstructured.Unstructured{}
	require.NoError(t, u.UnmarshalJSON(text))
	return Mutate(u, mutators...)
}

// Mutate makes the changes, and returns u.
func Mutate(u *unstructured.Unstructured, mutators ...Mutator) *unstructured.Unstructured {
	for _, m := range mutators {
		m.Mutate(u)
	}
	return u
}

// ToIdentifier returns the identifier of the object of a YAML text.
func ToIdentifier(t *testing.T, manifest string) object.ObjMetadata {
	t.Helper()
	return object.UnstructuredToObjMetadata(Unstructured(t, manifest))
}

// mutatorFunc is a function as a Mutator.
type mutatorFunc func(u *unstructured.Unstructured)

func (f mutatorFunc) Mutate(u *unstructured.Unstructured) { f(u) }

// AddOwningInv returns a Mutator that sets the annotation for the inventory.
func AddOwningInv(t *testing.T, inv string) Mutator {
	return mutatorFunc(func(u *unstructured.Unstructured) {
		annotations := readAnnotations(t, u)
		if annotations == nil {
			annotations = map[string]string{}
		}
		annotations[OwningInventoryKey] = inv
		u.SetAnnotations(annotations)
	})
}

// DeleteOwningInv returns a Mutator that removes the annotation for the inventory. Another value
// than inv ends the test.
func DeleteOwningInv(t *testing.T, inv string) Mutator {
	return mutatorFunc(func(u *unstructured.Unstructured) {
		annotations := readAnnotations(t, u)
		require.Equal(t, inv, annotations[OwningInventoryKey])
		delete(annotations, OwningInventoryKey)
		if len(annotations) == 0 {
			annotations = nil
		}
		u.SetAnnotations(annotations)
	})
}

func readAnnotations(t *testing.T, u *unstructured.Unstructured) map[string]string {
	annotations, _, err := unstructured.NestedStringMap(u.Object, "metadata", "annotations")
	require.NoError(t, err)
	return annotations
}

// AddDependsOn returns a Mutator that sets the annotation for dependencies.
func AddDependsOn(t *testing.T, deps ...object.ObjMetadata) Mutator {
	return mutatorFunc(func(u *unstructured.Unstructured) {
		require.NoError(t, dependson.WriteAnnotation(u, deps))
	})
}

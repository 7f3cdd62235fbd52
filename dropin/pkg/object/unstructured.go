package object

import (
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"
)

var (
	namespaceKind  = schema.GroupKind{Kind: "Namespace"}
	definitionKind = schema.GroupKind{Group: "apiextensions.k8s.io", Kind: "CustomResourceDefinition"}
)

// An UnstructuredSet is a list of objects that compares like a set.
type UnstructuredSet []*unstructured.Unstructured

// UnstructuredSetEquals reports whether both lists have the same objects.
func UnstructuredSetEquals(setA []*unstructured.Unstructured, setB []*unstructured.Unstructured) bool {
	return UnstructuredSet(setA).Equal(setB)
}

// Equal reports whether both sets have the same objects, in any order and number. Package cmp
// calls it.
func (setA UnstructuredSet) Equal(setB UnstructuredSet) bool {
	a, b := setA.texts(), setB.texts()
	if len(a) != len(b) {
		return false
	}
	for text := range b {
		if !a[text] {
			return false
		}
	}
	return true
}

// texts returns the objects as JSON. All objects that cannot be encoded have the same text.
func (setA UnstructuredSet) texts() map[string]bool {
	m := make(map[string]bool, len(setA))
	for _, obj := range setA {
		text, err := obj.MarshalJSON()
		if err != nil {
			text = nil
		}
		m[string(text)] = true
	}
	return m
}

// UnstructuredSetToObjMetadataSet returns the identifiers of the objects.
func UnstructuredSetToObjMetadataSet(objs UnstructuredSet) ObjMetadataSet {
	ids := make([]ObjMetadata, len(objs))
	for i, obj := range objs {
		ids[i] = UnstructuredToObjMetadata(obj)
	}
	return ids
}

// UnstructuredToObjMetadata returns the identifier of obj.
func UnstructuredToObjMetadata(obj *unstructured.Unstructured) ObjMetadata {
	return ObjMetadata{Namespace: obj.GetNamespace(), Name: obj.GetName(), GroupKind: obj.GroupVersionKind().GroupKind()}
}

// IsKindNamespace reports whether u is a Namespace.
func IsKindNamespace(u *unstructured.Unstructured) bool {
	return u != nil && u.GroupVersionKind().GroupKind() == namespaceKind
}

// IsNamespace is [IsKindNamespace].
func IsNamespace(u *unstructured.Unstructured) bool { return IsKindNamespace(u) }

// IsNamespaced reports whether u has a namespace.
func IsNamespaced(u *unstructured.Unstructured) bool { return u != nil && u.GetNamespace() != "" }

// IsCRD reports whether u is a CustomResourceDefinition.
func IsCRD(u *unstructured.Unstructured) bool {
	return u != nil && u.GroupVersionKind().GroupKind() == definitionKind
}

// GetCRDGroupKind returns the kind that a CustomResourceDefinition defines, and whether u has one.
func GetCRDGroupKind(u *unstructured.Unstructured) (schema.GroupKind, bool) {
	if u == nil {
		return schema.GroupKind{}, false
	}
	group, hasGroup, err := unstructured.NestedString(u.Object, "spec", "group")
	if !hasGroup || err != nil {
		return schema.GroupKind{}, false
	}
	kind, hasKind, err := unstructured.NestedString(u.Object, "spec", "names", "kind")
	if !hasKind || err != nil {
		return schema.GroupKind{}, false
	}
	return schema.GroupKind{Group: group, Kind: kind}, true
}

// A YamlStringer prints an object as YAML. It encodes the object only when it is printed.
type YamlStringer struct {
	O *unstructured.Unstructured
}

// String returns the YAML text, or the error in double angle brackets.
func (ys YamlStringer) String() string {
	text, err := yaml.Marshal(ys.O)
	if err != nil {
		return fmt.Sprintf("<<failed to serialize as yaml: %s>>", err)
	}
	return string(text)
}

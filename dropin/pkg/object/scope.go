package object

import (
	"fmt"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// An UnknownTypeError reports a kind that neither the cluster nor a definition has.
type UnknownTypeError struct {
	GroupVersionKind schema.GroupVersionKind
}

// Error names the kind.
func (e *UnknownTypeError) Error() string {
	return fmt.Sprintf("unknown resource type: %q", e.GroupVersionKind.String())
}

// LookupResourceScope returns the scope of the kind of u: that of the mapper, else that of a
// CustomResourceDefinition in crds. The error is an [UnknownTypeError] if there is none.
func LookupResourceScope(u *unstructured.Unstructured, crds []*unstructured.Unstructured, mapper meta.RESTMapper) (meta.RESTScope, error) {
	gvk := u.GroupVersionKind()
	mapping, err := mapper.RESTMapping(gvk.GroupKind(), gvk.Version)
	if err == nil {
		return mapping.Scope, nil
	}
	if !meta.IsNoMatchError(err) {
		return nil, err
	}
	for _, crd := range crds {
		kind, err := definedKind(crd)
		if err != nil {
			return nil, err
		}
		if kind != gvk.GroupKind() {
			continue
		}
		served, err := defines(crd, gvk.Version)
		if err != nil {
			return nil, err
		}
		if !served {
			break
		}
		return definedScope(crd)
	}
	return nil, &UnknownTypeError{GroupVersionKind: gvk}
}

// definedKind returns the kind that a definition defines. The path and the value of the error for
// a missing kind are those of cli-utils.
func definedKind(crd *unstructured.Unstructured) (schema.GroupKind, error) {
	group, found, err := NestedField(crd.Object, "spec", "group")
	if err != nil {
		return schema.GroupKind{}, err
	}
	if !found || group == "" {
		return schema.GroupKind{}, NotFound([]any{"spec", "group"}, group)
	}
	kind, found, err := NestedField(crd.Object, "spec", "names", "kind")
	if err != nil {
		return schema.GroupKind{}, err
	}
	if !found || kind == "" {
		return schema.GroupKind{}, NotFound([]any{"spec", "kind"}, group)
	}
	groupText, _ := group.(string)
	kindText, _ := kind.(string)
	return schema.GroupKind{Group: groupText, Kind: kindText}, nil
}

func definedScope(crd *unstructured.Unstructured) (meta.RESTScope, error) {
	scope, _, err := NestedField(crd.Object, "spec", "scope")
	if err != nil {
		return nil, err
	}
	switch scope {
	case "Namespaced":
		return meta.RESTScopeNamespace, nil
	case "Cluster":
		return meta.RESTScopeRoot, nil
	}
	return nil, Invalid([]any{"spec", "scope"}, scope, "expected Namespaced or Cluster")
}

// defines reports whether a definition has a version.
func defines(crd *unstructured.Unstructured, version string) (bool, error) {
	path := []any{"spec", "versions"}
	value, found, err := NestedField(crd.Object, path...)
	if err != nil {
		return false, err
	}
	if !found {
		return false, NotFound(path, value)
	}
	versions, ok := value.([]any)
	if !ok {
		return false, InvalidType(path, value, "[]interface{}")
	}
	if len(versions) == 0 {
		return false, Invalid(path, versions, "must not be empty")
	}
	for i := range versions {
		name, found, err := NestedField(crd.Object, "spec", "versions", i, "name")
		if err != nil {
			return false, err
		}
		if !found {
			return false, NotFound([]any{"spec", "versions", i, "name"}, name)
		}
		if name == version {
			return true, nil
		}
	}
	return false, nil
}

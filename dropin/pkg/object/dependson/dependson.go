// Package dependson reads and writes the annotation that names the objects on which an object
// depends.
package dependson

import (
	"errors"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/dropin/pkg/object"
)

// Annotation is the name of the annotation. Its value has references with commas between them:
// GROUP/KIND/NAME or GROUP/namespaces/NAMESPACE/KIND/NAME.
const Annotation = "config.kubernetes.io/depends-on"

// A DependencySet is a list of objects that compares like a set.
type DependencySet object.ObjMetadataSet

// Equal reports whether both sets have the same members. Package cmp calls it.
func (a DependencySet) Equal(b DependencySet) bool {
	return object.ObjMetadataSet(a).Equal(object.ObjMetadataSet(b))
}

// HasAnnotation reports whether u has the annotation.
func HasAnnotation(u *unstructured.Unstructured) bool {
	_, ok := value(u)
	return ok
}

func value(u *unstructured.Unstructured) (string, bool) {
	if u == nil {
		return "", false
	}
	text, ok := u.GetAnnotations()[Annotation]
	return text, ok
}

// ReadAnnotation returns the objects in the annotation of u; an empty set if it has none.
func ReadAnnotation(u *unstructured.Unstructured) (DependencySet, error) {
	text, ok := value(u)
	if !ok {
		return DependencySet{}, nil
	}
	set, err := ParseDependencySet(text)
	if err != nil {
		return set, object.InvalidAnnotationError{Annotation: Annotation, Cause: err}
	}
	return set, nil
}

// WriteAnnotation sets the annotation. An empty set is an error.
func WriteAnnotation(obj *unstructured.Unstructured, depSet DependencySet) error {
	if obj == nil {
		return errors.New("object is nil")
	}
	if len(depSet) == 0 {
		return errors.New("dependency set is empty")
	}
	text, err := FormatDependencySet(depSet)
	if err != nil {
		return fmt.Errorf("failed to format depends-on annotation: %w", err)
	}
	annotations := obj.GetAnnotations()
	if annotations == nil {
		annotations = map[string]string{}
	}
	annotations[Annotation] = text
	obj.SetAnnotations(annotations)
	return nil
}

// FormatDependencySet returns the references with commas between them.
func FormatDependencySet(depSet DependencySet) (string, error) {
	texts := make([]string, 0, len(depSet))
	for i, id := range depSet {
		text, err := FormatObjMetadata(id)
		if err != nil {
			return "", fmt.Errorf("failed to format object metadata (index: %d): %w", i, err)
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, ","), nil
}

// ParseDependencySet parses references with commas between them. With an error, it returns the
// references before the malformed one.
func ParseDependencySet(depsStr string) (DependencySet, error) {
	set := DependencySet{}
	for i, text := range strings.Split(depsStr, ",") {
		id, err := ParseObjMetadata(text)
		if err != nil {
			return set, fmt.Errorf("failed to parse object reference (index: %d): %w", i, err)
		}
		set = append(set, id)
	}
	return set, nil
}

// FormatObjMetadata returns a reference to one object. The kind and the name must not be empty.
func FormatObjMetadata(obj object.ObjMetadata) (string, error) {
	group, kind := obj.GroupKind.Group, obj.GroupKind.Kind
	switch {
	case kind == "":
		return "", errors.New("invalid object metadata: kind is empty")
	case obj.Name == "":
		return "", errors.New("invalid object metadata: name is empty")
	case obj.Namespace == "":
		return strings.Join([]string{group, kind, obj.Name}, "/"), nil
	}
	return strings.Join([]string{group, "namespaces", obj.Namespace, kind, obj.Name}, "/"), nil
}

// ParseObjMetadata parses a reference to one object. Spaces around it do not count.
func ParseObjMetadata(objStr string) (object.ObjMetadata, error) {
	objStr = strings.TrimSpace(objStr)
	parts := strings.Split(objStr, "/")
	switch len(parts) {
	case 3:
		return object.ObjMetadata{Name: parts[2], GroupKind: schema.GroupKind{Group: parts[0], Kind: parts[1]}}, nil
	case 5:
		if parts[1] != "namespaces" {
			return object.ObjMetadata{}, fmt.Errorf("missing %q field: %q", "namespaces", objStr)
		}
		return object.ObjMetadata{
			Namespace: parts[2], Name: parts[4], GroupKind: schema.GroupKind{Group: parts[0], Kind: parts[3]},
		}, nil
	}
	return object.ObjMetadata{}, fmt.Errorf("expected 3 or 5 fields, found %d: %q", len(parts), objStr)
}

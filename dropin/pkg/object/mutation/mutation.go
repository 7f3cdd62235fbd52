// Package mutation reads and writes the annotation that copies fields between objects when they
// are applied.
package mutation

import (
	"errors"
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"kstatus.dev/dropin/pkg/object"
)

// Annotation is the name of the annotation. Its value is an [ApplyTimeMutation] as YAML.
const Annotation = "config.kubernetes.io/apply-time-mutation"

// An ApplyTimeMutation is a list of substitutions.
type ApplyTimeMutation []FieldSubstitution

// Equal reports whether both lists have the same length and the same members, in any order.
// Package cmp calls it.
func (a ApplyTimeMutation) Equal(b ApplyTimeMutation) bool {
	if len(a) != len(b) {
		return false
	}
	inA, inB := a.members(), b.members()
	if len(inA) != len(inB) {
		return false
	}
	for sub := range inB {
		if !inA[sub] {
			return false
		}
	}
	return true
}

func (a ApplyTimeMutation) members() map[FieldSubstitution]bool {
	m := make(map[FieldSubstitution]bool, len(a))
	for _, sub := range a {
		m[sub] = true
	}
	return m
}

// A FieldSubstitution copies a field of another object.
type FieldSubstitution struct {
	SourceRef  ResourceReference `json:"sourceRef"`
	SourcePath string            `json:"sourcePath"`      // JSONPath in the other object, such as $.status.number
	TargetPath string            `json:"targetPath"`      // JSONPath in the object with the annotation
	Token      string            `json:"token,omitempty"` // the part of the value to replace; empty: the value
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

// ReadAnnotation returns the substitutions in the annotation of obj; an empty list if it has none.
func ReadAnnotation(obj *unstructured.Unstructured) (ApplyTimeMutation, error) {
	subs := ApplyTimeMutation{}
	text, ok := value(obj)
	if !ok {
		return subs, nil
	}
	if err := yaml.Unmarshal([]byte(text), &subs); err != nil {
		return subs, object.InvalidAnnotationError{Annotation: Annotation, Cause: err}
	}
	return subs, nil
}

// WriteAnnotation sets the annotation. An empty list is an error.
func WriteAnnotation(obj *unstructured.Unstructured, mutation ApplyTimeMutation) error {
	if obj == nil {
		return errors.New("object is nil")
	}
	if len(mutation) == 0 {
		return errors.New("mutation is empty")
	}
	text, err := yaml.Marshal(mutation)
	if err != nil {
		return fmt.Errorf("failed to format apply-time-mutation annotation: %w", err)
	}
	annotations := obj.GetAnnotations()
	if annotations == nil {
		annotations = map[string]string{}
	}
	annotations[Annotation] = string(text)
	obj.SetAnnotations(annotations)
	return nil
}

package object

import (
	"fmt"
	"regexp"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// NestedField returns the value at a path of strings, for fields, and integers, for items of
// lists. It reports whether the value exists. A value on the way of another type is an error.
func NestedField(obj map[string]interface{}, fields ...interface{}) (interface{}, bool, error) {
	var value any = obj
	for i, step := range fields {
		if value == nil {
			return nil, false, nil
		}
		var found bool
		switch step := step.(type) {
		case string:
			m, ok := value.(map[string]any)
			if !ok {
				return nil, false, InvalidType(fields[:i+1], value, "map[string]interface{}")
			}
			value, found = m[step]
		case int:
			list, ok := value.([]any)
			if !ok {
				return nil, false, InvalidType(fields[:i+1], value, "[]interface{}")
			}
			if found = 0 <= step && step < len(list); found {
				value = list[step]
			}
		default:
			return nil, false, InvalidType(fields[:i+1], value, "string or int")
		}
		if !found {
			return nil, false, nil
		}
	}
	return value, true, nil
}

// InvalidType returns the error for a value of the wrong type.
func InvalidType(fieldPath []interface{}, value interface{}, validTypes string) *field.Error {
	return Invalid(fieldPath, value, fmt.Sprintf("found type %T, expected %s", value, validTypes))
}

// Invalid returns the error for a value that is not valid.
func Invalid(fieldPath []interface{}, value interface{}, detail string) *field.Error {
	return &field.Error{Type: field.ErrorTypeInvalid, Field: FieldPath(fieldPath), BadValue: value, Detail: detail}
}

// NotFound returns the error for a value that does not exist.
func NotFound(fieldPath []interface{}, value interface{}) *field.Error {
	return &field.Error{Type: field.ErrorTypeNotFound, Field: FieldPath(fieldPath), BadValue: value}
}

// plain matches the names that need no quotes in a path.
var plain = regexp.MustCompile(`^[a-zA-Z]([a-zA-Z0-9_-]*[a-zA-Z0-9])?$`)

// FieldPath returns a path as a JSONPath expression, such as .spec.versions[0].name.
func FieldPath(fieldPath []interface{}) string {
	var b strings.Builder
	for _, step := range fieldPath {
		switch step := step.(type) {
		case string:
			if plain.MatchString(step) {
				b.WriteString("." + step)
			} else {
				fmt.Fprintf(&b, "[%q]", step)
			}
		case int:
			fmt.Fprintf(&b, "[%d]", step)
		default:
			fmt.Fprintf(&b, "[%#v]", step)
		}
	}
	return b.String()
}

// An InvalidAnnotationError reports an annotation that cannot be parsed.
type InvalidAnnotationError struct {
	Annotation string
	Cause      error
}

// Error names the annotation and the cause.
func (iae InvalidAnnotationError) Error() string {
	return fmt.Sprintf("invalid %q annotation: %v", iae.Annotation, iae.Cause)
}

// Unwrap returns the cause.
func (iae InvalidAnnotationError) Unwrap() error { return iae.Cause }

package managers

import (
	"encoding/json"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// Text formats an object without irrelevant fields.
func Text(obj *unstructured.Unstructured) string {
	if obj == nil {
		return "no object"
	}
	obj = obj.DeepCopy()
	obj.SetManagedFields(nil)
	data, err := json.Marshal(obj)
	if err != nil {
		return err.Error()
	}
	return string(data)
}

// Field returns a value of an object, nil if it is missing.
func Field(obj *unstructured.Unstructured, path ...string) any {
	v, _, _ := unstructured.NestedFieldNoCopy(obj.Object, path...)
	return v
}

// Condition returns a condition of an object, nil if it is missing.
func Condition(obj *unstructured.Unstructured, typ string) map[string]any {
	list, _, _ := unstructured.NestedSlice(obj.Object, "status", "conditions")
	for _, item := range list {
		if c, _ := item.(map[string]any); c["type"] == typ {
			return c
		}
	}
	return nil
}

// Message returns the message of a condition.
func Message(obj *unstructured.Unstructured, typ string) string {
	m, _ := Condition(obj, typ)["message"].(string)
	return m
}

// HasCondition reports whether an object has a condition, written "Ready=True/Accepted" or
// "Ready=True".
func HasCondition(want string) func(*unstructured.Unstructured) bool {
	typ, rest, _ := strings.Cut(want, "=")
	status, reason, _ := strings.Cut(rest, "/")
	return func(obj *unstructured.Unstructured) bool {
		c := Condition(obj, typ)
		return c["status"] == status && (reason == "" || c["reason"] == reason)
	}
}

// AllOf reports whether all of several checks succeed.
func AllOf(checks ...func(*unstructured.Unstructured) bool) func(*unstructured.Unstructured) bool {
	return func(obj *unstructured.Unstructured) bool {
		for _, is := range checks {
			if !is(obj) {
				return false
			}
		}
		return true
	}
}

// Summary lists the conditions of an object, and what a deletion waits for.
func Summary(obj *unstructured.Unstructured) string {
	lines := []string{fmt.Sprint("  generation ", obj.GetGeneration(), ", annotations ", obj.GetAnnotations(), ", finalizers ", obj.GetFinalizers())}
	list, _, _ := unstructured.NestedSlice(obj.Object, "status", "conditions")
	for _, item := range list {
		c, _ := item.(map[string]any)
		lines = append(lines, fmt.Sprintf("  %v=%v/%v: %v", c["type"], c["status"], c["reason"], c["message"]))
	}
	return strings.Join(lines, "\n")
}

package openstackprovider

import (
	"encoding/json"
	"fmt"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

var isNotFound, isConflict = apierrors.IsNotFound, apierrors.IsConflict

// text formats an object without irrelevant fields.
func text(obj *unstructured.Unstructured) string {
	obj = obj.DeepCopy()
	obj.SetManagedFields(nil)
	data, err := json.Marshal(obj)
	if err != nil {
		return err.Error()
	}
	return string(data)
}

// field returns a value of an object, nil if it is missing.
func field(obj *unstructured.Unstructured, path ...string) any {
	v, _, _ := unstructured.NestedFieldNoCopy(obj.Object, path...)
	return v
}

// condition returns a condition of an object, nil if it is missing.
func condition(obj *unstructured.Unstructured, typ string) map[string]any {
	list, _, _ := unstructured.NestedSlice(obj.Object, "status", "conditions")
	for _, item := range list {
		if c, _ := item.(map[string]any); c["type"] == typ {
			return c
		}
	}
	return nil
}

// message returns the message of a condition.
func message(obj *unstructured.Unstructured, typ string) string {
	m, _ := condition(obj, typ)["message"].(string)
	return m
}

// hasCondition reports whether an object has a condition, written "Ready=True/Accepted" or
// "Ready=True".
func hasCondition(want string) func(*unstructured.Unstructured) bool {
	typ, rest, _ := strings.Cut(want, "=")
	status, reason, _ := strings.Cut(rest, "/")
	return func(obj *unstructured.Unstructured) bool {
		c := condition(obj, typ)
		return c["status"] == status && (reason == "" || c["reason"] == reason)
	}
}

// allOf reports whether all of several checks succeed.
func allOf(checks ...func(*unstructured.Unstructured) bool) func(*unstructured.Unstructured) bool {
	return func(obj *unstructured.Unstructured) bool {
		for _, is := range checks {
			if !is(obj) {
				return false
			}
		}
		return true
	}
}

// summary lists the conditions of an object, and what a deletion waits for.
func summary(obj *unstructured.Unstructured) string {
	lines := []string{fmt.Sprint("  generation ", obj.GetGeneration(), ", annotations ", obj.GetAnnotations(), ", finalizers ", obj.GetFinalizers())}
	list, _, _ := unstructured.NestedSlice(obj.Object, "status", "conditions")
	for _, item := range list {
		c, _ := item.(map[string]any)
		lines = append(lines, fmt.Sprintf("  %v=%v/%v: %v", c["type"], c["status"], c["reason"], c["message"]))
	}
	return strings.Join(lines, "\n")
}

package status

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	engine "kstatus.dev/status"
)

// judgeCompat returns the status, the message and the error of cli-utils. The profile compat of
// the engine differs from it on purpose in some cases. This function takes these back:
//
//   - A malformed field is Unknown; here it is an error.
//   - A whole number counts, whatever its type; here only an integer does.
//   - An object without a kind is an error; here it is judged.
//   - A suspended Job is Current; here it is judged by its other conditions.
func judgeCompat(u *unstructured.Unstructured) (*Result, time.Duration, error) {
	obj := u.UnstructuredContent()
	if err := checkGeneration(obj); err != nil {
		return nil, 0, err
	}
	obj, named := withKind(withoutFloats(obj), u)
	found, err := engine.Evaluator{Profile: engine.CompatProfile()}.Compute(&unstructured.Unstructured{Object: obj})
	if err == nil && found.Message == "Job is suspended" {
		found, err = engine.Evaluator{Profile: engine.CompatProfile()}.Compute(awake(obj))
	}
	if err != nil {
		return nil, 0, err
	}
	if found.Status == engine.UnknownStatus {
		return nil, 0, malformed(u, found.Message)
	}
	r := convert(found)
	if !named {
		unname(r)
	}
	return r, found.Recheck, nil
}

// checkGeneration returns an error if a generation is not an int64.
func checkGeneration(obj map[string]any) error {
	metadata, _ := obj["metadata"].(map[string]any)
	want, ok := metadata["generation"]
	if !ok || deleted(metadata) {
		return nil
	}
	status, _ := obj["status"].(map[string]any)
	seen, ok := status["observedGeneration"]
	if _, whole := want.(int64); whole && !ok {
		return nil
	} else if _, both := seen.(int64); whole && both {
		return nil
	}
	return generationError(obj)
}

func deleted(metadata map[string]any) bool {
	s, ok := metadata["deletionTimestamp"].(string)
	return ok && s != ""
}

// generationError returns the error of cli-utils for a malformed generation.
func generationError(obj map[string]any) error {
	if _, _, err := unstructured.NestedString(obj, "metadata", "deletionTimestamp"); err != nil {
		return fmt.Errorf("looking up metadata.deletionTimestamp from resource: %w", err)
	}
	if _, _, err := unstructured.NestedInt64(obj, "metadata", "generation"); err != nil {
		return fmt.Errorf("looking up metadata.generation from resource: %w", err)
	}
	if _, _, err := unstructured.NestedInt64(obj, "status", "observedGeneration"); err != nil {
		return fmt.Errorf("looking up status.observedGeneration from resource: %w", err)
	}
	return nil
}

// malformed returns the error of cli-utils for a malformed object. The message names the field, for
// objects that end a program with cli-utils.
func malformed(u *unstructured.Unstructured, message string) error {
	obj := u.UnstructuredContent()
	if err := generationError(obj); err != nil {
		return err
	}
	if _, err := GetObjectWithConditions(obj); err != nil {
		return err
	}
	if _, _, err := unstructured.NestedSlice(obj, "status", "containerStatuses"); err != nil {
		return err
	}
	phase := GetStringField(obj, ".status.phase", "")
	if phase != "" && strings.HasPrefix(message, "status.phase: ") {
		return fmt.Errorf("unknown phase %s", phase)
	}
	return errors.New(message)
}

// counts are the paths of the counts that the rules of cli-utils read.
var counts = [][]string{
	{"spec", "replicas"},
	{"spec", "completions"},
	{"spec", "parallelism"},
	{"spec", "progressDeadlineSeconds"},
	{"spec", "updateStrategy", "rollingUpdate", "partition"},
	{"status", "replicas"},
	{"status", "readyReplicas"},
	{"status", "currentReplicas"},
	{"status", "updatedReplicas"},
	{"status", "availableReplicas"},
	{"status", "fullyLabeledReplicas"},
	{"status", "desiredNumberScheduled"},
	{"status", "currentNumberScheduled"},
	{"status", "updatedNumberScheduled"},
	{"status", "numberAvailable"},
	{"status", "numberReady"},
	{"status", "succeeded"},
	{"status", "active"},
	{"status", "failed"},
}

// withoutFloats returns obj without the counts that are not integers. It copies obj only if it has
// one.
func withoutFloats(obj map[string]any) map[string]any {
	copied := false
	for _, path := range counts {
		v, found, err := unstructured.NestedFieldNoCopy(obj, path...)
		if !found || err != nil {
			continue
		}
		switch v.(type) {
		case int, int32, int64:
			continue
		}
		if !copied {
			obj, copied = shallow(obj), true
		}
		hide(obj, path...)
	}
	return obj
}

// hide removes a field. It copies the maps on the way to the field, except obj.
func hide(obj map[string]any, path ...string) {
	for _, name := range path[:len(path)-1] {
		m, ok := obj[name].(map[string]any)
		if !ok {
			return
		}
		m = shallow(m)
		obj[name] = m
		obj = m
	}
	delete(obj, path[len(path)-1])
}

func shallow(m map[string]any) map[string]any {
	if m == nil {
		return map[string]any{}
	}
	return maps.Clone(m)
}

// unnamed is the kind of objects without one.
const unnamed = "-"

// withKind returns obj with an apiVersion and a kind that the engine accepts. The result named is
// false if the kind is not that of the object.
func withKind(obj map[string]any, u *unstructured.Unstructured) (complete map[string]any, named bool) {
	version, _ := obj["apiVersion"].(string)
	kind, _ := obj["kind"].(string)
	_, items := obj["items"].([]any)
	if version != "" && kind != "" && strings.Count(version, "/") <= 1 && !items {
		return obj, true
	}
	gvk := u.GroupVersionKind()
	obj = shallow(obj)
	delete(obj, "items")
	obj["apiVersion"] = strings.TrimPrefix(gvk.Group+"/v1", "/")
	if gvk.Kind != "" {
		obj["kind"] = gvk.Kind
		return obj, gvk.Kind == u.GetKind()
	}
	obj["kind"] = unnamed
	return obj, false
}

// unname removes the kind of objects without one from the message.
func unname(r *Result) {
	for _, text := range []*string{&r.Message} {
		*text = strings.TrimPrefix(*text, unnamed)
	}
	for i := range r.Conditions {
		r.Conditions[i].Message = strings.TrimPrefix(r.Conditions[i].Message, unnamed)
	}
}

// awake returns a Job without the condition Suspended.
func awake(obj map[string]any) *unstructured.Unstructured {
	obj = shallow(obj)
	status, _ := obj["status"].(map[string]any)
	status = shallow(status)
	obj["status"] = status
	if list, ok := status["conditions"].([]any); ok {
		status["conditions"] = without(list, "Suspended")
	}
	return &unstructured.Unstructured{Object: obj}
}

// without returns the conditions that have none of the types.
func without(conditions []any, types ...string) []any {
	return slices.DeleteFunc(slices.Clone(conditions), func(item any) bool {
		m, _ := item.(map[string]any)
		t, ok := m["type"].(string)
		return ok && slices.Contains(types, t)
	})
}

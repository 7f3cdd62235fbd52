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
	metadata, _ := obj["metadata"].(map[string]any)
	if !deleted(metadata) {
		if err := checkGeneration(obj, true); err != nil {
			return nil, 0, err
		}
	}
	return judge(obj, u)
}

// judge returns the verdict on obj. Errors are those of u.
func judge(obj map[string]any, u *unstructured.Unstructured) (*Result, time.Duration, error) {
	obj, named := withKind(withoutFloats(obj), u)
	found, err := engine.Evaluator{Profile: engine.CompatProfile()}.Compute(engine.Map(obj))
	if err == nil && found.Message == "Job is suspended" {
		found, err = engine.Evaluator{Profile: engine.CompatProfile()}.Compute(engine.Map(awake(obj)))
	}
	if err != nil {
		return nil, 0, err
	}
	if found.Status == engine.UnknownStatus {
		return nil, 0, malformed(u, found.Message)
	}
	r := convert(found)
	if !named {
		rename(r, u.GetKind())
	}
	return r, found.Recheck, nil
}

// checkGeneration returns the error of cli-utils for a generation that is not an int64. If stages
// is true, it also returns the one for a deletionTimestamp that is not a string.
func checkGeneration(obj map[string]any, stages bool) error {
	if wellFormed(obj) {
		return nil
	}
	if stages {
		if _, _, err := unstructured.NestedString(obj, "metadata", "deletionTimestamp"); err != nil {
			return fmt.Errorf("looking up metadata.deletionTimestamp from resource: %w", err)
		}
	}
	_, found, err := unstructured.NestedInt64(obj, "metadata", "generation")
	if err != nil {
		return fmt.Errorf("looking up metadata.generation from resource: %w", err)
	}
	if !found {
		return nil
	}
	if _, _, err := unstructured.NestedInt64(obj, "status", "observedGeneration"); err != nil {
		return fmt.Errorf("looking up status.observedGeneration from resource: %w", err)
	}
	return nil
}

// wellFormed reports whether the fields that checkGeneration reads cannot have an error. Most
// objects are so, and are not looked at again.
func wellFormed(obj map[string]any) bool {
	metadata, _ := obj["metadata"].(map[string]any)
	status, _ := obj["status"].(map[string]any)
	if metadata == nil || status == nil {
		return false
	}
	_, deletion := metadata["deletionTimestamp"]
	return !deletion && wholeOrMissing(metadata, "generation") && wholeOrMissing(status, "observedGeneration")
}

func wholeOrMissing(m map[string]any, name string) bool {
	v, found := m[name]
	_, whole := v.(int64)
	return whole || !found
}

func deleted(metadata map[string]any) bool {
	s, ok := metadata["deletionTimestamp"].(string)
	return ok && s != ""
}

// malformed returns the error of cli-utils for a malformed object. The message names the field, for
// objects that end a program with cli-utils.
func malformed(u *unstructured.Unstructured, message string) error {
	obj := u.UnstructuredContent()
	if _, err := GetObjectWithConditions(obj); err != nil {
		return err
	}
	switch phase := GetStringField(obj, ".status.phase", ""); phase {
	case "", "Succeeded", "Failed", "Pending":
	case "Running":
		if _, _, err := unstructured.NestedSlice(obj, "status", "containerStatuses"); err != nil {
			return err
		}
	default:
		if u.GetKind() == "Pod" {
			return fmt.Errorf("unknown phase %s", phase)
		}
	}
	return errors.New(message)
}

// counts are the fields that the rules of cli-utils read as counts, by the kinds of these rules.
var counts = func() map[string][]path {
	spec := func(name string) path { return path{"spec", name} }
	status := func(name string) path { return path{"status", name} }
	all := map[string][]path{
		"ReplicaSet":  {status("fullyLabeledReplicas")},
		"Deployment":  {spec("progressDeadlineSeconds"), status("updatedReplicas")},
		"StatefulSet": {status("currentReplicas"), status("updatedReplicas"), {"spec", "updateStrategy", "rollingUpdate", "partition"}},
		"DaemonSet": {
			status("desiredNumberScheduled"), status("currentNumberScheduled"), status("updatedNumberScheduled"),
			status("numberAvailable"), status("numberReady"),
		},
		"Job": {spec("completions"), spec("parallelism"), status("succeeded"), status("active"), status("failed")},
	}
	for _, kind := range []string{"ReplicaSet", "Deployment", "StatefulSet"} {
		all[kind] = append(all[kind], spec("replicas"), status("replicas"), status("readyReplicas"), status("availableReplicas"))
	}
	return all
}()

type path []string

// withoutFloats returns obj without the counts that are not integers. It copies obj only if it has
// one.
func withoutFloats(obj map[string]any) map[string]any {
	kind, _ := obj["kind"].(string)
	copied := false
	for _, path := range counts[kind] {
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

// rename replaces the kind of objects without one in the messages.
func rename(r *Result, kind string) {
	name := func(message string) string {
		if rest, ok := strings.CutPrefix(message, unnamed+" "); ok {
			return kind + " " + rest
		}
		return message
	}
	r.Message = name(r.Message)
	for i := range r.Conditions {
		r.Conditions[i].Message = name(r.Conditions[i].Message)
	}
}

// awake returns a Job without the condition Suspended.
func awake(obj map[string]any) map[string]any {
	obj = shallow(obj)
	status, _ := obj["status"].(map[string]any)
	status = shallow(status)
	obj["status"] = status
	if list, ok := status["conditions"].([]any); ok {
		status["conditions"] = without(list, "Suspended")
	}
	return obj
}

// without returns the conditions that have none of the types.
func without(conditions []any, types ...string) []any {
	return slices.DeleteFunc(slices.Clone(conditions), func(item any) bool {
		m, _ := item.(map[string]any)
		t, ok := m["type"].(string)
		return ok && slices.Contains(types, t)
	})
}

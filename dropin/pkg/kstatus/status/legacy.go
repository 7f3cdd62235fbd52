package status

import (
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	engine "kstatus.dev/status"
)

// compatRules are the kinds that have a rule in cli-utils.
var compatRules = engine.CompatProfile().Rules()

// readConditions are the kinds whose rule reads the conditions.
var readConditions = []string{"Deployment", "ReplicaSet", "Pod", "Job", "CustomResourceDefinition"}

// GetLegacyConditionsFn returns the function that computes a status by the rule for the kind of u
// alone. It returns nil if the kind has no rule in cli-utils.
func GetLegacyConditionsFn(u *unstructured.Unstructured) GetConditionsFn {
	kind := u.GroupVersionKind().GroupKind()
	if _, ok := compatRules[engine.Kind{Group: kind.Group, Kind: kind.Kind}]; !ok {
		return nil
	}
	return func(u *unstructured.Unstructured) (*Result, error) { return judgeKind(u, kind) }
}

// judgeKind computes the status by the rule of a kind alone: it hides the fields that only the
// other stages read.
func judgeKind(u *unstructured.Unstructured, kind schema.GroupKind) (*Result, error) {
	obj := shallow(u.Object)
	obj["apiVersion"], obj["kind"] = schema.GroupVersion{Group: kind.Group, Version: "v1"}.String(), kind.Kind
	delete(obj, "items")
	daemons := kind.Kind == "DaemonSet" // the only kind whose rule reads the generation
	if daemons {
		if err := checkGeneration(obj, false); err != nil {
			return nil, err
		}
	}
	_, isMap := obj["metadata"].(map[string]any)
	switch {
	case !isMap:
		delete(obj, "metadata")
	case !daemons:
		hide(obj, "metadata", "generation")
	}
	hide(obj, "metadata", "deletionTimestamp")
	hideStages(obj, slices.Contains(readConditions, kind.Kind))
	r, _, err := judge(obj, &unstructured.Unstructured{Object: obj})
	return r, err
}

// hideStages hides what the stages before the rule read in the status.
func hideStages(obj map[string]any, conditions bool) {
	status, ok := obj["status"].(map[string]any)
	if !ok {
		if !conditions {
			delete(obj, "status")
		}
		return
	}
	status = shallow(status)
	obj["status"] = status
	if want, ok := at(obj, "metadata.generation").(int64); ok && status["observedGeneration"] != nil {
		status["observedGeneration"] = want
	}
	if !conditions {
		delete(status, "conditions")
	} else if list, ok := status["conditions"].([]any); ok {
		status["conditions"] = renamed(list)
	}
}

// renamed returns the conditions with other types in place of the standard ones. They stay in the
// list, because a malformed one is an error.
func renamed(conditions []any) []any {
	conditions = slices.Clone(conditions)
	for i, item := range conditions {
		m, _ := item.(map[string]any)
		if t := m["type"]; t == string(ConditionReconciling) || t == string(ConditionStalled) {
			m = shallow(m)
			m["type"] = "Other"
			conditions[i] = m
		}
	}
	return conditions
}

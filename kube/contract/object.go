package contract

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/internal/text"
)

// value is a field of an object, nil if it is not there or is behind something of another shape.
func value(obj *unstructured.Unstructured, path ...string) any {
	v, _, err := unstructured.NestedFieldNoCopy(obj.Object, path...)
	if err != nil {
		return nil
	}
	return v
}

// initialized reports whether status.initialization.provisioned is true.
func initialized(obj *unstructured.Unstructured) bool {
	return value(obj, "status", "initialization", "provisioned") == true
}

// conditions are the conditions of an object by their types.
func conditions(obj *unstructured.Unstructured) map[string]map[string]any {
	all := map[string]map[string]any{}
	list, _ := value(obj, "status", "conditions").([]any)
	for _, item := range list {
		c, _ := item.(map[string]any)
		if typ, _ := c["type"].(string); typ != "" && all[typ] == nil {
			all[typ] = c
		}
	}
	return all
}

// hasCondition returns a predicate: the object has a condition of this type and status.
func hasCondition(typ, status string) func(*unstructured.Unstructured) bool {
	return func(obj *unstructured.Unstructured) bool { return conditions(obj)[typ]["status"] == status }
}

// ready reports whether an object is provisioned and its condition Ready is True.
func ready(obj *unstructured.Unstructured) bool {
	return initialized(obj) && hasCondition("Ready", "True")(obj)
}

// providerState is what a provider has of an object: its spec and its status without the condition Paused,
// and its finalizers.
func providerState(obj *unstructured.Unstructured) map[string]any {
	status, _ := value(obj, "status").(map[string]any)
	kept := map[string]any{}
	for name, v := range status {
		if name != "conditions" {
			kept[name] = v
		}
	}
	all := conditions(obj)
	delete(all, "Paused")
	if len(all) > 0 {
		kept["conditions"] = all
	}
	return map[string]any{"spec": value(obj, "spec"), "status": kept, "finalizers": obj.GetFinalizers()}
}

// changesOf describes what a provider changed in an object between two versions, except the condition
// Paused and what users may do; empty: nothing.
func changesOf(before, after *unstructured.Unstructured) string {
	from, to := providerState(before), providerState(after)
	var changed []string
	for _, part := range []string{"finalizers", "spec", "status"} {
		if !reflect.DeepEqual(from[part], to[part]) {
			changed = append(changed, fmt.Sprintf("%s %s → %s", part, short(from[part]), short(to[part])))
		}
	}
	return strings.Join(changed, "; ")
}

// summary is what is to be the same again after the status was lost: all but times and generations.
func summary(obj *unstructured.Unstructured) map[string]any {
	status, _ := value(obj, "status").(map[string]any)
	kept := map[string]any{}
	for name, v := range status {
		if name != "conditions" && name != "observedGeneration" {
			kept[name] = v
		}
	}
	said := map[string]any{}
	for typ, c := range conditions(obj) {
		said[typ] = fmt.Sprint(c["status"], "/", c["reason"])
	}
	kept["conditions"] = said
	return kept
}

// brief returns the conditions of an object in one line.
func brief(obj *unstructured.Unstructured) string {
	var said []string
	for typ, c := range conditions(obj) {
		said = append(said, fmt.Sprintf("%s=%v (%v)", typ, c["status"], c["reason"]))
	}
	slices.Sort(said)
	if len(said) == 0 {
		return "it has no conditions; status " + short(value(obj, "status"))
	}
	return "it says " + strings.Join(said, ", ")
}

// short is a value as JSON, cut to what fits into a line.
func short(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return text.Cut(string(data), 300+len(text.Ellipsis))
}

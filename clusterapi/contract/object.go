package contract

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/internal/condition"
	"kstatus.dev/internal/decoded"
	"kstatus.dev/internal/text"
)

// initialized reports whether status.initialization.provisioned is true.
func initialized(obj *unstructured.Unstructured) bool {
	return decoded.Bool(obj.Object, "status", "initialization", "provisioned")
}

// conditions returns the fields of the conditions of an object by type. Of several with a type the
// worst counts.
func conditions(obj *unstructured.Unstructured) map[string]map[string]any {
	all, worst := map[string]map[string]any{}, map[string]condition.Condition{}
	for c := range condition.All(condition.Of(obj.Object)) {
		if known, twice := worst[c.Type]; !twice || condition.Compare(c, known) < 0 {
			all[c.Type], worst[c.Type] = c.Raw, c
		}
	}
	return all
}

// hasCondition returns a predicate for objects with a condition of this type
// and status.
func hasCondition(typ, status string) func(*unstructured.Unstructured) bool {
	return func(obj *unstructured.Unstructured) bool { return condition.Is(obj.Object, typ, status) }
}

// ready reports whether an object is provisioned and its condition Ready is
// True.
func ready(obj *unstructured.Unstructured) bool {
	return initialized(obj) && hasCondition("Ready", "True")(obj)
}

// providerState returns the fields that a provider must not change: the spec,
// the finalizers, and the status without the condition Paused.
func providerState(obj *unstructured.Unstructured) map[string]any {
	kept := map[string]any{}
	for name, v := range decoded.Map(obj.Object, "status") {
		if name != "conditions" {
			kept[name] = v
		}
	}
	all := conditions(obj)
	delete(all, "Paused")
	if len(all) > 0 {
		kept["conditions"] = all
	}
	return map[string]any{"spec": decoded.At(obj.Object, "spec"), "status": kept, "finalizers": obj.GetFinalizers()}
}

// changesOf describes a provider's changes of an object between two versions,
// except of the condition Paused and of labels and annotations. It is empty if
// there are none.
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

// workOn describes what shows that a provider works on an object: other finalizers, another
// status, or an added block-move. It ignores the spec, which users change too.
func workOn(before, after *unstructured.Unstructured) string {
	before, after = before.DeepCopy(), after.DeepCopy()
	for _, obj := range []*unstructured.Unstructured{before, after} {
		delete(obj.Object, "spec")
	}
	what := changesOf(before, after)
	if what == "" && !blocksMove(before) && blocksMove(after) {
		return "the annotation " + blockMoveAnnotation
	}
	return what
}

// summary returns the status that must be the same after it was lost: without
// times and generations.
func summary(obj *unstructured.Unstructured) map[string]any {
	kept := map[string]any{}
	for name, v := range decoded.Map(obj.Object, "status") {
		if name != "conditions" && name != "observedGeneration" {
			kept[name] = v
		}
	}
	texts := map[string]any{}
	for typ, c := range conditions(obj) {
		texts[typ] = fmt.Sprint(c["status"], "/", c["reason"])
	}
	kept["conditions"] = texts
	return kept
}

// brief returns the conditions of an object in one line.
func brief(obj *unstructured.Unstructured) string {
	var texts []string
	for typ, c := range conditions(obj) {
		texts = append(texts, fmt.Sprintf("%s=%v (%v)", typ, c["status"], c["reason"]))
	}
	slices.Sort(texts)
	if len(texts) == 0 {
		return "it has no conditions; its status is " + short(decoded.At(obj.Object, "status"))
	}
	return "its conditions are " + strings.Join(texts, ", ")
}

// short returns a value as JSON, cut to one line.
func short(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return text.Cut(string(data), 300+len(text.Ellipsis))
}

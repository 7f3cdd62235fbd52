package observe

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"kstatus.dev/internal/integer"
	"kstatus.dev/internal/text"
	"kstatus.dev/status"
)

// superseded replaces the verdict on an object if another change has replaced the program that was
// applied: the Pod template has another spec. It reports whether it has. For other differences in
// the spec it adds a caveat, since controllers may change a spec too. Replicas are no difference,
// because an autoscaler may own them.
func (tr *tracker) superseded(st *targetState, u *Update, obj status.Object) bool {
	var applied status.Object
	if tr.watcher.Applied != nil {
		applied = tr.watcher.Applied(u.Target)
	}
	if applied == nil {
		if tr.watcher.FirstApplied != nil && tr.watcher.FirstApplied(u.Target) {
			st.compareWithFirst(u, obj)
		}
		return false
	}
	same := equalJSON
	if tr.watcher.AppliedTyped {
		same = func(before, after any) bool { return contains(after, before, true) }
	}
	generation, want := versionOf(applied).Generation, specOf(applied)
	have := specOf(obj)
	if generation == 0 || u.Version.Generation <= generation || want == nil || have == nil {
		return false
	}
	for _, path := range podTemplates {
		before, after := valueAt(want, path...), valueAt(have, path...)
		if before == nil || same(before, after) {
			continue
		}
		field := "spec." + strings.Join(path, ".") + difference(before, after)
		u.Result = status.Result{Status: status.FailedStatus, Reason: "Superseded", Failure: status.FailureTerminal, Confidence: status.ConfidenceExplicit, Warnings: u.Result.Warnings,
			Message: fmt.Sprintf("another change has replaced generation %d, which was applied, by generation %d: %s", generation, u.Version.Generation, field)}
		return true
	}
	if changed := changedFields(want, have, tr.watcher.AppliedTyped); len(changed) > 0 {
		u.warnReplaced("generation %d was applied, and this is generation %d, with another %s", generation, u.Version.Generation, strings.Join(changed, ", "))
	}
	return false
}

// podTemplates are the places of the spec of a Pod template in the spec of an object.
var podTemplates = [][]string{{"template", "spec"}, {"jobTemplate", "spec", "template", "spec"}}

// A firstTemplate identifies the Pod template of the first object of a target.
type firstTemplate struct {
	generation int64
	hash       [sha256.Size]byte // of the spec of the Pod template
}

// warnReplaced adds a caveat to the verdict on a Current object that is not what was applied.
func (u *Update) warnReplaced(format string, args ...any) {
	if u.Result.Status == status.CurrentStatus {
		u.Result = u.Result.WithCaveat(fmt.Sprintf(format, args...))
	}
}

// compareWithFirst adds a caveat if another Pod template has replaced that of the first object.
func (st *targetState) compareWithFirst(u *Update, obj status.Object) {
	spec := specOf(obj)
	for _, path := range podTemplates {
		template := valueAt(spec, path...)
		if template == nil {
			continue
		}
		encoded, err := json.Marshal(template)
		if err != nil {
			return // it is not of JSON
		}
		now := firstTemplate{u.Version.Generation, sha256.Sum256(encoded)}
		if st.requested.first == nil {
			st.requested.first = &now
		}
		if first := st.requested.first; first.hash != now.hash && first.generation < now.generation {
			u.warnReplaced("another change has replaced generation %d, with which the wait began, by generation %d: it has another spec.%s",
				first.generation, now.generation, strings.Join(path, "."))
		}
		return
	}
}

func specOf(obj status.Object) map[string]any {
	spec, _ := obj.UnstructuredContent()["spec"].(map[string]any)
	return spec
}

func valueAt(m map[string]any, path ...string) any {
	var v any = m
	for _, key := range path {
		m, _ := v.(map[string]any)
		v = m[key]
	}
	return v
}

// changedFields returns the fields of a spec that no longer have the applied values. It leaves out
// added fields, which have no applied value.
func changedFields(applied, now map[string]any, typed bool) (fields []string) {
	const most = 3
	for _, key := range slices.Sorted(maps.Keys(applied)) {
		if key == "replicas" || len(fields) == most || contains(now[key], applied[key], typed) {
			continue
		}
		name := "spec." + text.Cut(key, 60)
		if key == "template" { // its spec is the same
			name += ".metadata"
		}
		fields = append(fields, name)
	}
	return fields
}

// restartedAt is the annotation of a Pod template that kubectl rollout restart sets.
const restartedAt = "kubectl.kubernetes.io/restartedAt"

// contains reports whether a value is as it was applied, except for added keys of maps. If it was
// typed, maps in lists may have added keys too.
func contains(now, applied any, typed bool) bool {
	switch want := applied.(type) {
	case map[string]any:
		have, _ := now.(map[string]any)
		for key, v := range want {
			if key != restartedAt && !contains(have[key], v, typed) {
				return false
			}
		}
		return true
	case []any:
		have, isList := now.([]any)
		if typed && isList {
			return slices.EqualFunc(have, want, func(a, b any) bool { return contains(a, b, typed) })
		}
	}
	return equalJSON(now, applied)
}

// difference describes where two values of a field first differ, as a path with the values of an
// image. Other values may be secret, so only their path is named.
func difference(applied, now any) string {
	switch before := applied.(type) {
	case map[string]any:
		after, _ := now.(map[string]any)
		keys := slices.Sorted(maps.Keys(before))
		for _, key := range slices.Sorted(maps.Keys(after)) {
			if _, known := before[key]; !known {
				keys = append(keys, key)
			}
		}
		if i := slices.Index(keys, "image"); i > 0 { // people know versions by their images
			keys = append([]string{"image"}, slices.Delete(keys, i, i+1)...)
		}
		for _, key := range keys {
			if equalJSON(before[key], after[key]) {
				continue
			}
			was, ok := before[key].(string)
			if is, both := after[key].(string); key == "image" && ok && both {
				return fmt.Sprintf(".image is %s, and %s was applied", text.Cut(is, 100), text.Cut(was, 100))
			}
			return "." + text.Cut(key, 60) + difference(before[key], after[key])
		}
	case []any:
		after, _ := now.([]any)
		for i := range min(len(before), len(after)) {
			if !equalJSON(before[i], after[i]) {
				return fmt.Sprintf("[%d]", i) + difference(before[i], after[i])
			}
		}
		return fmt.Sprintf(" has %s, and %d applied", text.Count(len(after), "item"), len(before))
	}
	return " differs"
}

// equalJSON reports whether two decoded values are equal, whatever type a decoder gave to numbers.
func equalJSON(a, b any) bool {
	switch x := a.(type) {
	case map[string]any:
		y, ok := b.(map[string]any)
		return ok && maps.EqualFunc(x, y, equalJSON)
	case []any:
		y, ok := b.([]any)
		return ok && slices.EqualFunc(x, y, equalJSON)
	}
	n, isInteger := integer.Of(a)
	if m, both := integer.Of(b); isInteger && both {
		return n == m
	}
	return reflect.DeepEqual(a, b)
}

// Package applied compares the spec of an object with the spec that was applied.
package applied

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"kstatus.dev/internal/decoded"
	"kstatus.dev/internal/integer"
	"kstatus.dev/internal/text"
)

// podTemplates are the places of the spec of a Pod template in the spec of an object.
var podTemplates = [][]string{{"template", "spec"}, {"jobTemplate", "spec", "template", "spec"}}

// Replaced describes the first difference between the Pod templates of two specs: the path of the
// field, with both values of an image. It is empty if they are equal. A template that was typed
// lacks the fields of newer versions, so added fields are no difference.
func Replaced(applied, now map[string]any, typed bool) string {
	for _, path := range podTemplates {
		before, after := decoded.At(applied, path...), decoded.At(now, path...)
		if before == nil || typed && contains(after, before, true) || !typed && Equal(before, after) {
			continue
		}
		return "spec." + strings.Join(path, ".") + difference(before, after)
	}
	return ""
}

// A Template identifies the Pod template of a spec by the path and a hash of its spec.
type Template struct {
	Path string
	Hash [sha256.Size]byte
}

// TemplateOf returns the Pod template of a spec, and false if there is none.
func TemplateOf(spec map[string]any) (Template, bool) {
	for _, path := range podTemplates {
		if template := decoded.At(spec, path...); template != nil {
			encoded, err := json.Marshal(template)
			return Template{"spec." + strings.Join(path, "."), sha256.Sum256(encoded)}, err == nil // an error means that it is not of JSON
		}
	}
	return Template{}, false
}

// Changed returns the first fields of a spec that no longer have the applied values. It leaves out
// added fields, which have no applied value.
func Changed(applied, now map[string]any, typed bool) (fields []string) {
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
	return Equal(now, applied)
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
			if Equal(before[key], after[key]) {
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
			if !Equal(before[i], after[i]) {
				return fmt.Sprintf("[%d]", i) + difference(before[i], after[i])
			}
		}
		return fmt.Sprintf(" has %s, and %d applied", text.Count(len(after), "item"), len(before))
	}
	return " differs"
}

// Equal reports whether two decoded values are equal, whatever type a decoder gave to numbers.
func Equal(a, b any) bool {
	switch x := a.(type) {
	case map[string]any:
		y, ok := b.(map[string]any)
		return ok && maps.EqualFunc(x, y, Equal)
	case []any:
		y, ok := b.([]any)
		return ok && slices.EqualFunc(x, y, Equal)
	}
	n, isInteger := integer.Of(a)
	if m, both := integer.Of(b); isInteger && both {
		return n == m
	}
	return reflect.DeepEqual(a, b)
}

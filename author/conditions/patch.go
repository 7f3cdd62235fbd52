package conditions

import (
	"encoding/json"
	"reflect"

	"k8s.io/apimachinery/pkg/types"
)

// Patch is a patch of the status subresource of an object.
type Patch struct {
	// Type is a merge patch or a server-side apply.
	Type types.PatchType
	// Data is the body. It contains the resource version, so that the API server
	// rejects it with a conflict if others have written since.
	Data []byte
	// FieldOwner is the field manager; empty for the default.
	FieldOwner string
	// Force takes fields from other field managers.
	Force bool
}

// diff returns the merge patch (RFC 7396) from one status to another. It is nil
// if they are equal.
func diff(from, to map[string]any) map[string]any {
	var patch map[string]any
	set := func(key string, value any) {
		if patch == nil {
			patch = map[string]any{}
		}
		patch[key] = value
	}
	for key, want := range to {
		have, ok := from[key]
		if ok && reflect.DeepEqual(have, want) {
			continue
		}
		wantMap, ok1 := want.(map[string]any)
		haveMap, ok2 := have.(map[string]any)
		if ok1 && ok2 {
			if inner := diff(haveMap, wantMap); inner != nil {
				set(key, inner)
			}
			continue
		}
		set(key, want)
	}
	for key := range from {
		if _, kept := to[key]; !kept {
			set(key, nil)
		}
	}
	return patch
}

// merge applies a merge patch to a map, in place.
func merge(into, patch map[string]any) {
	for key, want := range patch {
		wantMap, isMap := want.(map[string]any)
		switch {
		case want == nil:
			delete(into, key)
		case isMap:
			haveMap, ok := into[key].(map[string]any)
			if !ok {
				haveMap = map[string]any{}
				into[key] = haveMap
			}
			merge(haveMap, wantMap)
		default:
			into[key] = want
		}
	}
}

// removes reports whether a merge patch removes a field.
func removes(patch map[string]any) bool {
	for _, v := range patch {
		if inner, ok := v.(map[string]any); v == nil || ok && removes(inner) {
			return true
		}
	}
	return false
}

// mergePatch returns the request for the changes of a status.
func mergePatch(version, owner string, changes map[string]any) (Patch, error) {
	data, err := json.Marshal(map[string]any{
		"metadata": map[string]any{"resourceVersion": version},
		"status":   changes,
	})
	return Patch{Type: types.MergePatchType, Data: data, FieldOwner: owner}, err
}

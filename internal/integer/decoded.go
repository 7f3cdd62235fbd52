package integer

import (
	"encoding/json"
	"maps"
	"slices"
)

// Decoded returns a value of encoding/json as Kubernetes decodes it: whole numbers are int64. It
// copies what it changes. It cannot tell 3 from 3.0, which Kubernetes leaves a float.
func Decoded(v any) any {
	out, _ := decoded(v)
	return out
}

func decoded(v any) (out any, changed bool) {
	switch v := v.(type) {
	case float64, json.Number:
		if n, ok := Of(v); ok {
			return n, true
		}
	case map[string]any:
		out := v
		for key, item := range v {
			if item, differs := decoded(item); differs {
				if !changed {
					out, changed = maps.Clone(v), true
				}
				out[key] = item
			}
		}
		return out, changed
	case []any:
		out := v
		for i, item := range v {
			if item, differs := decoded(item); differs {
				if !changed {
					out, changed = slices.Clone(v), true
				}
				out[i] = item
			}
		}
		return out, changed
	}
	return v, false
}

package condition

import "maps"

// Normalized returns an object whose status has all conditions in the form that the API wants. That is
// a list with each type once, and with the status as text. It copies what it changes, and returns an object
// that has this form as it is.
func Normalized(object map[string]any) map[string]any {
	state, changed := normalValue(object["status"])
	if !changed {
		return object
	}
	object = maps.Clone(object)
	object["status"] = state
	return object
}

// normalValue returns a part of a status with normal conditions, and whether it differs.
func normalValue(v any) (normal any, changed bool) {
	switch v := v.(type) {
	case map[string]any:
		out := v
		for name, field := range v {
			normalize := normalValue
			if name == "conditions" {
				normalize = normalConditions
			}
			field, differs := normalize(field)
			if differs && !changed {
				out, changed = maps.Clone(v), true
			}
			if differs {
				out[name] = field
			}
		}
		return out, changed
	case []any:
		out := v
		for i, item := range v {
			item, differs := normalValue(item)
			if differs && !changed {
				out, changed = append([]any(nil), v...), true
			}
			if differs {
				out[i] = item
			}
		}
		return out, changed
	}
	return v, false
}

// normalConditions returns conditions as a list. Each type has the place of its first entry. Items
// that are not conditions are left out.
func normalConditions(v any) (normal any, changed bool) {
	list, isList := v.([]any)
	m, isMap := v.(map[string]any)
	if !isList && (!isMap || len(m) == 0 || !IsMapForm(m)) {
		return v, false
	}
	at := map[string]int{}
	var all []Condition
	standard := isList
	for c := range All(v) {
		_, known := Truth(c.Raw["status"])
		standard = standard && (known || c.Raw["status"] == nil)
		if i, twice := at[c.Type]; twice {
			all[i], standard = Worse(all[i], c), false
			continue
		}
		at[c.Type] = len(all)
		all = append(all, c)
	}
	if standard || len(all) == 0 && len(list) > 0 {
		return v, false
	}
	out := make([]any, 0, len(all))
	for _, c := range all {
		fields := maps.Clone(c.Raw)
		if fields["type"] = c.Type; fields["status"] != nil {
			fields["status"] = c.Status
		}
		out = append(out, fields)
	}
	return out, true
}

package lint

import "slices"

// Defaulted returns the value with the defaults of the schema filled in, as the
// API server does when it reads an object: a missing field takes its default,
// and only then the fields below it are looked at. So the default of a field
// whose parent is missing is never applied.
func Defaulted(s Schema, value any) any {
	switch v := clone(value).(type) {
	case map[string]any:
		properties := object(s.Node, "properties")
		for name := range properties {
			below := s.Property(name)
			if _, there := v[name]; !there {
				if d, has := below.Node["default"]; has {
					v[name] = clone(d)
				}
			}
			if v[name] == nil && below.Node["nullable"] != true {
				if d, has := below.Node["default"]; has {
					v[name] = clone(d)
				}
			}
			if child, there := v[name]; there {
				v[name] = Defaulted(below, child)
			}
		}
		if rest := object(s.Node, "additionalProperties"); rest != nil {
			for name, child := range v {
				if properties[name] == nil {
					v[name] = Defaulted(Schema{Node: rest}, child)
				}
			}
		}
		return v
	case []any:
		for i, item := range v {
			v[i] = Defaulted(s.Items(), item)
		}
		return slices.Clip(v)
	default:
		return v
	}
}

// Fresh returns an object as the API server stores it when a user creates it
// with a name and nothing else.
func (v Version) Fresh() map[string]any {
	made := Defaulted(v.Schema, map[string]any{}).(map[string]any)
	made["apiVersion"], made["kind"] = v.CRD.Group+"/"+v.Name, v.CRD.Kind
	made["metadata"] = map[string]any{"name": "fresh", "namespace": "default", "generation": int64(1),
		"creationTimestamp": "2026-01-01T00:00:00Z", "uid": "11111111-1111-4111-8111-111111111111"}
	return made
}

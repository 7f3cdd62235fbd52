package lint

import "kstatus.dev/internal/decoded"

// WithDefaults returns the value with the defaults of the schema, as the API server returns it.
// It sets the default of a missing field before the defaults of its nested fields, so a default
// whose parent is missing does not apply. A null that the schema does not permit counts as
// missing. It does not change the given value.
func (s Schema) WithDefaults(value any) any {
	value = clone(value)
	dropNulls(s, value)
	return applyDefaults(s, value)
}

// field returns the schema of a field, by its name or by additionalProperties.
func (s Schema) field(name string) Schema {
	if below := s.Property(name); below.Exists() {
		return below
	}
	return Schema{Node: decoded.Map(s.Node, "additionalProperties")}
}

// refuses reports whether the value is a null that the schema does not permit.
func (s Schema) refuses(value any) bool {
	return value == nil && s.Exists() && s.Node["nullable"] != true
}

// dropNulls removes fields with a null that is not permitted and has no default.
func dropNulls(s Schema, value any) {
	switch v := value.(type) {
	case map[string]any:
		for name, child := range v {
			below := s.field(name)
			if below.refuses(child) && below.Node["default"] == nil {
				delete(v, name)
			} else {
				dropNulls(below, child)
			}
		}
	case []any:
		for _, item := range v {
			dropNulls(s.Items(), item)
		}
	}
}

func applyDefaults(s Schema, value any) any {
	switch v := value.(type) {
	case map[string]any:
		for name := range decoded.Map(s.Node, "properties") {
			below := s.Property(name)
			child, there := v[name]
			if d := below.Node["default"]; d != nil && (!there || below.refuses(child)) {
				v[name] = clone(d)
			}
		}
		for name, child := range v {
			v[name] = s.field(name).withDefaultsIn(child)
		}
	case []any:
		for i, item := range v {
			v[i] = s.Items().withDefaultsIn(item)
		}
	}
	return value
}

// withDefaultsIn returns the value that replaces a value.
func (s Schema) withDefaultsIn(value any) any {
	if s.refuses(value) {
		value = clone(s.Node["default"])
	}
	return applyDefaults(s, value)
}

// NewObject returns an object as the API server stores it when a user creates it with only a
// name.
func (v Version) NewObject() map[string]any {
	made := v.Schema.WithDefaults(map[string]any{}).(map[string]any)
	made["apiVersion"], made["kind"] = v.CRD.Group+"/"+v.Name, v.CRD.Kind
	made["metadata"] = map[string]any{"name": "fresh", "namespace": "default", "generation": int64(1),
		"creationTimestamp": "2026-01-01T00:00:00Z", "uid": "11111111-1111-4111-8111-111111111111"}
	return made
}

package check

import (
	"strings"

	"kstatus.dev/author/lint"
	"kstatus.dev/internal/decoded"
)

// lacks reports whether the version neither describes a field nor preserves
// unknown fields at its place.
func (k kind) lacks(path string) bool {
	s := k.version.Schema
	for _, name := range steps(path) {
		if s.Node["x-kubernetes-preserve-unknown-fields"] == true {
			return false
		}
		if s = s.Property(name); !s.Exists() {
			return true
		}
	}
	return false
}

// need reports a missing field, with a fix.
func (p *pass) need(k kind, path, because string, schema map[string]any) {
	if k.version.Name == "" || !k.lacks(path) {
		return
	}
	p.report(k, k.existingPath(path), path+" is missing: "+because, "add "+path, k.unsafeFix(path, schema))
}

// unsafeFix returns the fix that adds a field to the schema, with its missing
// parents. It needs review: code has to write the field.
func (k kind) unsafeFix(path string, schema map[string]any) *lint.Fix {
	f := k.addField(path, schema)
	if f != nil {
		f.Unsafe, f.Risk, f.Note = true, "the controller has to write it", "the controller has to write "+path
	}
	return f
}

func (k kind) addField(path string, schema map[string]any) *lint.Fix {
	names := strings.Split(path, ".")
	for i := len(names) - 1; i >= 0; i-- {
		parent := k.version.Schema.At(names[:i]...)
		if !parent.Exists() {
			schema = map[string]any{"type": "object", "properties": map[string]any{names[i]: schema}}
			continue
		}
		if decoded.Map(parent.Node, "properties") == nil {
			return add(parent.Path.With("properties"), map[string]any{names[i]: schema})
		}
		return add(parent.Property(names[i]).Path, schema)
	}
	return nil
}

// requires reports whether a schema requires one of its properties, and returns
// the path of that requirement.
func requires(s lint.Schema, name string) (lint.Path, bool) {
	for i, item := range decoded.List(s.Node, "required") {
		if item == name {
			return s.Path.With("required", i), true
		}
	}
	return nil, false
}

// listMapBy reports whether a list is a map with the given key.
func listMapBy(s lint.Schema, key string) bool {
	keys := decoded.List(s.Node, "x-kubernetes-list-map-keys")
	return decoded.Text(s.Node, "x-kubernetes-list-type") == "map" && len(keys) == 1 && keys[0] == key
}

package lint

import (
	"slices"

	"kstatus.dev/author/severity"
	"kstatus.dev/internal/decoded"
)

var conditionsListMap = &Check{
	ID: "L-13", Name: "conditions-list-map", Severity: severity.Warning,
	Doc: `the conditions are a map by their type

An atomic list has one owner: if two controllers apply their conditions, each removes
those of the other. Two conditions may also have the same type. With a map by type, the
API server merges the conditions and rejects duplicates ("Merge strategy" in the
documentation of server-side apply).

Fix: x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [type], and type among
the required fields, or +listType=map and +listMapKey=type in Go types. Stored objects
with two conditions of one type can no longer be written then, so the fix is unsafe.`,
	Version: func(p *Pass, v Version) {
		list, ok := v.conditions()
		if !ok || list.mapByType() {
			return
		}
		var fix *Fix
		if item, ok := v.condition(); ok && item.Property("type").Type() == "string" {
			edits := append(item.requireEdits("type"), list.setEdits(map[string]any{"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": []any{"type"}},
				"x-kubernetes-list-type", "x-kubernetes-list-map-keys")...)
			fix = &Fix{Edits: edits, Unsafe: true, Risk: "stored objects may have a type twice", Note: "stored objects with two conditions of one type can no longer be written; check them first"}
		}
		p.Report(Finding{
			Path:       list.Path,
			Message:    "conditions is an atomic list: controllers overwrite each other's conditions, and a type may occur twice",
			Suggestion: "x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [type]",
			Fix:        fix,
		})
	},
}

// mapByType reports whether a list is a map by the field type of its items.
func (s Schema) mapByType() bool {
	return decoded.Text(s.Node, "x-kubernetes-list-type") == "map" && slices.Equal(texts(s.Node["x-kubernetes-list-map-keys"]), []string{"type"})
}

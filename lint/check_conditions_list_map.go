package lint

import (
	"slices"

	"kstatus.dev/severity"
)

var conditionsListMap = &Check{
	ID: "L-13", Name: "conditions-list-map", Severity: severity.Warning,
	Doc: `the conditions are a map by their type

As an atomic list the conditions have one owner: of two controllers that apply
theirs, each takes away those of the other, and nothing keeps two conditions of one
type apart. As a map by type the API server merges them and refuses duplicates
("Merge strategy" in the documentation of server-side apply).

Repair: x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [type], and type
among the required fields; where Go types make the definition, +listType=map and
+listMapKey=type. Objects that are stored with two conditions of one type can no
longer be written then, which has to be agreed to.`,
	Version: func(p *Pass, v Version) {
		list, ok := v.conditions()
		if !ok || list.mapByType() {
			return
		}
		var fix *Fix
		if item, ok := v.condition(); ok && item.Property("type").Type() == "string" {
			edits := append(item.requireEdits("type"), list.setEdits(map[string]any{"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": []any{"type"}},
				"x-kubernetes-list-type", "x-kubernetes-list-map-keys")...)
			fix = &Fix{Edits: edits, Unsafe: true, Note: "objects that are stored with two conditions of one type can no longer be written; look at them first"}
		}
		p.Report(Finding{
			Path:       list.Path,
			Message:    "the conditions are one value with one owner, and may hold a type twice",
			Suggestion: "x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [type]",
			Fix:        fix,
		})
	},
}

// mapByType reports whether a list is a map by the field type of its items.
func (s Schema) mapByType() bool {
	return text(s.Node, "x-kubernetes-list-type") == "map" && slices.Equal(texts(s.Node["x-kubernetes-list-map-keys"]), []string{"type"})
}

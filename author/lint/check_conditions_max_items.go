package lint

import "kstatus.dev/author/severity"

var conditionsMaxItems = &Check{
	ID: "L-14", Name: "conditions-max-items", Severity: severity.Info,
	Doc: `the number of conditions is bounded

The API server estimates the cost of a CEL rule from the bounds in the schema. Without
maxItems a rule over the conditions soon exceeds the budget, and the definition is
rejected. See "Resource use by validation functions" in the documentation of custom
resources. A controller that keeps adding conditions also fills etcd.

Fix: maxItems: 32, or //+kubebuilder:validation:MaxItems=32 in Go types. If the
conditions are not a map by type, a list may hold the same type many times, so the fix
is unsafe.`,
	Version: func(p *Pass, v Version) {
		list, ok := v.conditions()
		if _, bounded := number(list.Node["maxItems"]); !ok || bounded {
			return
		}
		p.Report(Finding{
			Path:       list.Path,
			Message:    "the number of conditions is not bounded",
			Suggestion: "maxItems: 32",
			Fix: &Fix{Edits: []Edit{{OpAdd, list.Path.With("maxItems"), int64(maxConditions)}}, Unsafe: !list.mapByType(), Risk: "stored objects may have more",
				Note: "objects with more conditions become invalid"},
		})
	},
}

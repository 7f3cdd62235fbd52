package lint

import "kstatus.dev/severity"

var conditionsMaxItems = &Check{
	ID: "L-14", Name: "conditions-max-items", Severity: severity.Info,
	Doc: `the number of conditions is bounded

The API server estimates what a rule in CEL may cost from the bounds in the
schema; without maxItems a rule over the conditions soon exceeds the budget and the
definition is refused ("Resource use by validation functions" in the documentation
of custom resources). A controller that adds conditions without end also fills
etcd.

Repair: maxItems: 32; where Go types make the definition,
//+kubebuilder:validation:MaxItems=32. Where the conditions are no map by type a
list may hold the same type again and again, so that the fix has to be agreed to.`,
	Version: func(p *Pass, v Version) {
		list, ok := v.conditions()
		if _, bounded := number(list.Node["maxItems"]); !ok || bounded {
			return
		}
		p.Report(Finding{
			Path:       list.Path,
			Message:    "there may be any number of conditions",
			Suggestion: "maxItems: 32",
			Fix: &Fix{Edits: []Edit{{OpAdd, list.Path.With("maxItems"), int64(mostConditions)}}, Unsafe: !list.mapByType(),
				Note: "no object may have more conditions than that"},
		})
	},
}

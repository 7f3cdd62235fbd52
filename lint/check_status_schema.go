package lint

import "kstatus.dev/severity"

var statusSchema = &Check{
	ID: "L-02", Name: "status-schema", Severity: severity.Warning,
	Doc: `the schema says which fields the status has

What the schema does not name, the API server prunes or, where unknown fields are
preserved, stores whatever it is: no default is filled in, no type is checked, and
neither people nor programs can learn from the definition what the status tells.
A reader that trusts the type of a field fails on the first object that has
another one.

Repair: name the fields of the status in the schema; where Go types make the
definition, give the status a struct of its own, without
+kubebuilder:pruning:PreserveUnknownFields. Which fields those are only the
controller knows, so that there is no fix.`,
	Version: func(p *Pass, v Version) {
		s := v.Status()
		switch {
		case !s.Exists() && v.Schema.Node["x-kubernetes-preserve-unknown-fields"] == true:
			p.Report(Finding{
				Path:       v.Schema.Path.With("x-kubernetes-preserve-unknown-fields"),
				Message:    "the schema does not say what the status is",
				Suggestion: "properties: {status: {type: object, properties: …}}",
			})
		case !s.Exists():
			p.Report(Finding{
				Path:       v.Path.With("subresources", "status"),
				Message:    "there is a subresource for a status that the schema does not have: what is written is dropped",
				Suggestion: "a status in the schema, or no subresource",
			})
		case s.Node["x-kubernetes-preserve-unknown-fields"] == true:
			p.Report(Finding{
				Path:       s.Path.With("x-kubernetes-preserve-unknown-fields"),
				Message:    "the status may hold fields that the schema does not name",
				Suggestion: "properties for each field, and pruning",
			})
		case object(s.Node, "properties") == nil:
			p.Report(Finding{
				Path:       s.Path,
				Message:    "the schema does not say which fields the status has",
				Suggestion: "properties: {observedGeneration: …, conditions: …}",
			})
		}
	},
}

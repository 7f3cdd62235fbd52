package lint

import (
	"kstatus.dev/author/severity"
	"kstatus.dev/internal/decoded"
)

var statusSchema = &Check{
	ID: "L-02", Name: "status-schema", Severity: severity.Warning,
	Doc: `the schema has the fields of the status

The API server prunes fields that the schema does not have. If unknown fields are
preserved, it stores them without defaults and without validation, and readers cannot
find out from the definition what the status reports. A reader that expects a type fails
on the first object with another one.

Fix: the fields of the status in the schema. In Go types, a struct for the status
without +kubebuilder:pruning:PreserveUnknownFields. Only the controller knows the fields,
so the check has no fix.`,
	Version: func(p *Pass, v Version) {
		s := v.Status()
		switch {
		case !s.Exists() && v.Schema.Node["x-kubernetes-preserve-unknown-fields"] == true:
			p.Report(Finding{
				Path:       v.Schema.Path.With("x-kubernetes-preserve-unknown-fields"),
				Message:    "the schema does not declare the status",
				Suggestion: "properties: {status: {type: object, properties: …}}",
			})
		case !s.Exists():
			p.Report(Finding{
				Path:       v.Path.With("subresources", "status"),
				Message:    "the version has a status subresource, but no status in the schema: writes of it are dropped",
				Suggestion: "a status in the schema, or no subresource",
			})
		case s.Node["x-kubernetes-preserve-unknown-fields"] == true:
			p.Report(Finding{
				Path:       s.Path.With("x-kubernetes-preserve-unknown-fields"),
				Message:    "the status may have fields that the schema does not have",
				Suggestion: "properties for each field, and pruning",
			})
		case decoded.Map(s.Node, "properties") == nil:
			p.Report(Finding{
				Path:       s.Path,
				Message:    "the schema does not have the fields of the status",
				Suggestion: "properties: {observedGeneration: …, conditions: …}",
			})
		}
	},
}

package lint

import (
	"kstatus.dev/author/severity"
	"kstatus.dev/internal/decoded"
)

var conditions = &Check{
	ID: "L-11", Name: "conditions", Severity: severity.Warning,
	Doc: `the status has conditions

Conditions are the part of a status that generic programs read. Without conditions,
kubectl wait --for=condition, cli-utils (Helm 4, Flux) and Cluster API cannot find out
whether an object is ready. The conventions of the Kubernetes API request them
("Typical status properties").

Fix: a list of metav1.Condition with the summary condition Ready, and a controller
that writes it. In Go types: Conditions []metav1.Condition with +listType=map and
+listMapKey=type. Users of the API see the new field, so the fix is unsafe.`,
	Version: func(p *Pass, v Version) {
		s := v.Status()
		if decoded.Map(s.Node, "properties") == nil || s.Property("conditions").Exists() {
			return
		}
		p.Report(Finding{
			Path:       s.Path.With("properties"),
			Message:    "the status has no conditions, so generic programs cannot find out whether an object is ready",
			Suggestion: "conditions: a list of metav1.Condition",
			Fix:        &Fix{Edits: s.fieldEdits("conditions", conditionsSchema()), Unsafe: true, Risk: "the controller has to write them", Note: "the controller has to write them"},
		})
	},
}

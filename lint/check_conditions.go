package lint

import "kstatus.dev/severity"

var conditions = &Check{
	ID: "L-11", Name: "conditions", Severity: severity.Warning,
	Doc: `the status has conditions

Conditions are the one part of a status that generic programs read: kubectl wait
--for=condition, cli-utils (Helm 4, Flux) and Cluster API know no other way to learn
that an object is ready, and that it fails and why. The conventions of the
Kubernetes API ask for them ("Typical status properties").

Repair: a list of metav1.Condition with one that sums up, Ready, and a controller
that writes it. Where Go types make the definition: Conditions []metav1.Condition
with +listType=map and +listMapKey=type. The field is one that users of the API
see, so that adding it has to be agreed to.`,
	Version: func(p *Pass, v Version) {
		s := v.Status()
		if object(s.Node, "properties") == nil || s.Property("conditions").Exists() {
			return
		}
		p.Report(Finding{
			Path:       s.Path.With("properties"),
			Message:    "the status has no conditions, so that generic programs cannot tell whether an object is ready",
			Suggestion: "conditions: a list of metav1.Condition",
			Fix:        &Fix{Edits: s.fieldEdits("conditions", conditionsSchema()), Unsafe: true, Note: "the controller has to write them"},
		})
	},
}

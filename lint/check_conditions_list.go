package lint

import "kstatus.dev/severity"

var conditionsList = &Check{
	ID: "L-12", Name: "conditions-list", Severity: severity.Error,
	Doc: `the conditions are a list

Every reader of conditions expects a list: of anything else cli-utils (Helm 4,
Flux) says that the object cannot be judged, kubectl wait never ends, and clients
that read objects into metav1.Condition fail to decode them.

Repair: a list of metav1.Condition. Objects that are stored have to be converted,
so that there is no fix.`,
	Version: func(p *Pass, v Version) {
		list := v.Status().Property("conditions")
		if !list.Exists() || list.Type() == "array" {
			return
		}
		p.Report(Finding{
			Path:       list.Path,
			Message:    "the conditions are " + or(list.Type(), "of no type") + ", not a list",
			Suggestion: "conditions: a list of metav1.Condition",
		})
	},
}

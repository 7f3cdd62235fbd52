package lint

import "kstatus.dev/author/severity"

var conditionsList = &Check{
	ID: "L-12", Name: "conditions-list", Severity: severity.Error,
	Doc: `the conditions are a list

Every reader of conditions expects a list. With another type cli-utils (Helm 4, Flux)
fails for the object, kubectl wait never ends, and clients that decode into
metav1.Condition fail.

Fix: a list of metav1.Condition. Stored objects have to be converted, so the check
has no fix.`,
	Version: func(p *Pass, v Version) {
		list := v.Status().Property("conditions")
		if !list.Exists() || list.Type() == "array" {
			return
		}
		p.Report(Finding{
			Path:       list.Path,
			Message:    "the conditions are " + orElse(list.Type(), "without a type") + ", not a list",
			Suggestion: "conditions: a list of metav1.Condition",
		})
	},
}

package lint

import (
	"slices"
	"strings"

	"kstatus.dev/author/severity"
)

var summaryCondition = &Check{
	ID: "L-24", Name: "summary-condition", Severity: severity.Warning,
	Doc: `one of the conditions is Ready, or they are Reconciling and Stalled

cli-utils (Helm 4, Flux) reads only these three types. Objects that have
only other conditions are Current as soon as their generation is observed, and remain
Current. An Available=False, which users see as a failure, is ignored.

Fix: a condition Ready in addition to the others, or Reconciling and Stalled, which
are True only while the controller works or cannot continue. A schema does not have the
types of conditions. The check needs declared types, or an object of the kind with
conditions in the bundle. The controller has to write the condition, so the check has
no fix.`,
	CRD: func(p *Pass, crd CRD) {
		types, source := p.declaredConditions(crd)
		if len(types) == 0 || slices.ContainsFunc(types, func(t string) bool { return t == "Ready" || t == "Reconciling" || t == "Stalled" }) {
			return
		}
		for _, v := range crd.served() {
			if list, ok := v.conditions(); ok {
				p.current.Version = v.Name
				p.Report(Finding{
					Path:       list.Path,
					Message:    "cli-utils (Helm 4, Flux) reads none of the conditions that " + source + " has: " + strings.Join(bounded(types), ", "),
					Suggestion: "a condition Ready",
				})
				return
			}
		}
	},
}

// bounded shortens a long list of names.
func bounded(names []string) []string {
	const most = 6
	if len(names) <= most {
		return names
	}
	return append(slices.Clone(names[:most]), "…")
}

package lint

import (
	"slices"
	"strings"

	"kstatus.dev/severity"
)

var summaryCondition = &Check{
	ID: "L-24", Name: "summary-condition", Severity: severity.Warning,
	Doc: `one of the conditions is Ready, or they are Reconciling and Stalled

cli-utils (Helm 4, Flux) reads these three types and no other. A kind that
has conditions but none of them counts as done as soon as its generation is
observed, for good: an Available=False, which people see as a failure, is not seen.

Repair: a condition Ready besides the others, or Reconciling and Stalled, which are
True only while work goes on or cannot go on. The types of conditions stand in no
schema: the check speaks where they are declared, or where the bundle has an object
of the kind with conditions. The controller has to write it, so that there is no fix.`,
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
					Message:    "cli-utils (Helm 4, Flux) sees none of the conditions that " + source + " has: " + strings.Join(bounded(types), ", "),
					Suggestion: "a condition Ready",
				})
				return
			}
		}
	},
}

// bounded returns the first of many names.
func bounded(names []string) []string {
	const most = 6
	if len(names) <= most {
		return names
	}
	return append(slices.Clone(names[:most]), "…")
}

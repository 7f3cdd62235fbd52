package check

import (
	"strconv"

	"kstatus.dev/author/lint"
	"kstatus.dev/author/severity"
)

var staleSummary = &check{
	ID: "C-IC-6", Name: "stale-summary", Severity: severity.Warning,
	Doc: `the condition that core mirrors describes the present spec (C-IM-6, C-BC-4, C-CP-2)

Core mirrors the condition Ready, or Available of a control plane, even if it is True
for an earlier generation. A client that waits for the Cluster or Machine then takes
the old spec for the new one. Write Unknown or False together with the new
observedGeneration.`,
	Roles: rolesWithStatus,
	Object: func(p *pass, o providerObject) {
		c, ok := o.summary()
		_, mirror := summaryOf(o.role)
		if generation, observed := number(o.raw, "metadata", "generation"), number(c.raw, "observedGeneration"); ok && c.status() == "True" && observed > 0 && observed < generation {
			p.ForObject(o.index).Report(lint.Finding{
				Path: c.path.With("observedGeneration"),
				Message: quote(c.name()) + " is True for generation " + strconv.FormatInt(observed, 10) +
					", but the object is at " + strconv.FormatInt(generation, 10) + "; core mirrors it as " + mirror,
				Suggestion: "write Unknown until the controller has reconciled the new spec",
			})
		}
	},
}

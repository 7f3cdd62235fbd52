package check

import (
	"strings"

	"kstatus.dev/author/roles"
	"kstatus.dev/author/severity"
	"kstatus.dev/internal/decoded"
)

var availableColumn = &check{
	ID: "C-CP-2", Name: "available-column", Severity: severity.Info,
	Doc: `a control plane has the condition Available

Core mirrors Available, not Ready, as ControlPlaneAvailable of the Cluster. No schema
lists the conditions of a kind. A kind whose printer columns show Ready and not
Available probably has no Available.`,
	Roles: []roles.Role{roles.ControlPlane},
	Kind: func(p *pass, k kind) {
		ready := -1
		for i, column := range decoded.Maps(k.version.Raw, "additionalPrinterColumns") {
			reads := decoded.Text(column, "jsonPath")
			if !strings.Contains(reads, ".status.conditions") {
				continue
			}
			if strings.Contains(reads, "Available") {
				return
			}
			if strings.Contains(reads, "'Ready'") || strings.Contains(reads, `"Ready"`) {
				ready = i
			}
		}
		if ready >= 0 {
			p.report(k, k.version.Path.With("additionalPrinterColumns", ready), "the printer columns show the condition Ready; core mirrors Available", "report Available, and show it", nil)
		}
	},
}

package capi

import (
	"strings"

	"kstatus.dev/severity"
)

var availableColumn = &check{
	ID: "C-CP-2", Name: "available-column", Severity: severity.Info,
	Doc: `a control plane is known by its condition Available

Core mirrors Available, not Ready, as ControlPlaneAvailable of the Cluster. Which
conditions a kind has does not stand in its schema; one whose printed columns show
Ready and no Available is likely to have none.`,
	Roles: []Role{RoleControlPlane},
	Kind: func(p *pass, k kind) {
		ready := -1
		for i, item := range list(k.version.Raw, "additionalPrinterColumns") {
			column, _ := item.(map[string]any)
			reads := text(column, "jsonPath")
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
			p.report(k, k.version.Path.With("additionalPrinterColumns", ready), "the columns show the condition Ready, and core mirrors Available", "report Available, and show it", nil)
		}
	},
}

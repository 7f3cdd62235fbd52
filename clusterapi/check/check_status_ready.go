package check

import (
	"strings"

	"kstatus.dev/author/roles"
	"kstatus.dev/author/severity"
	"kstatus.dev/internal/decoded"
)

var statusReady = &check{
	ID: "L-32", Name: "status-ready", Severity: severity.Warning,
	Doc: `under v1beta2 status.ready is removed, or its description calls it deprecated (C-RES-4)

With the label of v1beta2 core does not read it. A user who sees both fields trusts
the shorter name, and the two can contradict each other. Pools of machines are
excepted: core still reads it there.`,
	Roles: []roles.Role{roles.InfraCluster, roles.InfraMachine, roles.BootstrapConfig, roles.ControlPlane}, Contract: ContractV1Beta2,
	Kind: func(p *pass, k kind) {
		s := k.field("status.ready")
		if !s.Exists() || k.lacks(initializedField(k.role, ContractV1Beta2)) || strings.Contains(strings.ToLower(decoded.Text(s.Node, "description")), "deprecated") {
			return
		}
		p.report(k, s.Path, "the kind has both status.ready and "+initializedField(k.role, ContractV1Beta2)+", and core does not read status.ready", "remove it, or call it deprecated in its description", nil)
	},
}

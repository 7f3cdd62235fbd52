package check

import (
	"kstatus.dev/author/roles"
	"kstatus.dev/internal/decoded"
)

import "kstatus.dev/author/severity"

var overwritesFailureDomain = &check{
	ID: "C-IM-5/object", Name: "overwrites-failure-domain", Severity: severity.Warning,
	Doc: `a machine does not set spec.failureDomain

Core overwrites spec.failureDomain of the Machine with it, under both contracts. If
the two differ, the machine is not in the requested failure domain.`,
	Roles: []roles.Role{roles.InfraMachine},
	Object: func(p *pass, o providerObject) {
		machine, ok := p.graph.user(o)
		if mine := decoded.Text(o.raw, "spec", "failureDomain"); mine != "" && ok && mine != decoded.Text(machine, "spec", "failureDomain") {
			p.reportObject(o, "spec.failureDomain", quote(mine)+" overwrites "+quote(decoded.Text(machine, "spec", "failureDomain"))+" of the Machine", "report status.failureDomain instead")
		}
	},
}

func oneOf(s string, some []string) bool {
	for _, one := range some {
		if one == s {
			return true
		}
	}
	return false
}

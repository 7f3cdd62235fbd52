package check

import "kstatus.dev/author/roles"

import "kstatus.dev/author/severity"

var templateCapacity = &check{
	ID: "C-IM-9", Name: "template-capacity", Severity: severity.Info,
	Doc: `a template of machines can report how large its machines are

The cluster autoscaler reads status.capacity and status.nodeInfo of the template to
scale a set of machines up from zero. Without them users have to write annotations.`,
	Roles: []roles.Role{roles.InfraMachineTemplate},
	Kind: func(p *pass, k kind) {
		if k.version.Name != "" && k.lacks("status.capacity") {
			p.report(k, k.existingPath("status.capacity"), "the template cannot report a capacity", "add status.capacity and status.nodeInfo", nil)
		}
	},
}

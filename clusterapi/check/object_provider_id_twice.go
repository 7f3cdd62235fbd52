package check

import (
	"kstatus.dev/author/roles"
	"kstatus.dev/internal/decoded"
)

import "kstatus.dev/author/severity"

var providerIDTwice = &check{
	ID: "C-IM-1/unique", Name: "provider-id-twice", Severity: severity.Error,
	Doc: `no two machines have the same provider ID

Core finds the Node of a Machine by it: two Machines would share one Node.`,
	Roles: []roles.Role{roles.InfraMachine},
	Object: func(p *pass, o providerObject) {
		id := decoded.Text(o.raw, "spec", "providerID")
		if first := p.graph.provided[p.graph.ids[o.idKey()]]; id != "" && first.index != o.index {
			p.reportObject(o, "spec.providerID", quote(id)+" is also the provider ID of "+quote(first.Namespace+"/"+first.Name), "give each machine its own")
		}
	},
}

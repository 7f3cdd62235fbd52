package check

import (
	"kstatus.dev/author/roles"
	"kstatus.dev/author/severity"
	"kstatus.dev/internal/integer"
)

var failureDomainsList = &check{
	ID: "C-IC-5", Name: "failure-domains-list", Severity: severity.Warning,
	Doc: `status.failureDomains is a list map by name, of at most 100 items

The API server then rejects two failure domains of the same name, and server-side
apply tracks the owner of each item. Core's Cluster accepts at most 100.`,
	Roles: []roles.Role{roles.InfraCluster}, Contract: ContractV1Beta2,
	Kind: func(p *pass, k kind) {
		s := k.field("status.failureDomains")
		if s.Type() != "array" {
			return
		}
		if !listMapBy(s, "name") {
			p.report(k, s.Path, "status.failureDomains is not a list map by name", "x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [name]", nil)
		}
		if n, ok := integer.Of(s.Node["maxItems"]); !ok || n > 100 {
			p.report(k, s.Path, "status.failureDomains may have more than the 100 items that a Cluster accepts", "maxItems: 100", nil)
		}
	},
}

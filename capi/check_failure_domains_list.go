package capi

import (
	"kstatus.dev/internal/integer"
	"kstatus.dev/severity"
)

var failureDomainsList = &check{
	ID: "C-IC-5", Name: "failure-domains-list", Severity: severity.Warning,
	Doc: `status.failureDomains is a list map by name, of at most 100

So the API server rejects two failure domains of one name, and a writer by
server-side apply owns its own only. Core's Cluster takes 100 at most.`,
	Roles: []Role{RoleInfraCluster}, Contract: ContractV1Beta2,
	Kind: func(p *pass, k kind) {
		s := k.field("status.failureDomains")
		if s.Type() != "array" {
			return
		}
		if !listMapBy(s, "name") {
			p.report(k, s.Path, "status.failureDomains is no list map by name", "x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [name]", nil)
		}
		if n, ok := integer.Of(s.Node["maxItems"]); !ok || n > 100 {
			p.report(k, s.Path, "status.failureDomains may be longer than the 100 that a Cluster takes", "maxItems: 100", nil)
		}
	},
}

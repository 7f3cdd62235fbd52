package check

import "kstatus.dev/author/roles"

import "kstatus.dev/author/severity"

var endpointOptional = &check{
	ID: "C-IC-3/optional", Name: "endpoint-optional", Severity: severity.Info,
	Doc: `host and port of spec.controlPlaneEndpoint are optional

The contract v1beta2 requires that, and minProperties 1. If they are required,
clients that marshal an empty endpoint write host "" and port 0. That is neither a
valid endpoint nor no endpoint.`,
	Roles: []roles.Role{roles.InfraCluster, roles.ControlPlane}, Contract: ContractV1Beta2,
	Kind: func(p *pass, k kind) {
		s := k.field("spec.controlPlaneEndpoint")
		for _, name := range []string{"host", "port"} {
			if at, yes := requires(s, name); yes {
				p.report(k, at, "spec.controlPlaneEndpoint."+name+" is required", "make it optional", nil)
			}
		}
	},
}

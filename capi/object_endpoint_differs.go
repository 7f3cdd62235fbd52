package capi

import "kstatus.dev/severity"

var endpointDiffers = &check{
	ID: "C-IC-4", Name: "endpoint-differs", Severity: severity.Warning,
	Doc: `the endpoint of the infrastructure stays that of the Cluster

Core copies the endpoint once. If the infrastructure changes it afterwards, or has
another one than the user has set, the Cluster and its kubeconfig go on with the old
one, and nothing says so.`,
	Roles: []Role{RoleInfraCluster},
	Object: func(p *pass, o providerObject) {
		cluster, ok := p.graph.user(o)
		if mine, its := endpointOf(o.raw), endpointOf(cluster); ok && mine != "" && its != "" && mine != its {
			p.reportObject(o, "spec.controlPlaneEndpoint", "the endpoint is "+quote(mine)+", that of the Cluster is "+quote(its), "keep an endpoint once it is published")
		}
	},
}

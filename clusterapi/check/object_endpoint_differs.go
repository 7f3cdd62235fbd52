package check

import "kstatus.dev/author/roles"

import "kstatus.dev/author/severity"

var endpointDiffers = &check{
	ID: "C-IC-4", Name: "endpoint-differs", Severity: severity.Warning,
	Doc: `the endpoint of the infrastructure equals the endpoint of the Cluster

Core copies the endpoint once. The infrastructure may change it later, or the user
may have set another one. Then the Cluster and its kubeconfig keep the old endpoint,
without an error.`,
	Roles: []roles.Role{roles.InfraCluster},
	Object: func(p *pass, o providerObject) {
		cluster, ok := p.graph.user(o)
		if mine, its := endpointOf(o.raw), endpointOf(cluster); ok && mine != "" && its != "" && mine != its {
			p.reportObject(o, "spec.controlPlaneEndpoint", "the endpoint is "+quote(mine)+", the endpoint of the Cluster is "+quote(its), "do not change an endpoint once it is published")
		}
	},
}

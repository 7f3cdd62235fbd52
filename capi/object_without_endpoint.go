package capi

import (
	"net"
	"strconv"

	"kstatus.dev/severity"
)

// endpointOf returns the endpoint of an object; empty unless both parts are there.
func endpointOf(o map[string]any) string {
	host, port := text(o, "spec", "controlPlaneEndpoint", "host"), number(o, "spec", "controlPlaneEndpoint", "port")
	if host == "" || port == 0 {
		return ""
	}
	return net.JoinHostPort(host, strconv.FormatInt(port, 10))
}

var withoutEndpoint = &check{
	ID: "C-IC-3/object", Name: "without-endpoint", Severity: severity.Warning,
	Doc: `a cluster that is provisioned has an endpoint from somewhere

Core takes the endpoint from the infrastructure when that is provisioned. If neither
it nor the Cluster nor the control plane has one then, the control plane waits for it
with nothing to say why. A load balancer that belongs to the control plane provider
may still bring it.`,
	Roles: []Role{RoleInfraCluster},
	Object: func(p *pass, o providerObject) {
		cluster, ok := p.graph.user(o)
		if !ok || !o.initialized() || o.deleting() || endpointOf(o.raw) != "" || endpointOf(cluster) != "" {
			return
		}
		if ref, there := target(cluster, "spec", "controlPlaneRef"); there {
			if cp, found := p.graph.find(ref); found && endpointOf(cp) != "" {
				return
			}
		}
		p.reportObject(o, "spec.controlPlaneEndpoint", "provisioned, and nobody has said an endpoint", "set the endpoint before provisioned")
	},
}

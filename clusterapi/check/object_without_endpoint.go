package check

import (
	"net"
	"strconv"

	"kstatus.dev/author/roles"
	"kstatus.dev/author/severity"
	"kstatus.dev/internal/decoded"
)

// endpointOf returns the endpoint of an object. It is empty unless host and
// port are set.
func endpointOf(o map[string]any) string {
	host, port := decoded.Text(o, "spec", "controlPlaneEndpoint", "host"), number(o, "spec", "controlPlaneEndpoint", "port")
	if host == "" || port == 0 {
		return ""
	}
	return net.JoinHostPort(host, strconv.FormatInt(port, 10))
}

var withoutEndpoint = &check{
	ID: "C-IC-3/object", Name: "without-endpoint", Severity: severity.Warning,
	Doc: `a provisioned cluster has an endpoint

Core takes the endpoint from the infrastructure when that is provisioned. If the
infrastructure, the Cluster and the control plane have no endpoint then, the control
plane waits for one, without an error. A load balancer of the control plane provider
may still supply it.`,
	Roles: []roles.Role{roles.InfraCluster},
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
		p.reportObject(o, "spec.controlPlaneEndpoint", "the cluster is provisioned, but no object has an endpoint", "set the endpoint before you report provisioned")
	},
}

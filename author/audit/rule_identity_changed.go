package audit

import (
	"fmt"

	"kstatus.dev/author/severity"
	"kstatus.dev/internal/decoded"
)

var identityChanged = &Rule{
	ID: "W-38", Name: "identity-changed", Severity: severity.Error,
	Doc: `spec.providerID and spec.controlPlaneEndpoint do not change once they are set

A Machine finds its Node by the providerID, and every kubeconfig of a cluster
contains the endpoint. Both are copied to other objects, and the endpoint is copied
only once. After a change the copies are wrong. If the external resource was
replaced, report the old object as gone, and let a new object replace it.`,
	OnChange: func(p *Pass) {
		was, is := decoded.Map(p.Old.Object, "spec"), decoded.Map(p.New.Object, "spec")
		if id, now := decoded.Text(was, "providerID"), decoded.Text(is, "providerID"); id != "" && id != now {
			p.Report(".spec.providerID", "went from %q to %q", id, now)
		}
		before, after := endpoint(was), endpoint(is)
		if before != "" && before != after {
			p.Report(".spec.controlPlaneEndpoint", "went from %q to %q", before, after)
		}
	},
}

// endpoint returns spec.controlPlaneEndpoint as host:port. It is empty unless
// both are set.
func endpoint(spec map[string]any) string {
	at := decoded.Map(spec, "controlPlaneEndpoint")
	port, _ := decoded.Int(at, "port")
	if at == nil || decoded.Text(at, "host") == "" || port == 0 {
		return ""
	}
	return fmt.Sprintf("%s:%d", decoded.Text(at, "host"), port)
}

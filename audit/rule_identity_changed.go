package audit

import (
	"fmt"

	"kstatus.dev/internal/integer"
	"kstatus.dev/severity"
)

var identityChanged = &Rule{
	ID: "W-38", Name: "identity-changed", Severity: severity.Error,
	Doc: `spec.providerID and spec.controlPlaneEndpoint stay as they were first set

A Machine finds its Node by the providerID, and every kubeconfig of a cluster holds
the endpoint; both are copied to other objects, the endpoint never again. One that
changes cuts these loose. If the thing outside became another one, the object is
another one, too: report the old one as gone, and let it be replaced.`,
	OnChange: func(p *Pass) {
		was, is := object(p.Old.Object, "spec"), object(p.New.Object, "spec")
		if id, now := text(was, "providerID"), text(is, "providerID"); id != "" && id != now {
			p.Report(".spec.providerID", "went from %q to %q", id, now)
		}
		before, after := endpoint(was), endpoint(is)
		if before != "" && before != after {
			p.Report(".spec.controlPlaneEndpoint", "went from %q to %q", before, after)
		}
	},
}

// endpoint returns spec.controlPlaneEndpoint as host:port; empty if it is not complete.
func endpoint(spec map[string]any) string {
	at := object(spec, "controlPlaneEndpoint")
	port, _ := integer.Of(at["port"])
	if at == nil || text(at, "host") == "" || port == 0 {
		return ""
	}
	return fmt.Sprintf("%s:%d", text(at, "host"), port)
}

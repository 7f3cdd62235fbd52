package check

import (
	"kstatus.dev/author/severity"
	"kstatus.dev/internal/decoded"
)

var statusSubresource = &check{
	ID: "C-ALL-3", Name: "role-status-subresource", Severity: severity.Error,
	Doc: `the status is a subresource (L-01)

Without the subresource, each write of the status increases metadata.generation, so
observedGeneration never catches up. Also, everybody with permission to write the
spec may write the status.`,
	General: "L-01",
	Roles:   rolesWithStatus,
	Kind: func(p *pass, k kind) {
		if k.version.Name == "" || k.version.StatusSubresource() {
			return
		}
		at, value := k.version.Path.With("subresources"), map[string]any{"status": map[string]any{}}
		fix := add(at, value)
		if decoded.Map(k.version.Raw, "subresources") != nil {
			fix = add(at.With("status"), map[string]any{})
		}
		fix.Unsafe, fix.Risk = true, "the controller has to write the status through the subresource"
		p.report(k, k.version.Path, "the status is not a subresource", "subresources: {status: {}}", fix)
	},
}

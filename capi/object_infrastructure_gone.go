package capi

import (
	"kstatus.dev/lint"
	"kstatus.dev/severity"
)

var infrastructureGone = &check{
	ID: "C-IC-8", Name: "infrastructure-gone", Severity: severity.Error,
	Doc: `what a Cluster or Machine has been provisioned by does not vanish before it (C-IM-7)

Core returns an error on each reconcile, and writes the failure into the Machine for
good. The owner goes first, and takes what it refers to with it.`,
	Bundle: func(p *pass) {
		if !p.options.Complete {
			return
		}
		g := p.options.graphOf(p.Pass)
		for i, o := range p.Bundle.Objects {
			r := refOf(o)
			if r.group != coreGroup || r.kind != "Cluster" && r.kind != "Machine" || text(o, "metadata", "deletionTimestamp") != "" {
				continue
			}
			t, ok := target(o, "spec", "infrastructureRef")
			if _, found := g.find(t); ok && !found && isTrue(o, "status", "initialization", "infrastructureProvisioned") {
				p.ForObject(i).Report(lint.Finding{
					Path:       path("spec.infrastructureRef"),
					Message:    "provisioned, and there is no " + quote(t.kind) + " " + quote(t.name),
					Suggestion: "delete the " + r.kind + " first",
				})
			}
		}
	},
}

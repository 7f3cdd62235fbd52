package check

import (
	"kstatus.dev/author/lint"
	"kstatus.dev/author/severity"
	"kstatus.dev/internal/decoded"
)

var infrastructureGone = &check{
	ID: "C-IC-8", Name: "infrastructure-gone", Severity: severity.Error,
	Doc: `the infrastructure of a Cluster or Machine is not deleted before its owner (C-IM-7)

Core returns an error on each reconcile, and sets a permanent failure on the Machine.
Delete the owner first: it deletes the objects that it refers to.`,
	Bundle: func(p *pass) {
		if !p.options.Complete {
			return
		}
		g := p.options.graphOf(p.Pass)
		for i, o := range p.Bundle.Objects {
			id := idOf(o)
			if id.Group != coreGroup || id.Kind.Kind != "Cluster" && id.Kind.Kind != "Machine" || decoded.Text(o, "metadata", "deletionTimestamp") != "" {
				continue
			}
			t, ok := target(o, "spec", "infrastructureRef")
			if _, found := g.find(t); ok && !found && decoded.Bool(o, "status", "initialization", "infrastructureProvisioned") {
				p.ForObject(i).Report(lint.Finding{
					Path:       path("spec.infrastructureRef"),
					Message:    "the infrastructure is provisioned, but " + t.Kind.Kind + " " + quote(t.Name) + " does not exist",
					Suggestion: "delete the " + id.Kind.Kind + " first",
				})
			}
		}
	},
}

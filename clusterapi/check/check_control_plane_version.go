package check

import (
	"kstatus.dev/author/lint"
	"kstatus.dev/author/roles"
	"kstatus.dev/author/severity"
)

var controlPlaneVersion = &check{
	ID: "C-CP-4", Name: "control-plane-version", Severity: severity.Error,
	Doc: `a control plane with a version reports the versions it runs

The topology sets spec.version. It upgrades workers when status.versions (since
Cluster API v1.14, or the older status.version) has reached it. A control plane with
a template is meant for a ClusterClass, and needs spec.version.`,
	Bundle: func(p *pass) {
		kinds := p.options.kinds(p.Pass)
		for _, k := range kinds {
			if k.role != roles.ControlPlane || k.version.Name == "" {
				continue
			}
			if !k.lacks("spec.version") {
				if k.lacks("status.versions") && k.lacks("status.version") {
					p.ForObject(k.Index).Report(lint.Finding{
						Path:       k.existingPath("status.versions"),
						Message:    "neither status.versions nor status.version exists: upgrades never finish",
						Suggestion: "add status.versions",
					})
				}
				continue
			}
			for _, t := range kinds {
				if t.Group == k.Group && t.Kind == k.Kind+"Template" {
					p.ForObject(k.Index).Report(lint.Finding{
						Path:       k.existingPath("spec.version"),
						Message:    "the kind has a template for ClusterClasses, but no spec.version for the topology to set",
						Suggestion: "add spec.version, a string",
					})
				}
			}
		}
	},
}

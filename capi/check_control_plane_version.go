package capi

import "kstatus.dev/lint"

var controlPlaneVersion = &check{
	ID: "C-CP-4", Name: "control-plane-version", Severity: lint.Error,
	Doc: `a control plane with a version reports the versions it runs

The topology sets spec.version, and upgrades workers when status.versions (since
Cluster API v1.14, or the older status.version) has got there. A control plane with a
template is one for a ClusterClass, and needs spec.version.`,
	Bundle: func(p *pass) {
		kinds := p.options.kinds(p.Pass)
		for _, k := range kinds {
			if k.role != RoleControlPlane || k.version.Name == "" {
				continue
			}
			if !k.lacks("spec.version") {
				if k.lacks("status.versions") && k.lacks("status.version") {
					p.ReportOn(k.Index, k.near("status.versions"), "neither status.versions nor status.version is there: upgrades never end", "add status.versions", nil)
				}
				continue
			}
			for _, t := range kinds {
				if t.Group == k.Group && t.Kind == k.Kind+"Template" {
					p.ReportOn(k.Index, k.near("spec.version"), "there is a template for ClusterClasses, but no spec.version for the topology to set", "add spec.version, a string", nil)
				}
			}
		}
	},
}

package check

import "kstatus.dev/author/roles"

import "kstatus.dev/author/severity"

var templateShape = &check{
	ID: "L-37", Name: "template-shape", Severity: severity.Warning,
	Doc: `a template holds an object at spec.template, with metadata and spec (C-IC-9, C-IM-8, C-BC-6)

Core clones spec.template: its spec becomes the object's spec, and its metadata the
object's labels and annotations.`,
	Roles: []roles.Role{roles.InfraClusterTemplate, roles.InfraMachineTemplate, roles.InfraMachinePoolTemplate, roles.BootstrapConfigTemplate, roles.ControlPlaneTemplate},
	Kind: func(p *pass, k kind) {
		if k.version.Name == "" {
			return
		}
		for _, path := range []string{"spec.template.spec", "spec.template.metadata"} {
			if k.lacks(path) {
				p.report(k, k.existingPath(path), "the template has no "+path, "add "+path+", an object", nil)
			}
		}
	},
}

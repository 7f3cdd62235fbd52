package check

import (
	"kstatus.dev/author/lint"
	"kstatus.dev/author/roles"
	"kstatus.dev/author/severity"
)

var conditionsList = &check{
	ID: "C-CO-1", Name: "role-conditions", Severity: severity.Warning,
	Doc: `status.conditions is a list map by type (L-11, L-12, L-13)

Core mirrors a condition of the object: Ready, or Available of a control plane. A
field that is not a list counts as no conditions, without an error. If a type can be
in the list twice, core and other readers use the first one.`,
	General: "L-13",
	Roles:   []roles.Role{roles.InfraCluster, roles.InfraMachine, roles.InfraMachinePool, roles.BootstrapConfig, roles.ControlPlane, roles.IPPool},
	Kind: func(p *pass, k kind) {
		s := k.field("status.conditions")
		switch {
		case k.version.Name == "":
		case !s.Exists() && k.field("status.v1beta2.conditions").Type() == "array":
		case !s.Exists():
			if k.lacks("status.conditions") {
				p.report(k, k.existingPath("status.conditions"), "the status has no conditions", "add status.conditions, a list map of metav1.Condition by type", nil)
			}
		case s.Type() != "array":
			p.report(k, s.Path.With("type"), "status.conditions is "+article(s.Type())+", which core reads as no conditions", "type: array", nil)
		case !listMapBy(s, "type"):
			p.report(k, s.Path, "status.conditions is not a list map by type", "x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [type]",
				&lint.Fix{Edits: []lint.Edit{{Op: lint.OpAdd, Path: s.Path.With("x-kubernetes-list-type"), Value: "map"},
					{Op: lint.OpAdd, Path: s.Path.With("x-kubernetes-list-map-keys"), Value: []any{"type"}}}, Unsafe: true, Risk: "stored objects may have a type twice", Note: "stored objects may hold a type twice"})
		}
	},
}

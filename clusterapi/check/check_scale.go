package check

import (
	"kstatus.dev/author/roles"
	"kstatus.dev/internal/decoded"
)

import "kstatus.dev/author/severity"

var scale = &check{
	ID: "L-40", Name: "scale", Severity: severity.Error,
	Doc: `a control plane with spec.replicas has the scale subresource (C-CP-3)

Its paths are .spec.replicas, .status.replicas and .status.selector. kubectl scale
and autoscalers use it.`,
	Roles: []roles.Role{roles.ControlPlane},
	Kind: func(p *pass, k kind) {
		if !k.field("spec.replicas").Exists() {
			return
		}
		want := map[string]any{"specReplicasPath": ".spec.replicas", "statusReplicasPath": ".status.replicas", "labelSelectorPath": ".status.selector"}
		at := k.version.Path.With("subresources", "scale")
		have := decoded.Map(k.version.Raw, "subresources", "scale")
		switch {
		case decoded.Map(k.version.Raw, "subresources") == nil:
			return // see role-status-subresource
		case have == nil:
			p.report(k, k.version.Path.With("subresources"), "the kind has no scale subresource", "add scale to the subresources", add(at, want))
		default:
			for _, name := range []string{"specReplicasPath", "statusReplicasPath", "labelSelectorPath"} {
				if decoded.Text(have, name) != want[name] {
					p.report(k, at.With(name), name+" is "+quote(decoded.Text(have, name)), name+": "+want[name].(string), add(at.With(name), want[name]))
				}
			}
		}
	},
}

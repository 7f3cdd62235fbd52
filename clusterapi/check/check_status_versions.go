package check

import "kstatus.dev/author/roles"

import "kstatus.dev/author/severity"

var statusVersions = &check{
	ID: "C-CP-4/list", Name: "status-versions", Severity: severity.Info,
	Doc: `a control plane lists all its versions, not only the lowest

Since v1.14 core prefers status.versions, a list map by version from the oldest to
the newest. status.version is deprecated, and the next contract removes it.`,
	Roles: []roles.Role{roles.ControlPlane}, Contract: ContractV1Beta2,
	Kind: func(p *pass, k kind) {
		s := k.field("status.versions")
		switch {
		case !s.Exists() && k.field("status.version").Exists():
			p.report(k, k.field("status.version").Path, "status.version is deprecated, and status.versions is missing", "add status.versions", nil)
		case s.Exists() && !listMapBy(s, "version"):
			p.report(k, s.Path, "status.versions is not a list map by version", "x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [version]", nil)
		}
	},
}

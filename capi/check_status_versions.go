package capi

import "kstatus.dev/severity"

var statusVersions = &check{
	ID: "C-CP-4/list", Name: "status-versions", Severity: severity.Info,
	Doc: `a control plane lists its versions, not only the lowest

status.versions, a list map by version from the oldest to the newest, is what core
prefers since v1.14. status.version is deprecated, and goes with the next contract.`,
	Roles: []Role{RoleControlPlane}, Contract: ContractV1Beta2,
	Kind: func(p *pass, k kind) {
		s := k.field("status.versions")
		switch {
		case !s.Exists() && k.field("status.version").Exists():
			p.report(k, k.field("status.version").Path, "status.version is deprecated, and there is no status.versions", "add status.versions", nil)
		case s.Exists() && !listMapBy(s, "version"):
			p.report(k, s.Path, "status.versions is no list map by version", "x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [version]", nil)
		}
	},
}

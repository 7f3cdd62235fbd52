package check

import (
	"strings"

	"kstatus.dev/author/roles"
	"kstatus.dev/author/severity"
)

var initialization = &check{
	ID: "L-31", Name: "initialization", Severity: severity.Error,
	Doc: `the kind can report that its infrastructure, data or control plane exists (C-IC-1, C-IM-3, C-MP-1, C-BC-2, C-CP-1, C-RES-4)

A Cluster or Machine waits for one boolean of each object that it refers to:

  - v1beta2: status.initialization.provisioned
  - v1beta2, bootstrap configs: status.initialization.dataSecretCreated
  - v1beta2, control planes: status.initialization.controlPlaneInitialized
  - v1beta1: status.ready
  - v1beta1, control planes: status.initialized

The label decides which field core reads, without a fallback. With the label of
v1beta2 core ignores status.ready, and the Cluster waits forever. For pools of
machines see pool-ready.`,
	Roles: rolesWithStatus,
	Kind: func(p *pass, k kind) {
		path := initializedField(k.role, k.contract)
		because := "core waits for it first"
		if k.role == roles.InfraMachinePool && k.contract == ContractV1Beta2 {
			because = "the contract requires it, although core up to v1.14 reads only status.ready of pools"
		} else if old := initializedField(k.role, ContractV1Beta1); k.contract == ContractV1Beta2 && k.field(old).Exists() && old != path {
			because = "core reads it under v1beta2, and does not read " + old
		}
		schema := map[string]any{"type": "boolean"}
		if k.contract == ContractV1Beta2 && k.lacks("status.initialization") {
			name := strings.TrimPrefix(path, "status.initialization.")
			if k.version.Name != "" {
				p.report(k, k.existingPath(path), path+" is missing: "+because, "add "+path, k.unsafeFix("status.initialization",
					map[string]any{"type": "object", "minProperties": int64(1), "properties": map[string]any{name: schema}}))
			}
			return
		}
		p.need(k, path, because, schema)
	},
}

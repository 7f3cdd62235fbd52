package capi

import (
	"strings"

	"kstatus.dev/severity"
)

var initialization = &check{
	ID: "L-31", Name: "initialization", Severity: severity.Error,
	Doc: `the kind can say that what it stands for has come to be (C-IC-1, C-IM-3, C-MP-1, C-BC-2, C-CP-1, C-RES-4)

A Cluster or Machine waits for one boolean of each object that it refers to. Under
v1beta2 it is status.initialization.provisioned, for bootstrap configs
status.initialization.dataSecretCreated, for control planes
status.initialization.controlPlaneInitialized. Under v1beta1 it is status.ready, for
control planes status.initialized. The label decides which one is read, and core
never falls back: with the label of v1beta2, status.ready is not looked at, and
the Cluster waits for ever. For pools of machines see pool-ready.`,
	Roles: reporting,
	Kind: func(p *pass, k kind) {
		path := initializedField(k.role, k.contract)
		because := "core waits for it before anything else"
		if k.role == RoleInfraMachinePool && k.contract == ContractV1Beta2 {
			because = "the contract asks for it; core up to v1.14 reads only status.ready of pools"
		} else if old := initializedField(k.role, ContractV1Beta1); k.contract == ContractV1Beta2 && k.field(old).Exists() && old != path {
			because = "core reads it under v1beta2, and " + old + " not at all"
		}
		schema := map[string]any{"type": "boolean"}
		if k.contract == ContractV1Beta2 && k.lacks("status.initialization") {
			name := strings.TrimPrefix(path, "status.initialization.")
			if k.version.Name != "" {
				p.report(k, k.near(path), path+" is missing: "+because, "add "+path, k.unsafely("status.initialization",
					map[string]any{"type": "object", "minProperties": int64(1), "properties": map[string]any{name: schema}}))
			}
			return
		}
		p.need(k, path, because, schema)
	},
}

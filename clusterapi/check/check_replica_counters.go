package check

import "kstatus.dev/author/roles"

import "kstatus.dev/author/severity"

var replicaCounters = &check{
	ID: "C-CP-3", Name: "replica-counters", Severity: severity.Error,
	Doc: `a control plane with spec.replicas counts its replicas in the status

Core copies the counters to the Cluster, and its topology waits for them before it
upgrades workers. Both contracts have replicas and readyReplicas. v1beta2 adds
availableReplicas and upToDateReplicas, v1beta1 updatedReplicas and
unavailableReplicas. status.selector selects the Machines.`,
	Roles: []roles.Role{roles.ControlPlane},
	Kind: func(p *pass, k kind) {
		if !k.field("spec.replicas").Exists() {
			return
		}
		for _, f := range fieldsOf(roles.ControlPlane, k.contract) {
			if f.Rule != "C-CP-3" || f.Path == "spec.replicas" {
				continue
			}
			schema := map[string]any{"type": f.Type}
			if f.Type == "integer" {
				schema["format"] = "int32"
			}
			p.need(k, f.Path, "core and its topology read this counter", schema)
		}
	},
}

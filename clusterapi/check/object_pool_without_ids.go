package check

import (
	"strconv"

	"kstatus.dev/author/roles"
	"kstatus.dev/author/severity"
	"kstatus.dev/internal/decoded"
)

var poolWithoutIDs = &check{
	ID: "C-MP-2/object", Name: "pool-without-ids", Severity: severity.Warning,
	Doc: `a pool with replicas lists their provider IDs

Core waits while the list is empty and status.replicas is not 0.`,
	Roles: []roles.Role{roles.InfraMachinePool},
	Object: func(p *pass, o providerObject) {
		if n := number(o.raw, "status", "replicas"); decoded.Bool(o.raw, "status", "ready") && n > 0 && len(decoded.List(o.raw, "spec", "providerIDList")) == 0 {
			p.reportObject(o, "spec.providerIDList", "the pool is ready with "+strconv.FormatInt(n, 10)+" replicas, but spec.providerIDList is empty", "set spec.providerIDList before you report ready")
		}
	},
}

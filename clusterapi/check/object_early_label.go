package check

import (
	"strings"

	"kstatus.dev/author/roles"
	"kstatus.dev/author/severity"
	"kstatus.dev/internal/decoded"
)

var earlyLabel = &check{
	ID: "C-RES-4", Name: "early-label", Severity: severity.Error,
	Doc: `an object under v1beta2 does not report in status.ready alone

With the label of v1beta2 core reads only status.initialization. An object whose
provider writes only status.ready never becomes provisioned.`,
	Roles: []roles.Role{roles.InfraCluster, roles.InfraMachine, roles.BootstrapConfig, roles.ControlPlane}, Contract: ContractV1Beta2,
	Object: func(p *pass, o providerObject) {
		path := initializedField(o.role, ContractV1Beta2)
		_, old, _ := strings.Cut(initializedField(o.role, ContractV1Beta1), ".")
		if decoded.Bool(o.raw, "status", old) && !o.initialized() {
			p.reportObject(o, path, "status."+old+" is true and "+path+" is not: under v1beta2 core waits for the second", "write "+path)
		}
	},
}

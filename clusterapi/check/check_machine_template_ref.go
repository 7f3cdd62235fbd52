package check

import "kstatus.dev/author/roles"

import "kstatus.dev/author/severity"

var machineTemplateRef = &check{
	ID: "C-CP-5", Name: "machine-template-ref", Severity: severity.Error,
	Doc: `a control plane with machines has the reference to their template where core's topology writes it

Under v1beta2 the path is spec.machineTemplate.spec.infrastructureRef, under v1beta1
spec.machineTemplate.infrastructureRef. A control plane without machines of its own
has neither. It may still have a machineTemplate for its metadata.`,
	Roles: []roles.Role{roles.ControlPlane},
	Kind: func(p *pass, k kind) {
		path, other := "spec.machineTemplate.spec.infrastructureRef", "spec.machineTemplate.infrastructureRef"
		if k.contract == ContractV1Beta1 {
			path, other = other, path
		}
		if k.field(other).Exists() && k.lacks(path) {
			p.report(k, k.field(other).Path, "the topology writes the reference to "+path+" under "+string(k.contract), "add "+path, nil)
		}
	},
}

package capi

import "kstatus.dev/lint"

var machineTemplateRef = &check{
	ID: "C-CP-5", Name: "machine-template-ref", Severity: lint.Error,
	Doc: `a control plane with machines refers to their template where core's topology writes it

That is spec.machineTemplate.spec.infrastructureRef under v1beta2, and
spec.machineTemplate.infrastructureRef under v1beta1.`,
	Roles: []Role{ControlPlane},
	Kind: func(p *pass, k kind) {
		path := "spec.machineTemplate.spec.infrastructureRef"
		if k.contract == V1Beta1 {
			path = "spec.machineTemplate.infrastructureRef"
		}
		if k.field("spec.machineTemplate").There() && k.lacks(path) {
			p.report(k, k.near(path), path+" is missing: the topology writes it under "+string(k.contract), "add "+path, nil)
		}
	},
}

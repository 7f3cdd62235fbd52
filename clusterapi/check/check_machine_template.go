package check

import "kstatus.dev/author/roles"

import "kstatus.dev/author/severity"

var templateMissing = &check{
	ID: "C-IM-8", Name: "machine-template", Severity: severity.Error,
	Doc: `machines and bootstrap configs have templates (C-BC-6)

MachineSets and control planes create machines and bootstrap configs from templates
named <Kind>Template. Without a template, the kind works only with single Machines. A
machine that only pools create (…MachinePoolMachine) needs none.`,
	Bundle: func(p *pass) { p.templates([]roles.Role{roles.InfraMachine, roles.BootstrapConfig}) },
}

package check

import (
	"kstatus.dev/author/lint"
	"kstatus.dev/author/roles"
	"kstatus.dev/author/severity"
)

var poolMachines = &check{
	ID: "C-MP-3", Name: "pool-machines", Severity: severity.Warning,
	Doc: `the machines of a pool are served in the version of the pool

With status.infrastructureMachineKind a pool names the kind of its machines, but not
their version. Core lists them in the group and the version in which it reads the
pool.`,
	Bundle: func(p *pass) {
		kinds := p.options.kinds(p.Pass)
		machines := func(group, version string) (any, inVersion bool) {
			for _, k := range kinds {
				if k.Group != group || k.role != roles.InfraMachine {
					continue
				}
				any = true
				for _, v := range k.Versions {
					inVersion = inVersion || v.Served && v.Name == version
				}
			}
			return any, inVersion
		}
		for _, k := range kinds {
			s := k.field("status.infrastructureMachineKind")
			if k.role != roles.InfraMachinePool || !s.Exists() {
				continue
			}
			if any, in := machines(k.Group, k.version.Name); any && !in {
				p.ForObject(k.Index).Report(lint.Finding{
					Path:       s.Path,
					Message:    "no kind of the group for machines is served in " + quote(k.version.Name) + ", in which core reads the pool",
					Suggestion: "serve the machines in the same version",
				})
			}
		}
	},
}

package audit

import (
	"kstatus.dev/author/severity"
	"kstatus.dev/internal/decoded"
)

var initializationUndone = &Rule{
	ID: "W-19", Name: "initialization-undone", Severity: severity.Error,
	Doc: `A field of status.initialization stays true

The fields report steps that happen once: the infrastructure is provisioned, or the
control plane is initialized. Cluster API acts on them, and for some kinds reverts
its action if they become false. Conditions may change back, but these fields may
not. Read the present value before you write the status, and report problems in a
condition. If another writer removed the status, the finding has severity info; the
controller must restore the field.`,
	OnChange: func(p *Pass) {
		was, is := decoded.Map(p.Old.Status(), "initialization"), decoded.Map(p.New.Status(), "initialization")
		for _, k := range sortedKeys(was) {
			if was[k] != true || is[k] == true || p.New.Gone {
				continue
			}
			now := "gone"
			if is[k] != nil {
				now = "no longer true"
			}
			if p.BySameWriter() {
				p.Report(".status.initialization."+k, "was true, and is %s", now)
			} else {
				p.ReportInfo(".status.initialization."+k, "was true, and is %s after a write by another manager than the status writer", now)
			}
		}
	},
}

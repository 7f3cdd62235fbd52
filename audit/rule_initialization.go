package audit

import "kstatus.dev/severity"

var initializationUndone = &Rule{
	ID: "W-19", Name: "initialization-undone", Severity: severity.Error,
	Doc: `What is true in status.initialization stays true

These fields say that something has been done once: infrastructure provisioned, a
control plane initialized. Cluster API acts on them, and for some kinds undoes what
it did if they go back. Conditions may blink, these may not: read the present value
before writing the status, and report trouble as a condition. That somebody else
wiped the status is told as information; the controller must restore it.`,
	OnChange: func(p *Pass) {
		was, is := object(p.Old.Status(), "initialization"), object(p.New.Status(), "initialization")
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
				p.ReportInfo(".status.initialization."+k, "was true, and is %s by a write of somebody who does not keep the status", now)
			}
		}
	},
}

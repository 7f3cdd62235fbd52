package audit

import (
	"strings"

	"kstatus.dev/author/roles"
	"kstatus.dev/author/severity"
	"kstatus.dev/internal/decoded"
)

var failureFields = &Rule{
	ID: "W-44", Name: "failure-fields", Severity: severity.Error,
	Doc: `A controller does not set status.failureReason and status.failureMessage

The v1beta2 contract of Cluster API has removed them: they mean a permanent failure,
and few failures are. Core still copies them, and never clears the copy. On the
objects of a MachinePool it runs into a nil pointer. Report the failure in a
condition whose reason tells whether it is permanent. A violation is that a field is
set, changed or cleared on an object of Cluster API. Its severity is error for
objects of a MachinePool, and info for others.`,
	OnVersion: func(p *Pass) {
		if !strings.HasSuffix(p.New.ID.Group, capiGroup) && clusterOf(p.New) == "" {
			return
		}
		status := p.New.Status()
		for _, field := range [...]string{"failureReason", "failureMessage"} {
			is, was := decoded.Text(status, field), ""
			if p.Old != nil {
				was = decoded.Text(p.Old.Status(), field)
			}
			if is == was {
				continue
			}
			what := "set"
			switch {
			case is == "":
				what = "cleared"
			case was != "":
				what = "changed"
			}
			report := p.ReportInfo
			if isOfMachinePool(p) {
				report = p.Report
			}
			report(".status."+field, "%s at generation %d", what, p.New.Generation)
		}
	},
}

// isOfMachinePool reports whether the core of Cluster API reads the object for a
// MachinePool.
func isOfMachinePool(p *Pass) bool {
	if p.Role() == roles.InfraMachinePool {
		return true
	}
	for o := range owners(p.New) {
		if o.Kind == capiMachinePool {
			return true
		}
	}
	return false
}

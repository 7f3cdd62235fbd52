package audit

import (
	"strings"

	"kstatus.dev/capi"
	"kstatus.dev/severity"
)

var failureFields = &Rule{
	ID: "W-44", Name: "failure-fields", Severity: severity.Error,
	Doc: `status.failureReason and status.failureMessage are not used

They are gone from the v1beta2 contract of Cluster API: a failure was for ever
there, which few are. Its core still copies them, never clears the copy, and on
the objects of a MachinePool runs into a nil pointer. Say it in a condition, with a reason that tells whether it can heal. Told
is that one is set, changed or cleared on an object of Cluster API: on one of a
MachinePool as an error, on others for information.`,
	OnVersion: func(p *Pass) {
		if !strings.HasSuffix(p.New.ID.Group, capiGroup) && clusterOf(p.New) == "" {
			return
		}
		status := p.New.Status()
		for _, field := range [...]string{"failureReason", "failureMessage"} {
			is, was := text(status, field), ""
			if p.Old != nil {
				was = text(p.Old.Status(), field)
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
			say := p.ReportInfo
			if ofPool(p) {
				say = p.Report
			}
			say(".status."+field, "%s at generation %d", what, p.New.Generation)
		}
	},
}

// ofPool reports whether the core of Cluster API reads the object for a MachinePool.
func ofPool(p *Pass) bool {
	if p.Role() == capi.RoleInfraMachinePool {
		return true
	}
	for o := range owners(p.New) {
		if o.group == capiGroup && o.kind == "MachinePool" {
			return true
		}
	}
	return false
}

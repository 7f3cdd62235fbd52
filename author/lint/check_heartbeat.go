package lint

import (
	"maps"
	"regexp"
	"slices"

	"kstatus.dev/author/severity"
	"kstatus.dev/internal/decoded"
)

var heartbeat = &Check{
	ID: "L-21", Name: "heartbeat", Severity: severity.Warning,
	Doc: `no field of the status changes only because time passes

If the status has the time of the last check, each check is a write. etcd stores it, all
watches receive it, and every controller of the kind reconciles without need, for each
object, forever. Kubernetes moved the heartbeats of nodes into Leases for that reason.

Fix: remove the time, report it as a metric or an Event, or write it only together
with another change. The controller has to change first, so the check has no fix.`,
	Version: func(p *Pass, v Version) {
		item, _ := v.condition()
		for _, of := range []Schema{v.Status(), item} {
			for _, name := range slices.Sorted(maps.Keys(decoded.Map(of.Node, "properties"))) {
				field := of.Property(name)
				if decoded.Text(field.Node, "format") == "date-time" && heartbeatFields.MatchString(name) {
					p.Report(Finding{
						Path:       field.Path,
						Message:    name + " looks like a heartbeat: if each check sets it, each check is a write",
						Suggestion: "no time of the last check in the status",
					})
				}
			}
		}
	},
}

// heartbeatFields matches fields with the time of the last check, not the time of an event.
var heartbeatFields = regexp.MustCompile(`^(?i)last_?(heartbeat|probe|update|sync|check|poll|reconcil|scan|refresh|seen|observed|contact|report)\w*$`)

package lint

import (
	"maps"
	"regexp"
	"slices"

	"kstatus.dev/severity"
)

var heartbeat = &Check{
	ID: "L-21", Name: "heartbeat", Severity: severity.Warning,
	Doc: `no field of the status changes for no other reason than that time passes

A time of the last look makes each look a write: etcd stores it, every watch is told
of it, and every controller that watches the kind works for nothing, with each
object, for ever. Kubernetes itself moved the heartbeats of nodes into Leases for
that reason.

Repair: leave the time out, tell it as a metric or an event, or write it only where
something else has changed. The controller has to change first, so that there is no
fix.`,
	Version: func(p *Pass, v Version) {
		item, _ := v.condition()
		for _, of := range []Schema{v.Status(), item} {
			for _, name := range slices.Sorted(maps.Keys(object(of.Node, "properties"))) {
				field := of.Property(name)
				if text(field.Node, "format") == "date-time" && beats.MatchString(name) {
					p.Report(Finding{
						Path:       field.Path,
						Message:    name + " looks like a heartbeat: if it is set at each look, each look is a write",
						Suggestion: "no time of the last look in the status",
					})
				}
			}
		}
	},
}

// beats recognizes fields that tell when something was looked at last, rather
// than when something has happened.
var beats = regexp.MustCompile(`^(?i)last_?(heartbeat|probe|update|sync|check|poll|reconcil|scan|refresh|seen|observed|contact|report)\w*$`)

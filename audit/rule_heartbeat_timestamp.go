package audit

import (
	"strings"
	"time"

	"kstatus.dev/severity"
)

var heartbeatTimestamp = &Rule{
	ID: "W-29", Name: "heartbeat-timestamp", Severity: severity.Warning,
	Doc: `A time in the status changes only together with what it is the time of

Each beat is a write to etcd, an event for every watch, and a reconcile of every
controller that looks at the object; it tells nothing that a Lease or a metric
would not tell for less. Write the time of the last change, or of the last check
in a Lease. The fields lastHeartbeatTime and lastProbeTime of conditions are meant
for it and are let pass. It is told of after as many beats as Limits.MinRepeats says, each
within Limits.FlapWindow of the one before it.`,
	OnChange: func(p *Pass) {
		path := beat(p)
		beats := remembered[heartbeat](p)
		if path == "" {
			return
		}
		if beats == nil {
			beats = State[heartbeat](p)
		}
		if beats.path != path || beats.generation != p.New.Generation || p.Now.Sub(beats.last) > p.Options.FlapWindow {
			beats.n = 0
		}
		*beats = heartbeat{path, p.New.Generation, p.Now, beats.n + 1}
		if beats.n >= p.Options.MinRepeats {
			p.Report(path, "%d writes changed nothing else at generation %d", beats.n, p.New.Generation)
		}
	},
}

type heartbeat struct {
	path       string
	generation int64
	last       time.Time
	n          int
}

// beat returns the first time that changed; empty if something else did, too.
func beat(p *Pass) (path string) {
	for _, c := range p.Changes() {
		switch {
		case !strings.HasPrefix(c.Path, ".status.") || !isTime(c.Old) || !isTime(c.New):
			return ""
		case strings.HasPrefix(c.Path, ".status.conditions["):
			return ""
		case path == "":
			path = c.Path
		}
	}
	return path
}

package audit

import (
	"strings"
	"time"

	"kstatus.dev/author/severity"
)

var heartbeatTimestamp = &Rule{
	ID: "W-29", Name: "heartbeat-timestamp", Severity: severity.Warning,
	Doc: `A time in the status changes only together with the state it belongs to

Each heartbeat is a write to etcd, an event for every watch, and a reconcile of every
controller that watches the object. A Lease or a metric is cheaper. Write the time of
the last change, and put the time of the last check into a Lease. The fields
lastHeartbeatTime and lastProbeTime of conditions are meant for heartbeats, and are
allowed. A violation is a series of Limits.MinRepeats heartbeats, each within
Limits.FlapWindow of the previous one.`,
	OnChange: func(p *Pass) {
		path := heartbeatPath(p)
		beats := existingState[heartbeat](p)
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

// heartbeatPath returns the path of the first changed time. It returns an empty string
// if something else changed too.
func heartbeatPath(p *Pass) (path string) {
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

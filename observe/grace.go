package observe

import (
	"time"

	"kstatus.dev/status"
)

// A Grace says for how long a failure that may heal is watched, without a
// break, before it counts, by the reason of the verdict. The empty reason
// stands for all that are not named; what neither names counts at once.
//
// A failure never counts before its verdict is Failed: the profile's own window
// for the reason runs first.
type Grace map[string]time.Duration

// DefaultGrace returns the grace of a wait.
func DefaultGrace() Grace {
	return Grace{
		// A crash may be a dependency that starts a little later.
		"CrashLoop": 30 * time.Second,
		// Nodes may be added.
		"Unschedulable": 5 * time.Minute,
		// Any other error condition.
		"": time.Minute,

		// The controller itself has given up.
		"Stalled":                  0,
		"ProgressDeadlineExceeded": 0,

		// These are Failed only once they have lasted; the profiles hold their windows.
		"ImagePullBackOff":       0,
		"ContainerError":         0,
		"QuotaOrAdmissionDenied": 0,
		"MetricsUnavailable":     0,
		"Unavailable":            0,
	}
}

// NoGrace returns the grace of one who looks once: what is Failed has failed.
// That no node fits is not a failure by itself, so it keeps its grace.
func NoGrace() Grace { return Grace{"Unschedulable": 5 * time.Minute} }

// UniformGrace returns the same grace for every failure that may heal, but none
// where the controller itself has given up.
func UniformGrace(d time.Duration) Grace {
	return Grace{"": d, "Stalled": 0, "ProgressDeadlineExceeded": 0}
}

func (g Grace) of(reason string) time.Duration {
	if d, ok := g[reason]; ok {
		return d
	}
	return g[""]
}

// isTrouble reports whether something is wrong with the object that may recover
// by itself. For a wait that includes that the object is being deleted or has
// been, since it may be created again, and that no node fits.
func isTrouble(r status.Result) bool {
	switch r.Status {
	case status.TerminatingStatus:
		return true
	case status.NotFoundStatus:
		return r.Reason == "Deleted" || r.Reason == "KindRemoved"
	}
	return r.Status == status.FailedStatus || r.Failure == status.FailureRecoverable || r.Reason == "Unschedulable"
}

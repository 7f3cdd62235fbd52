package observe

import (
	"time"

	"kstatus.dev/status"
)

// graceOf returns the grace of a failure, by the reason of its verdict.
func graceOf(byReason map[string]time.Duration, reason string) time.Duration {
	if d, ok := byReason[reason]; ok {
		return d
	}
	return byReason[""]
}

// isTrouble reports whether the object has a recoverable problem. For a wait this
// includes three cases: the object is being deleted, it was deleted and may be created
// again, or no node fits.
func isTrouble(r status.Result) bool {
	switch r.Status {
	case status.TerminatingStatus:
		return true
	case status.NotFoundStatus:
		return r.Reason == status.ReasonDeleted || r.Reason == status.ReasonKindRemoved
	}
	return r.Status == status.FailedStatus || r.Failure == status.FailureRecoverable || r.Reason == status.ReasonUnschedulable
}

// Package aggregator computes one status for several objects.
package aggregator

import (
	"kstatus.dev/dropin/pkg/kstatus/polling/event"
	"kstatus.dev/dropin/pkg/kstatus/status"
)

// AggregateStatus returns the status of several objects for a caller that waits for desired. The
// first that applies decides:
//
//   - one object is Failed: Failed;
//   - one object is Unknown: Unknown;
//   - all objects have the desired status, or the list is empty: desired;
//   - otherwise InProgress.
func AggregateStatus(rss []*event.ResourceStatus, desired status.Status) status.Status {
	var unknown, other bool
	for _, rs := range rss {
		if rs.Status == status.FailedStatus {
			return status.FailedStatus
		}
		unknown = unknown || rs.Status == status.UnknownStatus
		other = other || rs.Status != desired
	}
	switch {
	case unknown:
		return status.UnknownStatus
	case other:
		return status.InProgressStatus
	}
	return desired
}

package status

import "kstatus.dev/status/schema"

// A Machine is Current when it has been ready for its minReadySeconds
// (condition Available) and matches the spec of its owner (condition UpToDate).
// A Machine without an owner has no condition UpToDate. It is suspended while
// it or its Cluster is paused.
//
// In the contract v1beta1 it fails while Ready is False with severity Error. It
// fails terminally when its controller has given up (failureReason, or the
// phase Failed).
func capiMachine(o *Fields) Result {
	if r := capiOverride(o, schema.GenerationRequired); r.Status != "" {
		return r
	}
	if r := capiSummary(o, "Ready"); r.Status != "" {
		return r
	}
	path := capiConditions(o)
	if c := o.ConditionIn(path, "UpToDate"); c.Is(conditionFalse) {
		return InProgress("RolloutUpdating", "its owner requests another machine: %s", c.Text()).by(c)
	}
	if c := o.ConditionIn(path, "Available"); c.Status == conditionFalse || c.Status == conditionUnknown {
		return InProgress("MinReadySeconds", "ready, but not available yet: %s", c.Text()).by(c)
	}
	return Current("Reconciled", "its machine is ready")
}

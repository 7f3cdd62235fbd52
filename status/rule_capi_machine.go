package status

import "kstatus.dev/status/schema"

// A Machine is current once it is ready, has been so for the seconds that it
// asks for (condition Available), and is up to date with what its owner asks
// for; one without an owner has no condition UpToDate. It is suspended while it
// or its Cluster is paused.
//
// By the contract v1beta1 it fails while Ready is False with severity Error,
// and for good once its controller has given it up (failureReason, or the phase
// Failed).
func capiMachine(o *Fields) Result {
	if r := capiFirst(o, schema.GenerationRequired); r.Status != "" {
		return r
	}
	if r := capiSummary(o, "Ready"); r.Status != "" {
		return r
	}
	path := capiConditions(o)
	if c := o.ConditionIn(path, "UpToDate"); c.Is(conditionFalse) {
		return InProgress("RolloutUpdating", "its owner asks for another machine: %s", c.Text())
	}
	if c := o.ConditionIn(path, "Available"); c.Status == conditionFalse || c.Status == conditionUnknown {
		return InProgress("MinReadySeconds", "ready, but not available yet: %s", c.Text())
	}
	return Current("Reconciled", "its machine is ready")
}

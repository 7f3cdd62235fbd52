package status

import "kstatus.dev/status/schema"

// An IPAddressClaim is Current when it has an address (status.addressRef). It
// fails while its pool is exhausted or the allocation fails; a free address
// solves that. It is suspended while it or its Cluster is paused.
func capiAddressClaim(o *Fields) Result {
	if r := capiOverride(o, schema.GenerationCompare); r.Status != "" {
		return r
	}
	c := o.ConditionIn(capiConditions(o), "Ready")
	switch {
	case c.Is(conditionFalse) && (c.Reason == "PoolExhausted" || c.Reason == "AllocationFailed" || hasCAPISeverityError(o, "Ready")):
		return FailedRecoverable("AddressFailed", "%s", c.Text()).by(c)
	case o.Text("status.addressRef.name", "") == "" && c.Status != "" && c.Status != conditionTrue:
		return InProgress("WaitingForAddress", "Ready is %s: %s", c.Status, c.Text()).by(c)
	case o.Text("status.addressRef.name", "") == "":
		return InProgress("WaitingForAddress", "it has no address yet")
	case c.Stale:
		return InProgress("StaleCondition", "condition Ready is for an earlier generation than %d", o.Generation())
	case c.Status == conditionFalse || c.Status == conditionUnknown:
		return InProgress("SummaryConditionNotTrue", "Ready is %s: %s", c.Status, c.Text()).by(c)
	}
	return Current("Reconciled", "it has an address")
}

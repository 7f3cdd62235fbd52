package status

import "kstatus.dev/status/schema"

// An ExtensionConfig is current once the extension's handlers have been
// discovered. It fails while the extension cannot be asked for them, which
// heals when it can. It is suspended while it is paused.
func capiExtension(o *Fields) Result {
	if r := capiFirst(o, schema.GenerationCompare); r.Status != "" {
		return r
	}
	switch c := o.ConditionIn(capiConditions(o), "Discovered"); {
	case c.Status == "":
		return InProgress("NotObserved", "its controller has not reported anything yet")
	case c.Stale:
		return InProgress("StaleCondition", "condition Discovered speaks of an earlier generation than %d", o.Generation())
	case c.Status == conditionFalse:
		return o.FailAfterWindow(c.Since, FailedRecoverable("Unavailable", "%s", c.Text()))
	case c.Status == conditionUnknown:
		return InProgress("SummaryConditionNotTrue", "Discovered is Unknown: %s", c.Text())
	}
	return Current("Reconciled", "its handlers have been discovered")
}

package status

import "kstatus.dev/status/schema"

// An ExtensionConfig is Current when the handlers of the extension have been
// discovered. It fails while that discovery fails; the failure is recoverable.
// It is suspended while it is paused.
func capiExtension(o *Fields) Result {
	if r := capiOverride(o, schema.GenerationCompare); r.Status != "" {
		return r
	}
	switch c := o.ConditionIn(capiConditions(o), "Discovered"); {
	case c.Status == "":
		return InProgress("NotObserved", "its controller has not reported anything yet")
	case c.Stale:
		return InProgress("StaleCondition", "condition Discovered is for an earlier generation than %d", o.Generation())
	case c.Status == conditionFalse:
		return o.FailAfterWindow(c.Since, FailedRecoverable("Unavailable", "%s", c.Text())).by(c)
	case c.Status == conditionUnknown:
		return InProgress("SummaryConditionNotTrue", "Discovered is Unknown: %s", c.Text()).by(c)
	}
	return Current("Reconciled", "its handlers have been discovered")
}

package status

import "kstatus.dev/status/schema"

// A ClusterResourceSet is current once its resources have been applied to every
// Cluster that it selects (condition ResourcesApplied), and while there is no
// such Cluster yet. It fails while something cannot be applied; its controller
// keeps trying. It is suspended while it is paused.
func capiResourceSet(o *Fields) Result {
	if r := capiFirst(o, schema.GenerationRequired); r.Status != "" {
		return r
	}
	switch c := o.ConditionIn(capiConditions(o), "ResourcesApplied"); {
	case c.Status == "":
		r := Current("ObservedOnly", "its controller has found no Cluster that it can be applied to")
		r.Confidence = ConfidenceMedium
		return r
	case c.Stale:
		return InProgress("StaleCondition", "condition ResourcesApplied speaks of an earlier generation than %d", o.Generation())
	case c.Status == conditionFalse:
		return FailedRecoverable("SyncFailed", "%s", c.Text())
	case c.Status == conditionUnknown:
		return InProgress("SummaryConditionNotTrue", "ResourcesApplied is Unknown: %s", c.Text())
	}
	return Current("Reconciled", "its resources have been applied")
}

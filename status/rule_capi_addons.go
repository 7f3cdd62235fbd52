package status

import "kstatus.dev/status/schema"

// A ClusterResourceSet is Current when its resources have been applied to all
// Clusters that it selects (condition ResourcesApplied), also if it selects
// none. It fails while a resource cannot be applied; its controller retries. It
// is suspended while it is paused.
func capiResourceSet(o *Fields) Result {
	if r := capiOverride(o, schema.GenerationRequired); r.Status != "" {
		return r
	}
	switch c := o.ConditionIn(capiConditions(o), "ResourcesApplied"); {
	case c.Status == "":
		r := Current("ObservedOnly", "it selects no Cluster")
		r.Confidence = ConfidenceMedium
		return r
	case c.Stale:
		return InProgress("StaleCondition", "condition ResourcesApplied is for an earlier generation than %d", o.Generation())
	case c.Status == conditionFalse:
		return FailedRecoverable("SyncFailed", "%s", c.Text()).by(c)
	case c.Status == conditionUnknown:
		return InProgress("SummaryConditionNotTrue", "ResourcesApplied is Unknown: %s", c.Text()).by(c)
	}
	return Current("Reconciled", "its resources have been applied")
}

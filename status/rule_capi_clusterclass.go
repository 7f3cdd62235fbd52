package status

import "kstatus.dev/status/schema"

// A ClusterClass is Current when the variables of the class and its extensions
// are resolved (condition VariablesReady, in the contract v1beta1
// VariablesReconciled). It fails while an extension does not return its
// variables. References to older API versions than the served ones become a
// warning. It is suspended while it is paused.
func capiClusterClass(o *Fields) Result {
	if r := capiOverride(o, schema.GenerationRequired); r.Status != "" {
		return r
	}
	path := capiConditions(o)
	if c := o.ConditionIn(path, "RefVersionsUpToDate"); c.Is(conditionFalse) {
		o.Warn("its references are not up to date: %s", c.Text())
	}
	c := o.ConditionIn(path, "VariablesReady")
	if c.Status == "" {
		c = o.Condition("VariablesReconciled")
	}
	switch {
	case c.Status == "":
		return InProgress("NotObserved", "its controller has not reported yet whether its variables are resolved")
	case c.Stale:
		return InProgress("StaleCondition", "condition %s is for an earlier generation than %d", c.Type, o.Generation())
	case c.Status == conditionFalse:
		return FailedRecoverable("SyncFailed", "%s", c.Text()).by(c)
	case c.Status == conditionUnknown:
		return InProgress("SummaryConditionNotTrue", "%s is Unknown: %s", c.Type, c.Text()).by(c)
	}
	return Current("Reconciled", "its variables are resolved")
}

package status

import "kstatus.dev/status/schema"

// A MachineHealthCheck is Current when its controller has checked the Machines
// that it selects. Too many unhealthy Machines for remediation (condition
// RemediationAllowed is False) become a warning, because its limit exists for
// that case. It is suspended while it or its Cluster is paused.
func capiHealthCheck(o *Fields) Result {
	if r := capiOverride(o, schema.GenerationRequired); r.Status != "" {
		return r
	}
	switch c := o.ConditionIn(capiConditions(o), "RemediationAllowed"); {
	case c.Status == "":
		return InProgress("NotObserved", "its controller has not reported yet whether it may remediate")
	case c.Stale:
		return InProgress("StaleCondition", "condition RemediationAllowed is for an earlier generation than %d", o.Generation())
	case c.Status != conditionTrue:
		o.Warn("remediation is not allowed: %s", c.Text())
	}
	return Current("Reconciled", "%d/%d Machines healthy", o.Int("status.currentHealthy", 0), o.Int("status.expectedMachines", 0))
}

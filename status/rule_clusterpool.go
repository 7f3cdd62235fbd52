package status

// A ClusterPool of Hive is Current when spec.size clusters are installed and
// unclaimed, whether running or hibernating. It is scaled to zero when
// spec.size is 0. It fails while a dependency of its clusters is missing
// (condition MissingDependencies) or its inventory is invalid (InventoryValid).
func clusterPool(o *Fields) Result {
	want, running, standby := o.Int("spec.size", 0), o.Int("status.ready", 0), o.Int("status.standby", 0)
	if c := o.Condition("MissingDependencies"); c.Is(conditionTrue) {
		return o.FailAfterWindow(c.Since, FailedRecoverable("Dangling", "%s", c.Text())).by(c)
	}
	if c := o.Condition("InventoryValid"); c.Is(conditionFalse) {
		return o.FailAfterWindow(c.Since, FailedRecoverable("ReportsFailure", "%s", c.Sentence())).by(c)
	}
	switch capacity := o.Condition("CapacityAvailable"); {
	case want > 0 && !o.Has("status.size"):
		return InProgress("NotObserved", "its controller has not reported anything yet")
	case running+standby < want && capacity.Is(conditionFalse):
		return InProgress("NotAvailable", "%d/%d clusters installed: %s", running+standby, want, capacity.Text()).by(capacity)
	case running+standby < want:
		return InProgress("NotAvailable", "%d/%d clusters installed", running+standby, want)
	case want == 0:
		return Suspended(SuspendedByUser, "ScaledToZero", "scaled to zero")
	}
	return Current("Reconciled", "%d/%d clusters installed", running+standby, want)
}

package status

// A FlowSchema is current once its priority level has been found. It fails
// while that does not exist (condition Dangling), which heals when it is
// created; until then the API server passes over the schema.
func flowSchema(o *Fields) Result {
	switch c := o.Condition("Dangling"); c.Status {
	case conditionTrue:
		return FailedRecoverable("Dangling", "%s", c.Text())
	case conditionFalse:
		return Current("Reconciled", "its priority level exists")
	case conditionUnknown:
		return InProgress("SummaryConditionNotTrue", "Dangling is Unknown: %s", c.Text())
	}
	return InProgress("NotObserved", "its controller has not reported anything yet")
}

// A PriorityLevelConfiguration is current once the API server has accepted it:
// nothing that its status may say has to be waited for.
func priorityLevelConfiguration(*Fields) Result {
	return Current("NoStatusExpected", "its status has nothing to wait for")
}

package status

// A FlowSchema is Current when its priority level exists. It fails while the
// priority level does not exist (condition Dangling), and recovers when it is
// created; until then the API server ignores the schema.
func flowSchema(o *Fields) Result {
	switch c := o.Condition("Dangling"); c.Status {
	case conditionTrue:
		return FailedRecoverable("Dangling", "%s", c.Text()).by(c)
	case conditionFalse:
		return Current("Reconciled", "its priority level exists")
	case conditionUnknown:
		return InProgress("SummaryConditionNotTrue", "Dangling is Unknown: %s", c.Text()).by(c)
	}
	return InProgress("NotObserved", "its controller has not reported anything yet")
}

// A PriorityLevelConfiguration is Current when the API server has accepted it.
// Its status reports nothing to wait for.
func priorityLevelConfiguration(*Fields) Result {
	return Current("NoStatusExpected", "its status reports nothing to wait for")
}

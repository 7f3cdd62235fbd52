package status

// A ComponentStatus is Current while its component is healthy. The API server
// computes it on each read. Its conditions are at the top level, not in a
// status.
func componentStatus(o *Fields) Result {
	switch c := o.ConditionIn("conditions", "Healthy"); c.Status {
	case conditionTrue:
		return Current("Reconciled", "it is healthy")
	case "":
		return InProgress("NotObserved", "its health has not been checked yet")
	default:
		return FailedRecoverable("Unavailable", "%s", c.Text()).by(c)
	}
}

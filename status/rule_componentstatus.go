package status

// A ComponentStatus is current while the component that it asks is healthy. It
// is answered afresh each time it is read, and its conditions stand beside its
// metadata, not in a status.
func componentStatus(o *Fields) Result {
	switch c := o.ConditionIn("conditions", "Healthy"); c.Status {
	case conditionTrue:
		return Current("Reconciled", "it is healthy")
	case "":
		return InProgress("NotObserved", "nothing has been asked of it yet")
	default:
		return FailedRecoverable("Unavailable", "%s", c.Text())
	}
}

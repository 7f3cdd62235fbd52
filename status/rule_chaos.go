package status

// An experiment of Chaos Mesh is Current while its fault is injected in all
// targets, and when it has ended and all targets have recovered. Condition
// AllInjected is False after the end.
//
// It is suspended while it is paused. A fault that cannot be injected or removed
// is tried again, and the experiment fails until that succeeds.
func chaos(o *Fields) Result {
	if c := o.Condition("Paused"); c.Is(conditionTrue) {
		return Suspended(SuspendedByUser, "Paused", "condition Paused is True")
	}
	goal, done := "AllInjected", "its fault is injected"
	switch o.Text("status.experiment.desiredPhase", "") {
	case "":
		return InProgress("NotObserved", "its controller has not reported anything yet")
	case "Stop":
		goal, done = "AllRecovered", "it has ended, and its targets have recovered"
	default:
		if c := o.Condition("Selected"); c.Is(conditionFalse) {
			return InProgress("NotStarted", "no target is selected")
		}
	}
	if c := o.Condition(goal); c.Is(conditionFalse) {
		for record := range o.Each("status.experiment.containerRecords") {
			if message := lastFailure(record); message != "" {
				return FailedRecoverable("ReportsFailure", "%s: %s", record.Text("id", "a target"), oneLine(message))
			}
		}
		return InProgress("Reconciling", "%s", c.Sentence()).by(c)
	}
	return currentWithMessage(done)
}

// lastFailure returns the message of the last event of a target if that is a failure.
func lastFailure(record *Fields) (message string) {
	for event := range record.Each("events") {
		message = ""
		if event.Text("type", "") == "Failed" {
			message = event.Text("message", "no message")
		}
	}
	return message
}

package status

// An Analysis of Keptn is current once it is completed and has passed, or
// has ended with a warning, and failing when it has not passed. What its state says before is
// judged as for any other kind.
func keptnAnalysis(o *Fields) (r Result) {
	switch o.Text("status.state", "") {
	case "":
		return InProgress("NotObserved", "its controller has not reported anything yet")
	case "Completed":
	default:
		return r
	}
	switch pass, warning := o.Bool("status.pass", false), o.Bool("status.warning", false); {
	case warning:
		o.Warn("its objectives have only been met with a warning")
	case !pass:
		return FailedRecoverable("ReportsFailure", "its objectives have not been met")
	}
	return Current("Completed", "its objectives have been met")
}

package status

// An Analysis of Keptn is Current when it has completed with pass or warning,
// and fails when it did not pass. Before that, its state is judged as for any
// other kind.
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

package status

// An Analysis of Keptn is current once it is completed and has passed, also with
// a warning, and failing when it has not passed. What its state says before is
// judged as for any other kind.
func keptnAnalysis(o *Fields) (r Result) {
	switch o.Text("status.state", "") {
	case "":
		return InProgress("NotObserved", "its controller has not reported anything yet")
	case "Completed":
	default:
		return r
	}
	if !o.Bool("status.pass", false) {
		return Fails("ReportsFailure", "its objectives have not been met")
	}
	if o.Bool("status.warning", false) {
		o.Warn("some of its objectives have been met with a warning")
	}
	return Current("Completed", "its objectives have been met")
}

package status

// An APIService is Current when the aggregator reaches the API behind it
// (condition Available). An APIService without a service is local: the API
// server itself serves it, and it is Current at once.
//
// It fails when the service has been missing, without endpoints or unreachable
// for a while; the failure is recoverable.
func apiService(o *Fields) Result {
	switch c := o.Condition("Available"); c.Status {
	case conditionTrue:
		return Current("Reconciled", "its API is available")
	case conditionFalse:
		return o.FailAfterWindow(c.Since, FailedRecoverable("Unavailable", "%s", c.Text())).by(c)
	case conditionUnknown:
		return InProgress("SummaryConditionNotTrue", "Available is Unknown: %s", c.Text()).by(c)
	}
	if !o.Has("spec.service") {
		return Current("Reconciled", "its API is served by the API server itself")
	}
	return InProgress("NotObserved", "its controller has not reported anything yet")
}

package status

// An APIService is current once the aggregator reaches the API behind it
// (condition Available). One that names no service is answered by the API
// server itself and is current from the start.
//
// It fails once the service has been missing, without endpoints or without a
// good answer for a while; that heals when the service does.
func apiService(o *Fields) Result {
	switch c := o.Condition("Available"); c.Status {
	case conditionTrue:
		return Current("Reconciled", "its API is available")
	case conditionFalse:
		return o.FailAfterWindow(c.Since, FailedRecoverable("Unavailable", "%s", c.Text()))
	case conditionUnknown:
		return InProgress("SummaryConditionNotTrue", "Available is Unknown: %s", c.Text())
	}
	if !o.Has("spec.service") {
		return Current("Reconciled", "its API is served by the API server itself")
	}
	return InProgress("NotObserved", "its controller has not reported anything yet")
}

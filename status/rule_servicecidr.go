package status

// A ServiceCIDR is Current when the API server allocates addresses from it
// (condition Ready).
func serviceCIDR(o *Fields) Result {
	if r := o.requireCondition("status.conditions", "Ready", ""); r.Status != "" {
		return r
	}
	return Current("Reconciled", "the API server allocates addresses from it")
}

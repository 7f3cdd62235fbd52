package status

// A ServiceCIDR is current once the API server gives out addresses from it
// (condition Ready).
func serviceCIDR(o *Fields) Result {
	if r := o.must("status.conditions", "Ready", ""); r.Status != "" {
		return r
	}
	return Current("Reconciled", "addresses are given out from it")
}

package status

// An Ingress is Current when it exists. Its controller may publish an address
// in the status, but the API does not require it, and many controllers do not.
// No field shows whether the routes work. It fails while its load balancer
// cannot serve one of its ports; the failure is recoverable.
func ingress(o *Fields) Result {
	address, more, refused := o.addresses()
	switch {
	case refused != "":
		return FailedRecoverable("AddressFailed", "%s", refused)
	case address == "":
		r := Current("Reconciled", "it exists; no controller has published an address (not required)")
		r.Confidence = ConfidenceMedium
		return r
	}
	return addressResult(address, more)
}

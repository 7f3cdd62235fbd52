package status

// An Ingress is current as soon as it exists. Its controller may publish an
// address in its status, but nothing in its API obliges it to; many do not, and
// no field tells when the routes are in place. It is failing when its load
// balancer cannot serve one of its ports, which may heal.
func ingress(o *Fields) Result {
	address, more, refused := o.addresses()
	switch {
	case refused != "":
		return FailedRecoverable("AddressFailed", "%s", refused)
	case address == "":
		r := Current("Reconciled", "accepted; no address published (optional for an Ingress)")
		r.Confidence = ConfidenceMedium
		return r
	}
	return reached(address, more)
}

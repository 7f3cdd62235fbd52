package status

// A CertificateSigningRequest is Current when it has been approved and its
// certificate has been issued. Without an approval it waits for one, then for
// its signer. A request that was denied, or that its signer could not sign, has
// failed terminally.
func certificateSigningRequest(o *Fields) Result {
	if r := certificateDenial(o); r.Status != "" {
		return r
	}
	approved := o.Condition("Approved").Status == conditionTrue
	switch {
	case approved && o.Has("status.certificate"):
		return Current("Reconciled", "its certificate has been issued")
	case approved:
		return InProgress("Creating", "approved; its signer has not issued the certificate yet")
	}
	return InProgress("WaitingForApproval", "it has not been approved or denied yet")
}

// A PodCertificateRequest is Current when its signer has issued the
// certificate. A request that was denied, or that its signer could not sign,
// has failed terminally.
func podCertificateRequest(o *Fields) Result {
	if r := certificateDenial(o); r.Status != "" {
		return r
	}
	if o.Condition("Issued").Status == conditionTrue {
		return Current("Reconciled", "its certificate has been issued")
	}
	return InProgress("NotObserved", "its signer has not responded yet")
}

// certificateDenial returns a result for a certificate request that was denied or has
// failed.
func certificateDenial(o *Fields) (r Result) {
	for _, t := range [...]string{"Denied", "Failed"} {
		if c := o.Condition(t); c.Status == conditionTrue {
			return FailedTerminal("Denied", "%s", c.Text()).by(c)
		}
	}
	return r
}

package status

// A CertificateSigningRequest is current once it has been approved and its
// certificate is there. Until somebody approves it, it waits; once approved it
// waits for its signer. One that was denied, or that its signer could not
// sign, stays so for good.
func certificateSigningRequest(o *Fields) Result {
	if r := refused(o); r.Status != "" {
		return r
	}
	approved := o.Condition("Approved").Status == conditionTrue
	switch {
	case approved && o.Has("status.certificate"):
		return Current("Reconciled", "its certificate has been issued")
	case approved:
		return InProgress("Creating", "approved; its signer has not issued the certificate yet")
	}
	return InProgress("WaitingForApproval", "nobody has approved or denied it yet")
}

// A PodCertificateRequest is current once its signer has issued the
// certificate. One that was denied, or that its signer could not sign, stays
// so for good.
func podCertificateRequest(o *Fields) Result {
	if r := refused(o); r.Status != "" {
		return r
	}
	if o.Condition("Issued").Status == conditionTrue {
		return Current("Reconciled", "its certificate has been issued")
	}
	return InProgress("NotObserved", "its signer has not answered yet")
}

// refused answers for a request for a certificate that was denied or has failed.
func refused(o *Fields) (r Result) {
	for _, t := range [...]string{"Denied", "Failed"} {
		if c := o.Condition(t); c.Status == conditionTrue {
			return FailedTerminal("Denied", "%s", c.Text())
		}
	}
	return r
}

package status

// A BackendTLSPolicy, or another policy of the Gateway API that reports to its
// ancestors, is current once at least one ancestor has reported and all that
// have accept it for this generation and resolve its references. Not every
// ancestor has to report: status has room for sixteen.
//
// It is failing when an ancestor refuses it, such as for a conflict with another
// policy or a target that does not exist, and when a reference does not
// resolve; both may heal.
func gatewayPolicy(o *Fields) Result {
	namespace := o.Text("metadata.namespace", "")
	var worst Result
	entries := 0
	for entry := range o.Each("status.ancestors") {
		entries++
		if r := entry.attached(); r.Status != "" {
			worst = worse(worst, r.withSubject(entry.parent(&ancestorFields, namespace).String()))
		}
	}
	switch {
	case worst.Status != "":
		return worst
	case entries == 0:
		return o.unclaimed("no ancestor has reported yet")
	}
	return Current("Reconciled", "accepted, %d/%d ancestors that have reported", entries, entries)
}

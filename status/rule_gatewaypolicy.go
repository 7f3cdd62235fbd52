package status

// A BackendTLSPolicy, or another policy of the Gateway API that reports per
// ancestor, is Current when at least one ancestor has reported. All that have
// reported must accept it for the current generation and resolve its
// references. Not every ancestor has to report, since the status has room for
// sixteen.
//
// It fails when an ancestor rejects it, for example because of a conflict with
// another policy or a missing target. It also fails when a reference does not
// resolve. Both failures are recoverable.
func gatewayPolicy(o *Fields) Result {
	namespace := o.Text("metadata.namespace", "")
	var worst Result
	entries := 0
	for entry := range o.Each("status.ancestors") {
		entries++
		if r := entry.parentResult(); r.Status != "" {
			worst = worse(worst, r.withSubject(entry.parent(&ancestorFields, namespace).String()))
		}
	}
	switch {
	case worst.Status != "":
		return worst
	case entries == 0:
		return o.withoutParentReport("no ancestor has reported yet")
	}
	return Current("Reconciled", "accepted, %d/%d ancestors that have reported", entries, entries)
}

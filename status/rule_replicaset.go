package status

// A ReplicaSet or ReplicationController is Current when exactly spec.replicas
// replicas exist and all of them are available. It never replaces a Pod because
// its template has changed: Pods without the labels of the latest template wait
// to be deleted by hand.
//
// It fails while a quota or admission rejects its Pods (condition
// ReplicaFailure); the failure is recoverable, since the controller keeps
// trying. It is scaled to zero when spec.replicas is 0. If a Deployment owns it
// and has scaled it down, it is just Current.
func replicaSet(o *Fields) Result {
	var (
		want      = o.Int("spec.replicas", 1)
		have      = o.Int("status.replicas", 0)
		ready     = o.Int("status.readyReplicas", 0)
		available = o.Int("status.availableReplicas", 0)
		refused   = o.Condition("ReplicaFailure")
	)
	if refused.Is(conditionTrue) && have < want {
		return o.FailAfterWindow(refused.Since, FailedRecoverable("QuotaOrAdmissionDenied", "%d/%d replicas: %s", have, want, refused.Text())).by(refused)
	}
	switch {
	case have > want && refused.Is(conditionTrue):
		return InProgress("RolloutTerminatingOld", "%d/%d replicas; waiting for %d to be deleted: %s", have, want, have-want, refused.Text()).by(refused)
	case have > want:
		return InProgress("RolloutTerminatingOld", "%d/%d replicas; waiting for %d to be deleted", have, want, have-want)
	case available < want && ready >= want && o.Int("spec.minReadySeconds", 0) > 0:
		return InProgress("MinReadySeconds", "%d/%d available, all ready; available after %d s", available, want, o.Int("spec.minReadySeconds", 0))
	case available < want || ready < want:
		return InProgress("NotAvailable", "%d/%d available", min(available, ready), want)
	case refused.Is(conditionTrue):
		return InProgress("NotAvailable", "%d/%d available, but its controller reports a failure: %s", available, want, refused.Text()).by(refused)
	case want == 0 && o.hasController():
		return Current("ScaledToZero", "its owner has scaled it to zero")
	case want == 0:
		return Suspended(SuspendedByUser, "ScaledToZero", "scaled to zero")
	}
	if labeled := o.Int("status.fullyLabeledReplicas", have); labeled < have {
		return Current("AwaitingManualDeletion", "%d/%d available; %d without the template's labels stay until they are deleted", available, want, have-labeled)
	}
	return Current("Reconciled", "%d/%d available", available, want)
}

// hasController reports whether the object has a controller owner.
func (f *Fields) hasController() bool {
	for owner := range f.Each("metadata.ownerReferences") {
		if owner.Bool("controller", false) {
			return true
		}
	}
	return false
}

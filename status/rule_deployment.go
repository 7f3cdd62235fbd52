package status

// A Deployment is current once as many replicas as spec.replicas asks for run
// the latest template and are available, and none of the former ones is left.
// Replicas that are still terminating do not count.
//
// It is suspended while spec.paused is set, and scaled to zero when it asks
// for no replicas. It is failing while its Pods are refused by a quota or by
// admission (condition ReplicaFailure), and once its rollout has made no
// progress for spec.progressDeadlineSeconds; both may heal, since the controller
// keeps trying. A rollout that had completed and lost replicas since is
// Degraded: the deadline is not evaluated any more (kubernetes#106054).
func deployment(o *Fields) Result {
	var (
		want        = o.Int("spec.replicas", 1)
		have        = o.Int("status.replicas", 0)
		updated     = o.Int("status.updatedReplicas", 0)
		ready       = o.Int("status.readyReplicas", 0)
		available   = o.Int("status.availableReplicas", 0)
		progressing = o.Condition("Progressing")
	)
	if o.Bool("spec.paused", false) {
		r := o.stopped("paused", "Paused", sprintf("%d/%d available; its rollout is paused", []any{available, want}))
		if want > 0 && have == 0 && updated == 0 && available == 0 {
			r = r.but("paused: nothing is rolled out until kubectl rollout resume")
		}
		return r
	}
	if progressing.Reason == "ProgressDeadlineExceeded" {
		return FailedRecoverable("ProgressDeadlineExceeded", "%s", progressing.Text())
	}
	if c := o.Condition("ReplicaFailure"); c.Is(conditionTrue) && (updated < want || have < want) {
		return o.FailAfterWindow(c.Since, FailedRecoverable("QuotaOrAdmissionDenied", "%d/%d replicas: %s", have, want, c.Text()))
	}
	switch {
	case updated < want:
		return InProgress("RolloutUpdating", "%d/%d updated", updated, want)
	case have > want:
		return InProgress("RolloutTerminatingOld", "%d/%d updated, %d of %d replicas available; waiting for %d to be deleted", want, want, min(available, have), have, have-want)
	case available < want && ready >= want && o.Int("spec.minReadySeconds", 0) > 0:
		return InProgress("MinReadySeconds", "%d/%d available, all ready; available after %d s", available, want, o.Int("spec.minReadySeconds", 0))
	case (available < want || ready < want) && progressing.Reason == "NewReplicaSetAvailable":
		return InProgress("Degraded", "%d/%d available; its rollout had completed", min(available, ready), want)
	case available < want || ready < want:
		return InProgress("NotAvailable", "%d/%d available", min(available, ready), want)
	case progressing.Is(conditionFalse):
		return InProgress("RolloutUpdating", "%d/%d available, but its rollout does not go on: %s", available, want, progressing.detail())
	case o.Condition("Available").Is(conditionFalse):
		return InProgress("NotAvailable", "%d/%d available, but it says that it is not available: %s", available, want, o.Condition("Available").detail())
	case want == 0:
		return Suspended(SuspendedByUser, "ScaledToZero", "scaled to zero")
	}
	return Current("Reconciled", "%d/%d available", available, want)
}

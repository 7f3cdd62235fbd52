package status

import "strings"

// A Deployment is Current when spec.replicas replicas run the latest template
// and are available, and no old replica is left. Replicas that are terminating
// do not count.
//
// It is suspended while spec.paused is set, and scaled to zero when
// spec.replicas is 0. It fails while a quota or admission rejects its Pods
// (condition ReplicaFailure), and when its rollout has made no progress for
// spec.progressDeadlineSeconds. Both are recoverable, since the controller
// keeps trying. A Deployment that lost replicas after a complete rollout is
// Degraded: Kubernetes no longer evaluates the deadline (kubernetes#106054).
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
		r := o.suspendedByField("paused", "Paused", sprintf("%d/%d available; its rollout is paused", []any{available, want}))
		if want > 0 && have == 0 && updated == 0 && available == 0 {
			r = r.WithCaveat("paused: no Pods are created until kubectl rollout resume")
		}
		return r
	}
	if progressing.Reason == "ProgressDeadlineExceeded" {
		return o.deadlineExceeded(progressing)
	}
	if c := o.Condition("ReplicaFailure"); c.Is(conditionTrue) && (updated < want || have < want) {
		return o.FailAfterWindow(c.Since, FailedRecoverable("QuotaOrAdmissionDenied", "%d/%d replicas: %s", have, want, c.Text())).by(c)
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
		return InProgress("RolloutUpdating", "%d/%d available, but its rollout makes no progress: %s", available, want, progressing.detail()).by(progressing)
	case o.Condition("Available").Is(conditionFalse):
		return InProgress("NotAvailable", "%d/%d available, but condition Available is not True: %s", available, want, o.Condition("Available").detail()).by(o.Condition("Available"))
	case want == 0:
		return Suspended(SuspendedByUser, "ScaledToZero", "scaled to zero")
	}
	return Current("Reconciled", "%d/%d available", available, want)
}

// deadlineExceeded judges a rollout that has made no progress in time. If its Pods are rejected, that
// is why.
func (f *Fields) deadlineExceeded(progressing Condition) Result {
	message := progressing.Text()
	if c := f.Condition("ReplicaFailure"); c.Is(conditionTrue) && !strings.Contains(message, c.Text()) {
		message = strings.TrimSuffix(message, ".") + ": " + c.Text()
	}
	return FailedRecoverable("ProgressDeadlineExceeded", "%s", message).by(progressing)
}

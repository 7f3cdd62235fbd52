package status

// A DeploymentConfig of OpenShift is Current when its latest deployment has
// completed, spec.replicas of its replicas are available, and no old replica is
// left. Completion is the condition Progressing with the reason
// NewReplicationControllerAvailable.
//
// It is suspended while spec.paused is set. It is scaled to zero when
// spec.replicas is 0, or when it runs only during a deployment (spec.test). It
// fails while a quota or admission rejects its Pods (condition ReplicaFailure).
// It also fails when its latest deployment has failed, was cancelled or made no
// progress in time; another deployment solves that.
func deploymentConfig(o *Fields) Result {
	var (
		want        = o.Int("spec.replicas", 1)
		have        = o.Int("status.replicas", 0)
		updated     = o.Int("status.updatedReplicas", want)
		available   = o.Int("status.availableReplicas", 0)
		progressing = o.Condition("Progressing")
	)
	if o.Bool("spec.test", false) {
		want = 0
	}
	switch c := o.Condition("ReplicaFailure"); {
	case o.Bool("spec.paused", false):
		return o.suspendedByField("paused", "Paused", sprintf("%d/%d available; its rollout is paused", []any{available, want}))
	case progressing.Is(conditionFalse) && progressing.Reason == "ProgressDeadlineExceeded":
		return o.deadlineExceeded(progressing)
	case c.Is(conditionTrue):
		return o.FailAfterWindow(c.Since, FailedRecoverable("QuotaOrAdmissionDenied", "%d/%d replicas: %s", have, want, c.Text())).by(c)
	case progressing.Is(conditionFalse):
		return FailedRecoverable("Stalled", "its deployment makes no progress: %s", progressing.detail()).by(progressing)
	case progressing.Status == "" && o.Int("status.latestVersion", 0) == 0 && have == 0:
		return InProgress("NotStarted", "it has not been deployed yet")
	case progressing.Is(conditionUnknown), progressing.Is(conditionTrue) && progressing.Reason != "NewReplicationControllerAvailable":
		return InProgress("RolloutUpdating", "%d/%d available: %s", available, want, progressing.Text()).by(progressing)
	case updated < want:
		return InProgress("RolloutUpdating", "%d/%d updated", updated, want)
	case have > want:
		return InProgress("RolloutTerminatingOld", "%d/%d replicas; waiting for %d to be deleted", have, want, have-want)
	case available < want:
		return InProgress("NotAvailable", "%d/%d available", available, want)
	case want == 0:
		return Suspended(SuspendedByUser, "ScaledToZero", "scaled to zero")
	}
	return Current("Reconciled", "%d/%d available", available, want)
}

package status

// A LeaderWorkerSet is Current when its condition Available is True,
// spec.replicas groups are ready, and no rolling update is in progress
// (condition UpdateInProgress). All groups at or above the partition of its
// rolling update must run the latest template. It waits for surplus groups to
// end, except under a partition, which keeps them until it is removed.
//
// It is scaled to zero when spec.replicas is 0.
func leaderWorkerSet(o *Fields) Result {
	var (
		want      = o.Int("spec.replicas", 1)
		partition = o.Int("spec.rolloutStrategy.rollingUpdateConfiguration.partition", 0)
		target    = max(want-partition, 0)
		have      = o.Int("status.replicas", 0)
		ready     = o.Int("status.readyReplicas", 0)
		updated   = o.Int("status.updatedReplicas", 0)
		available = o.Condition("Available")
		updating  = o.Condition("UpdateInProgress")
	)
	switch {
	case available.Status == "" && updating.Status == "" && o.Condition("Progressing").Status == "":
		return InProgress("NotObserved", "its controller has not reported anything yet")
	case available.Stale:
		return InProgress("StaleCondition", "condition Available is for an earlier generation than %d", o.Generation())
	case updated < target || updating.Is(conditionTrue):
		return InProgress("RolloutUpdating", "%d/%d groups updated, %d/%d ready", updated, target, ready, want)
	case have > want && partition == 0:
		return InProgress("RolloutTerminatingOld", "%d/%d groups; waiting for %d to be deleted", have, want, have-want)
	case ready < want:
		return InProgress("NotAvailable", "%d/%d groups ready", ready, want)
	case available.Status != conditionTrue:
		return InProgress("NotAvailable", "%d/%d groups ready, but condition Available is not True", ready, want)
	case want == 0:
		return Suspended(SuspendedByUser, "ScaledToZero", "scaled to zero")
	case updated < want && target == 0:
		return Current("Reconciled", "%d/%d groups ready; the partition holds the update back", ready, want)
	case updated < want:
		return Current("Reconciled", "%d/%d groups ready, %d/%d updated; the partition holds the other %d back", ready, want, target, target, want-target)
	}
	return Current("Reconciled", "%d/%d groups ready", ready, want)
}

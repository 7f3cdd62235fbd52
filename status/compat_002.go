package status

// This file has the rules of kustomize/kstatus v0.0.2 that differ from cli-utils.

// compat002StatefulSet: a StatefulSet is Current with spec.replicas replicas, all ready and of
// the current revision, or with the updated ones above its partition. With the OnDelete strategy
// it is always Current.
func compat002StatefulSet(o *Fields) Result {
	if compatText(o, "spec.updateStrategy.type", "") == "OnDelete" {
		return Current("", "StatefulSet is using the ondelete update strategy")
	}
	var (
		want      = compatInt(o, "spec.replicas", 1)
		have      = compatInt(o, "status.replicas", 0)
		ready     = compatInt(o, "status.readyReplicas", 0)
		current   = compatInt(o, "status.currentReplicas", 0)
		updated   = compatInt(o, "status.updatedReplicas", 0)
		partition = compatInt(o, "spec.updateStrategy.rollingUpdate.partition", -1)
	)
	switch {
	case want > have:
		return InProgress("LessReplicas", "Replicas: %d/%d", have, want)
	case want > ready:
		return InProgress("LessReady", "Ready: %d/%d", ready, want)
	case partition != -1 && updated < want-partition:
		return InProgress("PartitionRollout", "updated: %d/%d", updated, want-partition)
	case partition != -1:
		return Current("", "Partition rollout complete. updated: %d", updated)
	case want > current:
		return InProgress("LessCurrent", "current: %d/%d", current, want)
	case compatText(o, "status.currentRevision", "") != compatText(o, "status.updateRevision", ""):
		return InProgress("RevisionMismatch", "Waiting for updated revision to match current")
	}
	return Current("", "All replicas scheduled as expected. Replicas: %d", have)
}

// compat002Deployment: like compatDeployment, except that surplus replicas are compared with the
// updated ones.
func compat002Deployment(o *Fields) Result {
	progressing, available, failed := compatRollout(o)
	if failed.Status != "" {
		return failed
	}
	var (
		want    = compatInt(o, "spec.replicas", 1)
		have    = compatInt(o, "status.replicas", 0)
		updated = compatInt(o, "status.updatedReplicas", 0)
	)
	switch {
	case want > have:
		return InProgress("LessReplicas", "replicas: %d/%d", have, want)
	case want > updated:
		return InProgress("LessUpdated", "Updated: %d/%d", updated, want)
	case have > updated:
		return InProgress("ExtraPods", "Pending termination: %d", have-updated)
	}
	return compatAvailability(o, progressing, available)
}

// compat002ReplicaSet: like compatReplicaSet, with other messages.
func compat002ReplicaSet(o *Fields) Result {
	want, have := compatInt(o, "spec.replicas", 1), compatInt(o, "status.replicas", 0)
	if r := compatReplicas(o, want); r.Status != "" {
		return r
	}
	if have > want {
		return InProgress("ExtraPods", "replicas: %d/%d", have, want)
	}
	return Current("", "ReplicaSet is available. Replicas: %d", have)
}

// compat002DaemonSet: a DaemonSet is Current when every node that should run its Pod does, and
// all are updated, available and ready.
func compat002DaemonSet(o *Fields) Result {
	var (
		want    = compatInt(o, "status.desiredNumberScheduled", -1)
		have    = compatInt(o, "status.currentNumberScheduled", 0)
		updated = compatInt(o, "status.updatedNumberScheduled", 0)
		serving = compatInt(o, "status.numberAvailable", 0)
		ready   = compatInt(o, "status.numberReady", 0)
	)
	switch {
	case want == -1:
		return InProgress("NoDesiredNumber", "Missing .status.desiredNumberScheduled")
	case want > have:
		return InProgress("LessCurrent", "Current: %d/%d", have, want)
	case want > updated:
		return InProgress("LessUpdated", "Updated: %d/%d", updated, want)
	case want > serving:
		return InProgress("LessAvailable", "Available: %d/%d", serving, want)
	case want > ready:
		return InProgress("LessReady", "Ready: %d/%d", ready, want)
	}
	return Current("", "All replicas scheduled as expected. Replicas: %d", want)
}

// compat002Pod: a Pod is Current when it has succeeded or is ready, and has failed if it has
// completed otherwise. The first condition Ready with one of these states decides.
func compat002Pod(o *Fields) Result {
	if compatText(o, "status.phase", "unknown") == "Succeeded" {
		return Current("", "Pod has completed successfully")
	}
	for i, item := range compatConditions(o) {
		c := compatCondition(o, i, item)
		switch {
		case c.Type != "Ready":
		case c.Status == conditionTrue:
			return Current("", "Pod has reached the ready state")
		case c.Status == conditionFalse && c.Reason == "PodCompleted":
			r := FailedTerminal("PodFailed", "Pod has completed, but not successfully.")
			r.Conditions = []Condition{{Type: o.eval.profile.stalled, Status: conditionTrue, Reason: r.Reason,
				Message: "Pod has completed, but not succeesfully."}} // the spelling of v0.0.2
			return r
		}
	}
	return InProgress("PodNotReady", "Pod has not become ready")
}

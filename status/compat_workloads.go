package status

import "math"

// compatStatefulSet: a StatefulSet is Current if it is in v0.0.2, and has no surplus replica.
func compatStatefulSet(o *Fields) Result {
	want, have := compatInt(o, "spec.replicas", 1), compatInt(o, "status.replicas", 0)
	onDelete := compatText(o, "spec.updateStrategy.type", "") == "OnDelete"
	if have > want && want <= compatInt(o, "status.readyReplicas", 0) && !onDelete {
		return InProgress("ExtraPods", "Pending termination: %d", have-want)
	}
	return compat002StatefulSet(o)
}

// compatDeployment: a Deployment has failed when its progress deadline has passed. It is Current
// when spec.replicas replicas are updated, available and ready, and its condition Available is
// True. If it has a deadline, its latest ReplicaSet must also have completed.
func compatDeployment(o *Fields) Result {
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
		return InProgress("LessReplicas", "Replicas: %d/%d", have, want)
	case want > updated:
		return InProgress("LessUpdated", "Updated: %d/%d", updated, want)
	case have > want:
		return InProgress("ExtraPods", "Pending termination: %d", have-want)
	}
	return compatAvailability(o, progressing, available)
}

// compatRollout reads the conditions of a Deployment. A deadline that has
// passed decides, whatever the status of its condition.
func compatRollout(o *Fields) (progressing, available bool, failed Result) {
	progressing = compatInt(o, "spec.progressDeadlineSeconds", math.MaxInt32) == math.MaxInt32
	for i, item := range compatConditions(o) {
		c := compatCondition(o, i, item)
		switch {
		case c.Type == "Progressing" && c.Reason == "ProgressDeadlineExceeded":
			failed = FailedRecoverable(c.Reason, "Progress deadline exceeded").by(c)
			failed.Conditions = []Condition{{Type: o.eval.profile.stalled, Status: conditionTrue, Reason: c.Reason, Message: c.Message}}
			return false, false, failed
		case c.Type == "Progressing" && c.Status == conditionTrue && c.Reason == "NewReplicaSetAvailable":
			progressing = true
		case c.Type == "Available" && c.Status == conditionTrue:
			available = true
		}
	}
	return progressing, available, failed
}

// compatAvailability judges a Deployment with all replicas updated.
func compatAvailability(o *Fields, progressing, available bool) Result {
	var (
		want    = compatInt(o, "spec.replicas", 1)
		updated = compatInt(o, "status.updatedReplicas", 0)
		serving = compatInt(o, "status.availableReplicas", 0)
		ready   = compatInt(o, "status.readyReplicas", 0)
	)
	switch {
	case updated > serving:
		return InProgress("LessAvailable", "Available: %d/%d", serving, updated)
	case want > ready:
		return InProgress("LessReady", "Ready: %d/%d", ready, want)
	case !progressing:
		return InProgress("ReplicaSetNotAvailable", "ReplicaSet not Available")
	case !available:
		return InProgress("DeploymentNotAvailable", "Deployment not Available")
	}
	return Current("", "Deployment is available. Replicas: %d", compatInt(o, "status.replicas", 0))
}

// compatReplicaSet: a ReplicaSet is Current when spec.replicas replicas are labeled, available
// and ready, and it has no condition ReplicaFailure.
func compatReplicaSet(o *Fields) Result {
	want, have := compatInt(o, "spec.replicas", 1), compatInt(o, "status.replicas", 0)
	if r := compatReplicas(o, want); r.Status != "" {
		return r
	}
	if have > want {
		return InProgress("ExtraPods", "Pending termination: %d", have-want)
	}
	return Current("", "ReplicaSet is available. Replicas: %d", have)
}

// compatReplicas judges a ReplicaSet that may have too few replicas.
func compatReplicas(o *Fields, want int64) (r Result) {
	for i, item := range compatConditions(o) {
		if c := compatCondition(o, i, item); c.Type == "ReplicaFailure" && c.Status == conditionTrue {
			return InProgress("ReplicaFailure", "Replica Failure condition. Check Pods")
		}
	}
	var (
		labelled = compatInt(o, "status.fullyLabeledReplicas", 0)
		serving  = compatInt(o, "status.availableReplicas", 0)
		ready    = compatInt(o, "status.readyReplicas", 0)
	)
	switch {
	case want > labelled:
		return InProgress("LessLabelled", "Labelled: %d/%d", labelled, want)
	case want > serving:
		return InProgress("LessAvailable", "Available: %d/%d", serving, want)
	case want > ready:
		return InProgress("LessReady", "Ready: %d/%d", ready, want)
	}
	return r
}

// compatDaemonSet: like compat002DaemonSet, but only with a generation and an observed one.
func compatDaemonSet(o *Fields) Result {
	if _, ok := compatGeneration(o, "metadata", "generation"); !ok {
		return InProgress("NoGeneration", "%s metadata.generation not found", compatKind(o))
	}
	if _, ok := compatGeneration(o, "status", "observedGeneration"); !ok {
		return InProgress("NoObservedGeneration", "%s status.observedGeneration not found", compatKind(o))
	}
	return compat002DaemonSet(o)
}

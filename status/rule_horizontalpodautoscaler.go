package status

import "encoding/json"

// A HorizontalPodAutoscaler is Current when it can scale its target and reads
// its metrics (conditions AbleToScale and ScalingActive). A scale that its
// limits restrict (ScalingLimited) is no failure.
//
// It fails while its target is missing or cannot be scaled, and when its
// metrics have been unreadable for a while. The metrics of a new target are
// always late. It is suspended while its target is scaled to zero. Version 1 of
// its API has the conditions in an annotation, which is read if the status has
// none.
func horizontalPodAutoscaler(o *Fields) Result {
	able, active := o.Condition("AbleToScale"), o.Condition("ScalingActive")
	if able.Status == "" && active.Status == "" {
		able, active = annotationConditions(o)
	}
	switch {
	case able.Status == "" && active.Status == "":
		return InProgress("NotObserved", "its controller has not reported anything yet")
	case able.Status == conditionFalse && (able.Reason == "FailedGetScale" || able.Reason == "FailedUpdateScale"):
		return FailedRecoverable("ScaleTargetMissing", "%s", able.Text()).by(able)
	case active.Status == conditionFalse && active.Reason == "ScalingDisabled":
		return Suspended(SuspendedByUser, "ScaledToZero", "its target is scaled to zero")
	case active.Status == conditionFalse:
		return o.FailAfterWindow(active.Since, FailedRecoverable("MetricsUnavailable", "%s", active.Text())).by(active)
	case able.Status == "":
		return InProgress("NotObserved", "its controller has not reported yet whether it can scale its target")
	case able.Status != conditionTrue:
		return InProgress("SummaryConditionNotTrue", "AbleToScale is %s: %s", able.Status, able.Text()).by(able)
	case active.Status == "":
		return InProgress("NotObserved", "its controller has not read its metrics yet")
	case active.Status != conditionTrue:
		return InProgress("SummaryConditionNotTrue", "ScalingActive is %s: %s", active.Status, active.Text()).by(active)
	}
	return Current("Reconciled", "its target has %d replicas, %d desired", o.Int("status.currentReplicas", 0), o.Int("status.desiredReplicas", 0))
}

// annotationConditions returns the conditions AbleToScale and ScalingActive from
// the annotation of version 1 of the API.
func annotationConditions(o *Fields) (able, active Condition) {
	const key = "autoscaling.alpha.kubernetes.io/conditions"
	const path = "metadata.annotations[" + key + "]"
	written := o.MapText("metadata.annotations", key)
	if written == "" {
		return able, active
	}
	var list []any
	if err := json.Unmarshal([]byte(written), &list); err != nil {
		o.malformed(path, "a JSON list of conditions", written)
		return able, active
	}
	return o.asCondition(o.worstOf(path, "AbleToScale", list)), o.asCondition(o.worstOf(path, "ScalingActive", list))
}

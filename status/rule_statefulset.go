package status

// A StatefulSet is Current when exactly spec.replicas replicas exist, and all
// are ready, and available if spec.minReadySeconds is set. All replicas at or
// above the partition of its rolling update must run the latest template.
// The others are a caveat. Revisions are not compared: the current one never catches up under a
// partition or the OnDelete strategy. After a rollback both are the same while
// Pods of the withdrawn revision remain (kubernetes#136831).
//
// With the OnDelete strategy outdated Pods do not count against it: they wait
// to be deleted by hand. It is scaled to zero when spec.replicas is 0. After a
// rollback, an unready Pod of the withdrawn revision may block Pods that are
// started in order. A user has to delete it (kubernetes#67250). If that is
// possible, the verdict has a warning.
func statefulSet(o *Fields) Result {
	var (
		want    = o.Int("spec.replicas", 1)
		have    = o.Int("status.replicas", 0)
		ready   = o.Int("status.readyReplicas", 0)
		updated = o.updatedReplicas()
		manual  = o.Text("spec.updateStrategy.type", "RollingUpdate") == "OnDelete"
		delay   = o.Int("spec.minReadySeconds", 0)
		target  = want
	)
	if !manual {
		target = max(want-o.Int("spec.updateStrategy.rollingUpdate.partition", 0), 0)
	}
	o.warnOfRollback(have, ready, updated)
	switch {
	case have > want:
		return InProgress("RolloutTerminatingOld", "%d/%d replicas; waiting for %d to be deleted", have, want, have-want)
	case ready < want && updated < target && !manual:
		return InProgress("RolloutUpdating", "%d/%d updated, %d/%d ready", updated, target, ready, want)
	case ready < want:
		return InProgress("NotAvailable", "%d/%d ready", ready, want)
	case updated < target && target < want:
		return InProgress("RolloutUpdating", "%d/%d updated; the partition holds the other %d back", updated, target, want-target)
	case updated < target && !manual:
		return InProgress("RolloutUpdating", "%d/%d updated", updated, target)
	case have < want:
		return InProgress("NotAvailable", "%d/%d replicas", have, want)
	case delay > 0 && o.Int("status.availableReplicas", 0) < want:
		return InProgress("MinReadySeconds", "%d/%d available, all ready; available after %d s", o.Int("status.availableReplicas", 0), want, delay)
	case want == 0:
		return Suspended(SuspendedByUser, "ScaledToZero", "scaled to zero")
	case manual && updated < want:
		return Current("AwaitingManualDeletion", "%d/%d ready; %d outdated stay until they are deleted (OnDelete)", ready, want, want-updated).WithCaveat(outdatedPods)
	case updated < want && target == 0:
		return Current("Reconciled", "%d/%d ready; the partition holds the update back", ready, want).WithCaveat(heldPods)
	case updated < want:
		return Current("Reconciled", "%d/%d ready, %d/%d updated; the partition holds the other %d back", ready, want, target, target, want-target).WithCaveat(heldPods)
	}
	return Current("Reconciled", "%d/%d ready", ready, want)
}

// heldPods is the caveat of a StatefulSet whose partition keeps outdated Pods.
const heldPods = "its partition keeps Pods at an earlier template"

// updatedReplicas counts the Pods that run the latest template. A controller
// without support for revisions counts them as current ones.
func (f *Fields) updatedReplicas() int64 {
	if f.Has("status.updateRevision") {
		return f.Int("status.updatedReplicas", 0)
	}
	return f.Int("status.updatedReplicas", f.Int("status.currentReplicas", 0))
}

// warnOfRollback adds a warning about the Pod that may block a rollback. The
// template is back at the current revision, but not every Pod runs it and not every
// Pod is ready.
func (f *Fields) warnOfRollback(have, ready, updated int64) {
	if updated >= have || ready >= have || f.Text("spec.podManagementPolicy", "OrderedReady") != "OrderedReady" {
		return
	}
	if now := f.Text("status.updateRevision", ""); now != "" && now == f.Text("status.currentRevision", "") {
		f.Warn("its template was rolled back: an unready Pod of the withdrawn revision blocks the rollout until it is deleted")
	}
}

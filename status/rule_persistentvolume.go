package status

// A PersistentVolume is Current when it is available or bound. A released
// volume is settled, but serves no claim until its data is handled as its
// reclaim policy says. It fails when it could not be reclaimed; the failure is
// recoverable.
func persistentVolume(o *Fields) Result {
	namespace, claim := o.Text("spec.claimRef.namespace", "?"), o.Text("spec.claimRef.name", "?")
	switch phase := o.Text("status.phase", ""); phase {
	case "Available":
		return Current("Reconciled", "available to a claim")
	case "Bound":
		return currentWithMessage("bound to claim " + namespace + "/" + claim)
	case "Released":
		if o.Text("spec.persistentVolumeReclaimPolicy", "Retain") == "Retain" {
			o.Warn("its reclaim policy is Retain: a user has to free or delete it")
		}
		return Current("Released", "its claim "+namespace+"/"+claim+" is deleted")
	case "Failed":
		return o.FailAfterWindow(o.Text("status.lastPhaseTransitionTime", ""),
			FailedRecoverable("ReclaimFailed", "%s", o.Text("status.message", o.Text("status.reason", "it could not be reclaimed"))))
	case "":
		return InProgress("NotObserved", "its controller has not reported anything yet")
	default:
		return InProgress("Creating", "its phase is %s", phase)
	}
}

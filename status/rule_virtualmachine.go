package status

// A VirtualMachine of KubeVirt is Current when it runs and is ready, also
// during a migration to another node. A change that waits for the next start
// (condition RestartRequired) becomes a warning.
//
// It is suspended when its run strategy stops it (Halted, or spec.running
// false), and when it was paused. It is also suspended when it was shut down
// and its strategy does not restart it. It fails while it cannot be started:
// its volumes or its image are missing, or it exits repeatedly. Its controller
// reports the observed generation in status.desiredGeneration;
// status.observedGeneration is about the running instance.
func virtualMachine(o *Fields) Result {
	state := o.Text("status.printableStatus", "")
	ready, paused := o.Condition("Ready"), o.Condition("Paused")
	halted := o.Text("spec.runStrategy", "") == "Halted" || o.Has("spec.running") && !o.Bool("spec.running", true)
	if c := o.Condition("Failure"); c.Is(conditionTrue) {
		return o.FailAfterWindow(c.Since, FailedRecoverable("ReportsFailure", "%s", c.Sentence())).by(c)
	}
	switch state {
	case "":
		return InProgress("NotObserved", "its controller has not reported anything yet")
	case "Stopped":
		return o.stoppedMachine(halted)
	case "Running", "Migrating":
		switch seen := o.Int("status.desiredGeneration", 0); {
		case seen > 0 && seen < o.Generation():
			return InProgress("LatestGenerationNotObserved", "generation is %d, its controller has observed %d", o.Generation(), seen)
		case halted:
			return InProgress("Reconciling", "it still runs, and is being stopped")
		case ready.Status != conditionTrue:
			return InProgress("SummaryConditionNotTrue", "it runs, but it is not ready: %s", ready.detail()).by(ready)
		}
		if c := o.Condition("RestartRequired"); c.Is(conditionTrue) {
			o.Warn("a change waits for its next start: %s", c.Text())
		}
		return Current("Reconciled", "it runs and is ready")
	case "Paused":
		if paused.Is(conditionTrue) && paused.Reason == "PausedIOError" {
			return FailedRecoverable("ReportsFailure", "%s", paused.Sentence()).by(paused)
		}
		return Suspended(SuspendedByUser, "Paused", "it is paused")
	case "CrashLoopBackOff":
		return FailedRecoverable("CrashLoop", "it keeps crashing: %s", ready.detail()).by(ready)
	case "ErrImagePull", "ImagePullBackOff":
		return FailedRecoverable("ImagePullBackOff", "%s: %s", state, ready.detail()).by(ready)
	case "ErrorPvcNotFound", "ErrorDataVolumeNotFound":
		return FailedRecoverable("Dangling", "%s: %s", state, ready.detail()).by(ready)
	case "DataVolumeError":
		return FailedRecoverable("ReportsFailure", "one of its DataVolumes has an error: %s", ready.detail()).by(ready)
	case "ErrorUnschedulable":
		return InProgress("Unschedulable", "no node fits: %s", ready.detail()).by(ready)
	}
	return InProgress("Reconciling", "it is %s", state)
}

// stoppedMachine returns a result for a VirtualMachine that does not run.
func (f *Fields) stoppedMachine(halted bool) Result {
	switch strategy := f.Text("spec.runStrategy", ""); {
	case halted:
		return Suspended(SuspendedByUser, "Suspended", "it is stopped, as its spec requests")
	case strategy == "Manual", strategy == "Once", strategy == "RerunOnFailure":
		return Suspended(SuspendedByUser, "Suspended", "it is stopped, and run strategy "+strategy+" does not start it")
	}
	return InProgress("NotStarted", "it has not been started yet")
}

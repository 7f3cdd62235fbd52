package status

// A VirtualMachine of KubeVirt is current once it runs and is ready, also while
// it is migrated to another node. A change that waits for its next start
// (condition RestartRequired) is told as a warning.
//
// It is suspended when it is stopped as its run strategy asks (Halted, or
// spec.running false), was shut down where its strategy does not start it again,
// or was paused. It is failing while it cannot be started: its volumes or its
// image are not there, or it ends again and again. What its controller has seen
// is status.desiredGeneration; status.observedGeneration speaks of the instance
// that runs.
func virtualMachine(o *Fields) Result {
	state := o.Text("status.printableStatus", "")
	ready, paused := o.Condition("Ready"), o.Condition("Paused")
	halted := o.Text("spec.runStrategy", "") == "Halted" || o.Has("spec.running") && !o.Bool("spec.running", true)
	if c := o.Condition("Failure"); c.Is(conditionTrue) {
		return o.FailAfterWindow(c.Since, FailedRecoverable("ReportsFailure", "%s", c.Sentence()))
	}
	switch state {
	case "":
		return InProgress("NotObserved", "its controller has not reported anything yet")
	case "Stopped":
		return o.machineStopped(halted)
	case "Running", "Migrating":
		switch seen := o.Int("status.desiredGeneration", 0); {
		case seen > 0 && seen < o.Generation():
			return InProgress("LatestGenerationNotObserved", "generation is %d, its controller has observed %d", o.Generation(), seen)
		case halted:
			return InProgress("Reconciling", "it still runs, and is to be stopped")
		case ready.Status != conditionTrue:
			return InProgress("SummaryConditionNotTrue", "it runs, but it is not ready: %s", ready.detail())
		}
		if c := o.Condition("RestartRequired"); c.Is(conditionTrue) {
			o.Warn("a change waits for its next start: %s", c.Text())
		}
		return Current("Reconciled", "it runs and is ready")
	case "Paused":
		if paused.Is(conditionTrue) && paused.Reason == "PausedIOError" {
			return FailedRecoverable("ReportsFailure", "%s", paused.Sentence())
		}
		return Suspended(SuspendedByUser, "Paused", "it is paused")
	case "CrashLoopBackOff":
		return FailedRecoverable("CrashLoop", "it keeps crashing: %s", ready.detail())
	case "ErrImagePull", "ImagePullBackOff":
		return FailedRecoverable("ImagePullBackOff", "%s: %s", state, ready.detail())
	case "ErrorPvcNotFound", "ErrorDataVolumeNotFound":
		return FailedRecoverable("Dangling", "%s: %s", state, ready.detail())
	case "DataVolumeError":
		return FailedRecoverable("ReportsFailure", "one of its DataVolumes has an error: %s", ready.detail())
	case "ErrorUnschedulable":
		return InProgress("Unschedulable", "no node fits: %s", ready.detail())
	}
	return InProgress("Reconciling", "it is %s", state)
}

// machineStopped answers for a VirtualMachine that does not run.
func (f *Fields) machineStopped(halted bool) Result {
	switch strategy := f.Text("spec.runStrategy", ""); {
	case halted:
		return Suspended(SuspendedByUser, "Suspended", "it is stopped, as it asks")
	case strategy == "Manual", strategy == "Once", strategy == "RerunOnFailure":
		return Suspended(SuspendedByUser, "Suspended", "it is stopped, and with the run strategy "+strategy+" nothing starts it")
	}
	return InProgress("NotStarted", "it has not been started yet")
}

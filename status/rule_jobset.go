package status

// A JobSet is Current when it has completed. It has failed terminally when its
// controller reports that, in status.terminalState or in the condition Failed.
// While its Jobs run it is in progress; in the started profile it is Current. Jobs
// that its failure policy recreates do not count against it.
//
// With spec.suspend it is suspended when none of its Jobs is active. If a queue
// and not the applier suspended it, it is held back until the queue admits it.
// If spec.managedBy names another controller, that controller writes this
// status.
func jobSet(o *Fields) Result {
	end := o.Text("status.terminalState", "")
	if c := o.Condition("Failed"); c.Is(conditionTrue) {
		return FailedTerminal("JobFailed", "%s", c.detail()).by(c)
	}
	if end == "Failed" {
		return FailedTerminal("JobFailed", "it has failed")
	}
	if end == "Completed" || o.Condition("Completed").Is(conditionTrue) {
		return Current("Completed", "it has completed")
	}
	var want, active, ready, succeeded int64
	for jobs := range o.Each("spec.replicatedJobs") {
		want += jobs.Int("replicas", 1)
	}
	for jobs := range o.Each("status.replicatedJobsStatus") {
		active += jobs.Int("active", 0)
		ready += jobs.Int("ready", 0)
		succeeded += jobs.Int("succeeded", 0)
	}
	suspended, restarts := o.Bool("spec.suspend", false), o.Int("status.restarts", 0)
	switch {
	case suspended && active > 0:
		return InProgress("RolloutTerminatingOld", "it is being suspended; active Jobs: %d", active)
	case suspended:
		return o.suspendedByField("suspend", "Suspended", "it is suspended")
	case active == 0 && ready == 0 && succeeded == 0 && restarts == 0:
		return InProgress("NotStarted", "%s has not started any of %d Jobs yet", o.controllerName("jobset.sigs.k8s.io/jobset-controller"), want)
	case ready+succeeded < want && restarts > 0:
		return InProgress("NotAvailable", "%d/%d Jobs ready, %d succeeded; restarted %d times", ready, want, succeeded, restarts)
	case ready+succeeded < want:
		return InProgress("NotAvailable", "%d/%d Jobs ready, %d succeeded", ready, want, succeeded)
	}
	return InProgress("Running", "%d/%d Jobs run, %d succeeded", ready, want, succeeded)
}

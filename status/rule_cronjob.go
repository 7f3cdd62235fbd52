package status

// A CronJob is Current when the API server has accepted it, since it starts
// Jobs by its schedule. It is suspended while spec.suspend is set; Jobs that it
// started before continue. Failed Jobs do not count against it, but if the last
// run did not succeed, the verdict has a warning.
func cronJob(o *Fields) Result {
	running := o.Len("status.active")
	last, success := o.Text("status.lastScheduleTime", ""), o.Text("status.lastSuccessfulTime", "")
	if running == 0 && last != "" && o.Since(success) > o.Since(last) {
		o.Warn("its last run, of %s, has not succeeded", last)
	}
	if o.Bool("spec.suspend", false) {
		return o.suspendedByField("suspend", "Suspended", sprintf("%d running; it is suspended", []any{running}))
	}
	if running > 0 {
		return Current("Started", "%d running", running)
	}
	r := Current("Started", "")
	r.Message = "none running, on schedule " + o.Text("spec.schedule", "")
	return r
}

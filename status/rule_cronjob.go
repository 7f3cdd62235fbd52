package status

// A CronJob has done all that it promises once it is accepted: it starts Jobs
// when their time comes. It is suspended while spec.suspend is set; a Job that
// it has started before then goes on. Whether its Jobs succeed does not count
// against it, but a last run that did not is told as a warning.
func cronJob(o *Fields) Result {
	running := o.Len("status.active")
	last, success := o.Text("status.lastScheduleTime", ""), o.Text("status.lastSuccessfulTime", "")
	if running == 0 && last != "" && o.Since(success) > o.Since(last) {
		o.Warn("its last run, of %s, has not succeeded", last)
	}
	if o.Bool("spec.suspend", false) {
		return o.stopped("suspend", "Suspended", sprintf("%d running; it is suspended", []any{running}))
	}
	if running > 0 {
		return Current("Started", "%d running", running)
	}
	r := Current("Started", "")
	r.Message = "none running, on schedule " + o.Text("spec.schedule", "")
	return r
}

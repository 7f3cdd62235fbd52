package status

import (
	"strconv"
	"strings"
)

// A Job is Current when its condition Complete is True, and has failed
// terminally when its condition Failed is True. While it runs it is in
// progress; in the started profile it is Current. It also fails as soon as its
// condition FailureTarget is True, but that does not end a wait at once. The
// condition Failed follows when its last Pods have ended. When it has succeeded
// (condition SuccessCriteriaMet), it still waits for its last Pods to end. It has
// failed although it is complete if one of its Pods was evicted, and its
// containers exited with 0.
//
// With spec.suspend it is suspended when none of its Pods is active, even
// before its condition reports it. The same applies to a parallelism of zero.
// If a queue and not the applier suspended the Job, it is held back until the
// queue admits it. The condition Suspended does not decide, since it remains
// for a while after the Job is resumed. If spec.managedBy names another
// controller, that controller writes this status.
func job(o *Fields) Result {
	if c := o.Condition("Failed"); c.Is(conditionTrue) {
		return FailedTerminal("JobFailed", "%s", c.detail()).by(c)
	}
	var (
		active    = o.Int("status.active", 0)
		succeeded = o.Int("status.succeeded", 0)
		failed    = o.Int("status.failed", 0)
		want      = o.Int("spec.completions", max(succeeded, 1)) // without it, one success completes the Job
	)
	if c := o.Condition("Complete"); c.Is(conditionTrue) {
		if message := o.eviction(); message != "" {
			return FailedTerminal("Evicted", "a Pod that it counts as succeeded was evicted: %s", strings.TrimRight(message, ". "))
		}
		return Current("Completed", "%d/%d completed", succeeded, want)
	}
	remaining := active + o.Int("status.terminating", 0)
	ends := func(condition string) string {
		if remaining == 0 {
			return "waiting for its controller to mark it " + condition
		}
		return "waiting for its last Pods to end: " + strconv.FormatInt(remaining, 10)
	}
	if c := o.Condition("FailureTarget"); c.Is(conditionTrue) {
		return FailedRecoverable("AboutToFail", "it fails: %s; %s", c.detail(), ends("Failed")).by(c)
	}
	if c := o.Condition("SuccessCriteriaMet"); c.Is(conditionTrue) {
		return InProgress("Finishing", "succeeded; %s", ends("Complete"))
	}
	suspended := o.Bool("spec.suspend", false)
	switch {
	case suspended && active > 0:
		return InProgress("RolloutTerminatingOld", "it is being suspended; active Pods: %d", active)
	case suspended:
		return o.suspendedByField("suspend", "Suspended", "it is suspended")
	case succeeded >= want && active == 0:
		return InProgress("Finishing", "%d/%d completed; %s", succeeded, want, ends("Complete"))
	case !o.Has("status.startTime") && active == 0:
		return InProgress("NotStarted", "%s has not started it yet", o.controllerName("kubernetes.io/job-controller"))
	case active == 0 && o.Int("spec.parallelism", 1) == 0:
		return o.suspendedByField("parallelism", "Suspended", "its parallelism is 0")
	case failed > 0:
		return InProgress("Running", "%d/%d completed, %d active, %d failed", succeeded, want, active, failed)
	}
	return InProgress("Running", "%d/%d completed, %d active", succeeded, want, active)
}

// detail returns the reason and the message of the condition, or the one of
// them that it has.
func (c Condition) detail() string {
	if c.Reason == "" || c.Message == "" {
		return c.Text()
	}
	return c.Reason + ": " + c.Message
}

// controllerName names the controller that writes the status if spec.managedBy names
// another than the kind's own.
func (f *Fields) controllerName(own string) string {
	if by := f.Text("spec.managedBy", own); by != own && by != "" {
		return by
	}
	return "its controller"
}

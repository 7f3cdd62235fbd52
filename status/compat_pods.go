package status

import (
	"strings"
	"time"
)

// compatScheduleWindow is the time that kstatus gives the scheduler before a Pod counts as
// unschedulable.
const compatScheduleWindow = 15 * time.Second

// compatPod: a Pod that has ended is Current, with success or not, and so is a running Pod that
// is ready. A running Pod that is not ready has failed while one of its containers is in
// CrashLoopBackOff. A pending Pod has failed when the scheduler has found no node for 15
// seconds.
func compatPod(o *Fields) Result {
	compatConditions(o) // a malformed one counts in each phase
	switch phase := compatText(o, "status.phase", ""); phase {
	case "Succeeded":
		return Current("", "Pod has completed successfully")
	case "Failed":
		return Current("", "Pod has completed, but not successfully")
	case "Running":
		return compatRunningPod(o)
	case "Pending":
		return compatPendingPod(o)
	case "":
		return InProgress("PodNotObserved", "Pod phase not available")
	default:
		o.malformed("status.phase", "Pending, Running, Succeeded or Failed", phase)
		return Result{}
	}
}

func compatRunningPod(o *Fields) Result {
	if _, ready := compatFirstCondition(o, "Ready", conditionTrue); ready {
		return Current("", "Pod is Ready")
	}
	if names := compatCrashLoopContainers(o); len(names) > 0 {
		return FailedRecoverable("ContainerCrashLooping", "Containers in CrashLoop state: %s", strings.Join(names, ","))
	}
	return InProgress("PodRunningNotReady", "Pod is running but is not Ready")
}

func compatPendingPod(o *Fields) Result {
	if c, ok := compatFirstCondition(o, "PodScheduled", conditionFalse); !ok || c.Reason != "Unschedulable" {
		return InProgress("PodPending", "Pod is in the Pending phase")
	}
	created := compatText(o, "metadata.creationTimestamp", "")
	if left := compatScheduleWindow - o.Since(created); left > 0 {
		r := InProgress("PodNotScheduled", "Pod has not been scheduled")
		r.Recheck = left
		return r
	}
	return FailedRecoverable("PodUnschedulable", "Pod could not be scheduled")
}

// compatFirstCondition returns the first condition of that type with that status.
func compatFirstCondition(o *Fields, t string, want ConditionStatus) (c Condition, found bool) {
	for i, item := range compatConditions(o) {
		if c = compatCondition(o, i, item); c.Type == t && c.Status == want {
			return c, true
		}
	}
	return Condition{}, false
}

// compatCrashLoopContainers returns the names of the containers that wait in a crash loop.
// Containers without a name, a state, a wait or a reason are skipped; null is malformed.
func compatCrashLoopContainers(o *Fields) (names []string) {
	const path = "status.containerStatuses"
	v, found := o.Map("status")["containerStatuses"]
	if !found {
		return nil
	}
	if v == nil {
		o.malformed(path, "a list", v)
	}
	for c := range o.Each(path) {
		name, named := compatField[string](c, c.node, "name", "name", "a string")
		if !named {
			continue
		}
		state, _ := compatField[map[string]any](c, c.node, "state", "state", "a map")
		waiting, _ := compatField[map[string]any](c, state, "waiting", "state.waiting", "a map")
		reason, _ := compatField[string](c, waiting, "reason", "state.waiting.reason", "a string")
		c.recordRead("state.waiting.reason", reason)
		if reason == "CrashLoopBackOff" {
			names = append(names, name)
		}
	}
	return names
}

// compatField returns a field that may be missing, but not null.
func compatField[T any](o *Fields, m map[string]any, name, path, want string) (value T, ok bool) {
	v, found := m[name]
	if !found {
		return value, false
	}
	value, ok = v.(T)
	if !ok {
		o.malformed(path, want, v)
	}
	return value, ok
}

// compatJob: a Job is Current when it has started, while it runs and when it is complete. The
// first condition that reports completion or failure decides.
func compatJob(o *Fields) Result {
	for i, item := range compatConditions(o) {
		c := compatCondition(o, i, item)
		if c.Status == conditionTrue && (c.Type == "Complete" || c.Type == "Failed") {
			return compatFinishedJob(o, c.Type).by(c)
		}
	}
	return compatUnfinishedJob(o)
}

// compatFinishedJob judges a Job by the condition that ended it.
func compatFinishedJob(o *Fields, conditionType string) Result {
	completions := compatInt(o, "spec.completions", compatInt(o, "spec.parallelism", 1))
	if conditionType == "Failed" {
		return FailedTerminal("JobFailed", "Job Failed. failed: %d/%d", compatInt(o, "status.failed", 0), completions)
	}
	return Current("", "Job Completed. succeeded: %d/%d", compatInt(o, "status.succeeded", 0), completions)
}

// compatUnfinishedJob judges a Job that has not ended.
func compatUnfinishedJob(o *Fields) Result {
	if compatText(o, "status.startTime", "") == "" {
		return InProgress("JobNotStarted", "Job not started")
	}
	return Current("", "Job in progress. success:%d, active: %d, failed: %d",
		compatInt(o, "status.succeeded", 0), compatInt(o, "status.active", 0), compatInt(o, "status.failed", 0))
}

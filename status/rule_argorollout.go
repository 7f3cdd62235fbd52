package status

import (
	"cmp"
	"strconv"
	"strings"
)

// A Rollout of Argo is Current when its controller has observed its latest
// generation and that of the referenced workload, and reports the phase
// Healthy. All replicas then run the latest template and are available, and all
// steps and analyses of the update have ended. Controllers before 1.0 report no
// phase; their counts and the hashes of the stable and the latest template
// decide.
//
// It is suspended while spec.paused is set. It waits for approval at a pause
// without a duration, also after an inconclusive analysis. It has been given up
// when its update was aborted: the stable version runs until a user retries or
// changes it. It fails while its spec is invalid, or when it makes no progress
// in time.
//
// status.observedGeneration is the generation as text. Before 0.10 it was a
// hash, which proves nothing.
func argoRollout(o *Fields) Result {
	if r := o.rolloutGeneration(); r.Status != "" {
		return r
	}
	var (
		phase       = o.Text("status.phase", "")
		message     = o.Text("status.message", phase)
		progressing = o.Condition("Progressing")
	)
	switch invalid := o.Condition("InvalidSpec"); {
	case invalid.Is(conditionTrue):
		return FailedRecoverable("ReportsFailure", "%s", invalid.Text()).by(invalid)
	case progressing.Reason == "RolloutAborted", o.Bool("status.abort", false):
		return FailedTerminal("GivenUp", "its update was aborted: %s", progressing.Text()).by(progressing)
	case progressing.Reason == "ProgressDeadlineExceeded":
		return o.deadlineExceeded(progressing)
	case phase == "Degraded":
		return FailedRecoverable("ReportsFailure", "%s", message)
	}
	held := o.Len("status.pauseConditions") > 0
	switch {
	case o.Bool("spec.paused", false):
		return o.suspendedByField("paused", "Paused", "its rollout is paused")
	case !held && o.Bool("status.controllerPause", false):
		return InProgress("RolloutUpdating", "its controller is about to resume it after a pause")
	case held, phase == "Paused":
		return o.rolloutPause(message)
	case phase == "Healthy":
		return o.rolloutComplete()
	}
	if r := o.rolloutCounts(phase); r.Status != "" {
		return r
	}
	if phase == "" {
		return o.rolloutComplete()
	}
	return InProgress("RolloutUpdating", "%s", message)
}

// rolloutGeneration checks that the controller has observed the latest generation
// and that of the workload with the template.
func (f *Fields) rolloutGeneration() (r Result) {
	if !f.Has("status.observedGeneration") {
		return InProgress("NotObserved", "its controller has not reported anything yet")
	}
	want, seen := f.Generation(), f.Text("status.observedGeneration", "")
	if n, ok := decimal(seen); ok && n < want {
		return InProgress("LatestGenerationNotObserved", "generation is %d, its controller has observed %d", want, n)
	}
	if !f.Has("spec.workloadRef") {
		return r
	}
	workload := f.MapText("metadata.annotations", "rollout.argoproj.io/workload-generation")
	looked := f.Text("status.workloadObservedGeneration", workload)
	if _, ok := decimal(looked); ok && looked != workload {
		return InProgress("LatestGenerationNotObserved", "generation of its workload is %s, its controller has observed %s", workload, looked)
	}
	return r
}

// decimal parses a text of digits. It rejects other texts early, since a
// failing strconv.ParseInt costs more than a successful one.
func decimal(text string) (int64, bool) {
	if strings.Trim(text, "0123456789") != "" || text == "" {
		return 0, false
	}
	n, err := strconv.ParseInt(text, 10, 64)
	return n, err == nil
}

// rolloutPause returns a result for an update that is paused, at a step or for
// approval. A step with a duration ends by itself.
func (f *Fields) rolloutPause(message string) Result {
	reason, timed, open := "", 0, 0
	for c := range f.Each("status.pauseConditions") {
		reason = max(reason, c.Text("reason", ""))
	}
	for step := range f.Each("spec.strategy.canary.steps") {
		switch {
		case step.Has("pause.duration"):
			timed++
		case step.Has("pause"):
			open++
		}
	}
	reason = cmp.Or(reason, message)
	switch {
	case reason == "CanaryPauseStep" && timed > 0 && open == 0,
		reason == "BlueGreenPause" && f.Int("spec.strategy.blueGreen.autoPromotionSeconds", 0) > 0:
		return InProgress("RolloutUpdating", "its update is paused, and resumes by itself: %s", reason)
	case reason == "CanaryPauseStep" && timed > 0:
		return InProgress("WaitingForApproval", "its update waits until its pause ends or it is promoted: %s", reason)
	}
	return InProgress("WaitingForApproval", "its update waits until it is promoted: %s", reason)
}

// rolloutCounts returns what is left to do, by the counts.
func (f *Fields) rolloutCounts(phase string) (r Result) {
	var (
		want      = f.Int("spec.replicas", 1)
		have      = f.Int("status.replicas", 0)
		updated   = f.Int("status.updatedReplicas", 0)
		available = f.Int("status.availableReplicas", 0)
		latest    = f.Text("status.currentPodHash", "")
		blueGreen = f.Has("spec.strategy.blueGreen")
	)
	switch {
	case updated < want:
		return InProgress("RolloutUpdating", "%d/%d updated", updated, want)
	case available < updated:
		return InProgress("NotAvailable", "%d/%d available", available, want)
	case phase != "":
	case blueGreen && f.Text("status.blueGreen.activeSelector", "") != latest:
		return InProgress("RolloutUpdating", "%d/%d available, but its Service does not select them yet", available, want)
	case !blueGreen && have > updated && !f.Has("spec.strategy.canary.trafficRouting"):
		return InProgress("RolloutTerminatingOld", "%d/%d replicas; waiting for %d to be deleted", have, want, have-updated)
	case f.Text("status.stableRS", f.Text("status.canary.stableRS", latest)) != latest:
		return InProgress("RolloutUpdating", "%d/%d available, but the steps of its update have not completed yet", available, want)
	}
	return r
}

func (f *Fields) rolloutComplete() Result {
	want, available := f.Int("spec.replicas", 1), f.Int("status.availableReplicas", 0)
	if want == 0 {
		return Suspended(SuspendedByUser, "ScaledToZero", "scaled to zero")
	}
	return Current("Reconciled", "%d/%d available", available, want)
}

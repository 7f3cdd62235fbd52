package status

import (
	"slices"
	"strings"
	"time"
)

// A Pod is Current while its condition Ready is True, which includes its
// readiness gates, and when it has succeeded. The phase Succeeded does not count
// if its kubelet evicted it, or if its containers are always restarted.
// Containers may exit with 0 when they are stopped. A Pod in the phase Failed has
// failed terminally, whatever its restart policy: the phase is final, and an
// owner replaces the Pod.
//
// Until it is ready, the worst problem of its containers decides, including
// init containers and sidecars. A container that exits repeatedly, one that cannot
// be started, and an image that cannot be pulled are recoverable; an invalid
// image name is not. Image pulls and starts have some time before they fail. A
// Pod that fits on no node is in progress, since an autoscaler or freed
// capacity may help. A Pod that only waits for its PersistentVolumeClaims to be
// bound has 30 seconds before it counts as unschedulable. A Pod with scheduling
// gates waits until they are removed.
//
// A ready Pod is still in progress while it is about to be evicted and while
// its resources are resized.
func pod(o *Fields) Result {
	ready, phase := o.Condition("Ready"), o.Text("status.phase", "")
	switch {
	case phase == "Succeeded":
		return o.succeededPod()
	case phase == "Failed":
		return FailedTerminal("PodFailed", "%s", o.podFailure())
	case phase == "Unknown" || o.Text("status.reason", "") == "NodeLost":
		return o.FailAfterWindow(ready.Since, FailedRecoverable("NodeNotReady", "node %s does not report its status", o.Text("spec.nodeName", "")))
	}
	if c := o.Condition("DisruptionTarget"); c.Is(conditionTrue) {
		return InProgress("Evicting", "it is about to be terminated: %s", c.detail()).by(c)
	}
	if ready.Status == conditionTrue {
		return o.readyPod(ready)
	}
	if r := o.unscheduledPod(); r.Status != "" {
		return r
	}
	if r := o.containerProblem(ready); r.Status != "" {
		return r
	}
	if phase == "Pending" {
		return o.startingPod()
	}
	return o.unreadyPod(ready)
}

// podDeletion returns how long a Pod that is being deleted may still run, and
// which component has not acted after that time. After that only its finalizers
// may block the deletion.
func podDeletion(o *Fields) (r Result) {
	due := o.Text("metadata.deletionTimestamp", "")
	node := o.Text("spec.nodeName", "")
	switch left := -o.Since(due); {
	case left > 0:
		r = Result{Status: TerminatingStatus, Reason: "GracefulPod", Recheck: left}
		r.Message = sprintf("its grace period of %d s ends at %s", []any{o.Int("metadata.deletionGracePeriodSeconds", 0), due})
	case node != "" && len(o.finalizers()) == 0:
		r = Result{Status: TerminatingStatus, Reason: "Deleting"}
		r.Message = sprintf("its grace period ended at %s; node %s has not confirmed that its containers have terminated", []any{due, node})
	}
	return r
}

// succeededPod judges a Pod whose containers have exited with 0. They may also do so when their
// kubelet ends the Pod, for example to free disk space. The Pod has not completed its work then.
func (f *Fields) succeededPod() Result {
	if c := f.Condition("DisruptionTarget"); c.Is(conditionTrue) && c.Reason == "TerminationByKubelet" {
		return FailedTerminal("Evicted", "its kubelet terminated it, and its containers exited with 0: %s", c.Text()).by(c)
	}
	if message := f.eviction(); message != "" {
		return FailedTerminal("Evicted", "it was evicted, and its containers exited with 0: %s", strings.TrimRight(message, ". "))
	}
	if f.Text("spec.restartPolicy", "") == "Always" && !f.hasOwnRestartPolicies() {
		return FailedTerminal("Evicted", "its kubelet has ended it: its containers exited with 0, and would be restarted otherwise")
	}
	return Current("Completed", "it has succeeded")
}

// hasOwnRestartPolicies reports whether a container has another restart policy than its Pod.
func (f *Fields) hasOwnRestartPolicies() bool {
	for c := range f.Each("spec.containers") {
		if c.Has("restartPolicy") {
			return true
		}
	}
	return false
}

// readyPod judges a Pod whose condition Ready is True.
func (f *Fields) readyPod(ready Condition) Result {
	if ready.Stale {
		return InProgress("StaleCondition", "condition Ready is for an earlier generation than %d", f.Generation())
	}
	for _, t := range [...]string{"PodResizePending", "PodResizeInProgress"} {
		if c := f.Condition(t); c.Status == conditionTrue {
			return InProgress("Resizing", "it is ready, and its resize has not completed: %s", c.detail()).by(c)
		}
	}
	return Current("Reconciled", "it is ready").WithCaveat(f.restartCaveat())
}

// claimBinding is the time that the claims of a Pod have to be bound, for
// example on its first start.
const claimBinding = 30 * time.Second

// waitsForClaims reports whether the message of the scheduler says that a Pod
// only waits for its claims:
// https://github.com/kubernetes/kubernetes/blob/v1.32.13/pkg/scheduler/framework/plugins/volumebinding/volume_binding.go#L368
func waitsForClaims(scheduled Condition) bool {
	return strings.Contains(scheduled.Message, "unbound immediate PersistentVolumeClaims")
}

// unscheduledPod judges a Pod that has no node; zero if it has one.
func (f *Fields) unscheduledPod() (r Result) {
	c := f.Condition("PodScheduled")
	gates, phase := f.Len("spec.schedulingGates"), f.Text("status.phase", "")
	switch {
	case c.Status == conditionTrue || phase == "Running" || f.Has("spec.nodeName") || f.Has("status.containerStatuses"):
		return r
	case gates > 0 || c.Reason == "SchedulingGated":
		return Suspended(SuspendedByController, "SchedulingGated", "scheduling is blocked by scheduling gates: %s", f.gates())
	case c.Reason == "Unschedulable" && waitsForClaims(c) && f.Since(c.Since) < claimBinding:
		r = InProgress("Binding", "waiting for its PersistentVolumeClaims to be bound")
		r.Recheck = claimBinding - f.Since(c.Since)
		return r
	case c.Reason == "Unschedulable":
		// However long it lasts, a new node may solve it at any time.
		r = FailedRecoverable("Unschedulable", "%s", c.Text()).by(c)
		r.Status = InProgressStatus
		return r
	case c.Status == conditionFalse:
		return InProgress("NotStarted", "it is not scheduled: %s", c.detail()).by(c)
	case phase == "":
		return InProgress("NotObserved", "nothing has been reported yet")
	}
	return InProgress("NotStarted", "it is not scheduled yet")
}

// gates names the scheduling gates of a Pod.
func (f *Fields) gates() string {
	var names []string
	for gate := range f.Each("spec.schedulingGates") {
		names = append(names, gate.Text("name", ""))
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

// startingPod judges a Pod that has a node, but not all of its containers.
func (f *Fields) startingPod() Result {
	all, done := f.Len("spec.initContainers"), 0
	for c := range f.Each("status.initContainerStatuses") {
		_, noun := f.restarts(containerRoles[0], c.Text("name", ""))
		if c.hasSucceeded() || noun == "sidecar" && c.Bool("started", false) {
			done++
		}
	}
	if done < all {
		return InProgress("ContainerCreating", "%d/%d init containers done", done, all)
	}
	return InProgress("ContainerCreating", "its containers are being created")
}

// unreadyPod judges a Pod that runs and is not ready without a known problem. A
// Pod that runs to completion is never ready again after its first container
// has ended.
func (f *Fields) unreadyPod(ready Condition) Result {
	all, done := f.Len("status.containerStatuses"), 0
	if f.Text("spec.restartPolicy", "Always") != "Always" {
		for c := range f.Each("status.containerStatuses") {
			if c.hasSucceeded() {
				done++
			}
		}
	}
	switch {
	case done > 0:
		return InProgress("Running", "%d/%d containers have succeeded", done, all)
	case ready.Status == "":
		return InProgress("NotAvailable", "it does not report whether it is ready")
	}
	switch waiting, probes := f.unreadyContainers(); {
	case probes:
		return InProgress("NotAvailable", "it is not ready: %s", waiting)
	case waiting != "":
		return InProgress("NotAvailable", "%s", waiting)
	}
	return InProgress("NotAvailable", "it is not ready: %s", ready.Text()).by(ready)
}

// unreadyContainers names the running containers that are not ready, and the
// startup or readiness probes that they have not passed.
func (f *Fields) unreadyContainers() (text string, probes bool) {
	var waiting []string
	for _, role := range containerRoles {
		for c := range f.Each(role.status) {
			if !c.Has("state.running") || c.Bool("ready", true) {
				continue
			}
			name, probe := c.Text("name", ""), "readiness"
			if !c.Bool("started", true) {
				probe = "startup"
			}
			_, noun := f.restarts(role, name)
			what := " runs, but is not ready yet"
			for spec := range f.Each(role.spec) {
				if spec.Text("name", "") == name && spec.Has(probe+"Probe") {
					what, probes = " has not passed its "+probe+" probe", true
				}
			}
			waiting = append(waiting, noun+" "+name+what)
		}
	}
	slices.Sort(waiting)
	return strings.Join(waiting, "; "), probes
}

package status

import (
	"slices"
	"strings"
	"time"
)

// A Pod is current while its condition Ready is True, which includes its
// readiness gates, and once it has ended with success. A Pod that has ended
// with an error has failed for good, whatever its restart policy: its phase is
// final, and an owner replaces it with another Pod.
//
// Until it is ready, what is wrong with its containers decides, init
// containers and sidecars included. A container that ends again and again, one
// that cannot be started, and an image that cannot be pulled may heal; an image
// name that is not valid cannot. An image and a start are given some time
// first. A Pod that no node fits is in progress: an autoscaler or freed room
// may heal that. One that only waits for its PersistentVolumeClaims to be bound
// has 30 seconds before it counts as one that no node fits. Scheduling gates hold it back until somebody lifts them.
//
// A Pod that serves is still in progress while it is about to be evicted and
// while its resources are resized.
func pod(o *Fields) Result {
	ready, phase := o.Condition("Ready"), o.Text("status.phase", "")
	switch {
	case phase == "Succeeded":
		return Current("Completed", "it has ended with success")
	case phase == "Failed":
		return FailedTerminal("PodFailed", "%s", o.podFailure())
	case phase == "Unknown" || o.Text("status.reason", "") == "NodeLost":
		return o.FailAfterWindow(ready.Since, FailedRecoverable("NodeNotReady", "node %s does not report on it", o.Text("spec.nodeName", "")))
	}
	if c := o.Condition("DisruptionTarget"); c.Is(conditionTrue) {
		return InProgress("Evicting", "it is about to be ended: %s", c.detail())
	}
	if ready.Status == conditionTrue {
		return o.readyPod(ready)
	}
	if r := o.unscheduledPod(); r.Status != "" {
		return r
	}
	if r := o.containerTrouble(ready); r.Status != "" {
		return r
	}
	if phase == "Pending" {
		return o.startingPod()
	}
	return o.unreadyPod(ready)
}

// podDeletion says how long a Pod that is being deleted has to end, and whose
// word is missing once that time is over. Only its finalizers may hold it
// beyond that.
func podDeletion(o *Fields) (r Result) {
	due := o.Text("metadata.deletionTimestamp", "")
	node := o.Text("spec.nodeName", "")
	switch left := -o.Since(due); {
	case left > 0:
		r = Result{Status: TerminatingStatus, Reason: "GracefulPod", Recheck: left}
		r.Message = sprintf("its grace period of %d s ends at %s", []any{o.Int("metadata.deletionGracePeriodSeconds", 0), due})
	case node != "" && len(o.finalizers()) == 0:
		r = Result{Status: TerminatingStatus, Reason: "Deleting"}
		r.Message = sprintf("its grace period ended at %s; node %s has not confirmed that it has ended", []any{due, node})
	}
	return r
}

// readyPod judges a Pod that says it is ready.
func (f *Fields) readyPod(ready Condition) Result {
	if ready.Stale {
		return InProgress("StaleCondition", "condition Ready speaks of an earlier generation than %d", f.Generation())
	}
	for _, t := range [...]string{"PodResizePending", "PodResizeInProgress"} {
		if c := f.Condition(t); c.Status == conditionTrue {
			return InProgress("Resizing", "it is ready, and its resources are to be resized: %s", c.detail())
		}
	}
	return Current("Reconciled", "it is ready")
}

// claimBinding is how long the claims of a Pod may take until they are bound, as on its first start.
const claimBinding = 30 * time.Second

// waitsForClaims reports whether the scheduler says, in words alone, that a Pod only waits for
// its claims: https://github.com/kubernetes/kubernetes/blob/v1.32.13/pkg/scheduler/framework/plugins/volumebinding/volume_binding.go#L368
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
		return Suspended(SuspendedByController, "SchedulingGated", "scheduling gates hold it back: %s", f.gates())
	case c.Reason == "Unschedulable" && waitsForClaims(c) && f.Since(c.Since) < claimBinding:
		r = InProgress("Binding", "waiting for its PersistentVolumeClaims to be bound")
		r.Recheck = claimBinding - f.Since(c.Since)
		return r
	case c.Reason == "Unschedulable":
		// However long it lasts, a new node may heal it at any time.
		r = FailedRecoverable("Unschedulable", "%s", c.Text())
		r.Status = InProgressStatus
		return r
	case c.Status == conditionFalse:
		return InProgress("NotStarted", "it is not scheduled: %s", c.detail())
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

// startingPod judges a Pod that has a node, but not all of its containers yet.
func (f *Fields) startingPod() Result {
	all, done := f.Len("spec.initContainers"), 0
	for c := range f.Each("status.initContainerStatuses") {
		_, noun := f.restarts(containerRoles[0], c.Text("name", ""))
		if c.succeeded() || noun == "sidecar" && c.Bool("started", false) {
			done++
		}
	}
	if done < all {
		return InProgress("ContainerCreating", "%d/%d init containers done", done, all)
	}
	return InProgress("ContainerCreating", "its containers are being created")
}

// unreadyPod judges a Pod that runs, is not ready, and of which nothing is
// known to be wrong. One that is to run to its end is never ready again once
// the first of its containers has ended.
func (f *Fields) unreadyPod(ready Condition) Result {
	all, done := f.Len("status.containerStatuses"), 0
	if f.Text("spec.restartPolicy", "Always") != "Always" {
		for c := range f.Each("status.containerStatuses") {
			if c.succeeded() {
				done++
			}
		}
	}
	switch {
	case done > 0:
		return InProgress("Running", "%d/%d containers have ended with success", done, all)
	case ready.Status == "":
		return InProgress("NotAvailable", "it does not say whether it is ready")
	}
	if waiting := f.waitingForProbes(); waiting != "" {
		return InProgress("NotAvailable", "it is not ready: %s", waiting)
	}
	return InProgress("NotAvailable", "it is not ready: %s", ready.Text())
}

// waitingForProbes names the containers that run and are not ready, and the
// startup or readiness probe that they have not passed.
func (f *Fields) waitingForProbes() string {
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
			what := " runs and is not ready yet"
			for spec := range f.Each(role.spec) {
				if spec.Text("name", "") == name && spec.Has(probe+"Probe") {
					what = " has not passed its " + probe + " probe"
				}
			}
			waiting = append(waiting, noun+" "+name+what)
		}
	}
	slices.Sort(waiting)
	return strings.Join(waiting, "; ")
}

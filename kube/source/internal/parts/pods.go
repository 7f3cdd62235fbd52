package parts

import (
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"kstatus.dev/internal/condition"
	"kstatus.dev/internal/decoded"
	"kstatus.dev/kube/internal/trim"
	"kstatus.dev/observe"
)

// maxHeldPods is how many unready Pods are kept before it is known whether they count.
const maxHeldPods = 500

// An unreadyPod is a Pod of a target that is not ready.
type unreadyPod struct {
	name       string
	controller types.UID
	labels     map[string]string // one of them is its revision
	failed     bool              // of the failed Pods of a Job only the last is kept
	created    metav1.Time
	reportedTo []*workload                // the workloads for which it was reported
	object     *unstructured.Unstructured // while it may still be reported for a workload
}

// reportCounted reports the Pods that count for a workload and have not been reported.
func (pt *podTracker) reportCounted(w *workload) {
	for _, pod := range pt.unready.byController[w.controller] {
		pt.reportPod(w, pod)
	}
}

// reportPod reports a Pod if it counts for a workload and has not been reported for it.
func (pt *podTracker) reportPod(w *workload, pod *unreadyPod) {
	if pod.object == nil || slices.Contains(pod.reportedTo, w) || !pt.countsFor(pod, w) {
		return
	}
	if len(pod.reportedTo) == 0 {
		pt.unready.held--
	}
	pod.reportedTo = append(pod.reportedTo, w)
	pt.reportPart(w, pod.name, pod.object)
	if !pt.shared {
		pod.object = nil
	}
}

// reportPart reports that a Pod is a part, or with a nil u that it no longer is.
func (pt *podTracker) reportPart(w *workload, name string, u *unstructured.Unstructured) {
	s := observe.Event{Of: w.target, Target: observe.Target{Kind: podKind, Namespace: pt.namespace, Name: name, Cluster: w.target.Cluster}}
	if u != nil {
		s.Object = u
	}
	pt.tracker.Report(s)
}

// drop removes a Pod, and reports that it is no longer a part.
func (pt *podTracker) drop(pod *unreadyPod) {
	delete(pt.unready.byName, pod.name)
	delete(pt.unready.byController[pod.controller], pod.name)
	if len(pt.unready.byController[pod.controller]) == 0 {
		delete(pt.unready.byController, pod.controller)
	}
	if len(pod.reportedTo) == 0 {
		pt.unready.held--
	}
	for _, w := range pod.reportedTo {
		pt.reportPart(w, pod.name, nil)
	}
}

// dropUncounted reports that a Pod is no longer a part of the workloads for which it does not
// count any more. It drops a Pod that was reported and counts for none.
func (pt *podTracker) dropUncounted(pod *unreadyPod) {
	var left []*workload
	for _, w := range pod.reportedTo {
		if pt.countsFor(pod, w) {
			left = append(left, w)
		}
	}
	if len(left) == 0 && len(pod.reportedTo) > 0 {
		pt.drop(pod)
		return
	}
	for _, w := range pod.reportedTo {
		if !slices.Contains(left, w) {
			pt.reportPart(w, pod.name, nil)
		}
	}
	pod.reportedTo = left
}

// podSeen handles the current state of a Pod, and reports whether it is relevant.
func (pt *podTracker) podSeen(u *unstructured.Unstructured) bool {
	pt.mu.Lock()
	defer pt.mu.Unlock()
	controller := metav1.GetControllerOfNoCopy(u)
	known := pt.unready.byName[u.GetName()]
	if known != nil && (controller == nil || known.controller != controller.UID || known.failed != (phaseOf(u) == "Failed") || !pt.isRelevant(u)) {
		if u.GetDeletionTimestamp() == nil && phaseOf(u) == "Running" && known.controller == controllerOf(u) {
			for _, w := range known.reportedTo {
				pt.reportPart(w, known.name, u) // a ready Pod is reported as ready before it is removed
			}
		}
		pt.drop(known)
		known = nil
	}
	if controller == nil || !pt.isRelevant(u) {
		return false
	}
	trim.Object(u.Object)
	if known == nil {
		known = pt.addUnready(u, controller.UID)
	}
	if known == nil {
		return false
	}
	for _, w := range known.reportedTo {
		pt.reportPart(w, known.name, u)
	}
	known.object = u
	for _, w := range pt.counted[known.controller] {
		pt.reportPod(w, known)
	}
	if len(known.reportedTo) > 0 && !pt.shared {
		known.object = nil
	}
	return true
}

// addUnready keeps a new Pod. It returns nil if too many are held, or if another
// Pod of the controller has failed later.
func (pt *podTracker) addUnready(u *unstructured.Unstructured, controller types.UID) *unreadyPod {
	if pt.unready.held >= maxHeldPods && len(pt.counted[controller]) == 0 {
		return nil
	}
	pod := &unreadyPod{name: u.GetName(), controller: controller, labels: u.GetLabels(), failed: phaseOf(u) == "Failed", created: u.GetCreationTimestamp()}
	if pod.failed {
		for _, other := range pt.unready.byController[controller] {
			switch {
			case !other.failed:
			case pod.created.Before(&other.created):
				return nil
			default:
				pt.drop(other)
			}
		}
	}
	pt.unready.held++
	pt.unready.byName[pod.name] = pod
	if pt.unready.byController[controller] == nil {
		pt.unready.byController[controller] = map[string]*unreadyPod{}
	}
	pt.unready.byController[controller][pod.name] = pod
	return pod
}

// podDeleted handles the deletion of a Pod.
func (pt *podTracker) podDeleted(name string) {
	pt.mu.Lock()
	defer pt.mu.Unlock()
	if pod := pt.unready.byName[name]; pod != nil {
		pt.drop(pod)
	}
}

// isTarget reports whether an object is a target, judged by its kind and name.
func (pt *podTracker) isTarget(kind, name string) bool {
	return pt.targets[kind] || pt.targets[kind+"/"+name]
}

// isNamedTarget reports whether a target is one by its name, so that it stays one
// when it leaves a selection.
func (pt *podTracker) isNamedTarget(t observe.Target) bool { return pt.targets[t.Kind.Kind+"/"+t.Name] }

// belongsToTarget reports whether an object is a part of a target, judged by names.
func (pt *podTracker) belongsToTarget(m metav1.Object) bool {
	controller := metav1.GetControllerOfNoCopy(m)
	if controller == nil {
		return false
	}
	if pt.isTarget(controller.Kind, controller.Name) {
		return true
	}
	deployment, ok := strings.CutSuffix(controller.Name, "-"+m.GetLabels()["pod-template-hash"])
	return ok && controller.Kind == "ReplicaSet" && pt.isTarget("Deployment", deployment)
}

// isRelevant reports whether a Pod may explain why its workload is not ready: it is not ready,
// not being deleted and not complete. A failed Pod is relevant only for a Job, since other
// workloads replace it at once.
func (pt *podTracker) isRelevant(u *unstructured.Unstructured) bool {
	if u.GetDeletionTimestamp() != nil || !pt.belongsToTarget(u) {
		return false
	}
	switch phaseOf(u) {
	case "Succeeded":
		return false
	case "Failed":
		return metav1.GetControllerOfNoCopy(u).Kind == "Job"
	}
	return !condition.Is(u.Object, "Ready", condition.True)
}

func phaseOf(u *unstructured.Unstructured) string {
	phase := decoded.Text(u.Object, "status", "phase")
	return phase
}

// controllerOf returns the UID of an object's controller, or "".
func controllerOf(u *unstructured.Unstructured) types.UID {
	if c := metav1.GetControllerOfNoCopy(u); c != nil {
		return c.UID
	}
	return ""
}

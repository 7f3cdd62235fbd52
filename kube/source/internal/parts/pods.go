package parts

import (
	"strings"

	"kstatus.dev/kube/source/internal/client"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"kstatus.dev/observe"
)

// How many unready Pods are kept of which it is not known yet whether they count.
const maxHeldPods = 500

// An unready is a Pod of a target that is not ready.
type unreadyPod struct {
	name       string
	controller types.UID
	labels     map[string]string // what its revision is read from
	failed     bool              // with an error; of a Job's the last one is kept
	created    metav1.Time
	reportedTo *workload                  // of which it was told that it is a part
	object     *unstructured.Unstructured // while told is nil
}

// tellCounted tells the Pods that count for a parent and have not been told.
func (f *podTracker) reportCounted(p *workload) {
	for _, pod := range f.unreadyBy[p.controller] {
		if pod.reportedTo == nil && f.workloadOf(pod) == p {
			f.reportPod(p, pod)
		}
	}
}

// tellPod tells a Pod that counts for a parent and has not been told.
func (f *podTracker) reportPod(p *workload, pod *unreadyPod) {
	f.heldPods--
	pod.reportedTo = p
	f.reportPart(p, pod.name, pod.object)
	pod.object = nil
}

// part tells of a Pod that it is a part, or without an object that it is none any more.
func (f *podTracker) reportPart(p *workload, name string, u *unstructured.Unstructured) {
	s := observe.Sighting{Of: p.target, Target: observe.Target{Kind: podKind, Namespace: f.namespace, Name: name, Cluster: p.target.Cluster}}
	if u != nil {
		s.Object = u
	}
	f.tracker.Report(s)
}

// drop forgets a Pod, and takes back that it is a part.
func (f *podTracker) drop(pod *unreadyPod) {
	delete(f.unready, pod.name)
	delete(f.unreadyBy[pod.controller], pod.name)
	if len(f.unreadyBy[pod.controller]) == 0 {
		delete(f.unreadyBy, pod.controller)
	}
	if pod.reportedTo == nil {
		f.heldPods--
		return
	}
	f.reportPart(pod.reportedTo, pod.name, nil)
}

// sawPod takes note of a Pod as it is now, and reports whether that matters.
func (f *podTracker) podSeen(u *unstructured.Unstructured) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	controller := metav1.GetControllerOfNoCopy(u)
	known := f.unready[u.GetName()]
	if known != nil && (controller == nil || known.controller != controller.UID || known.failed != (phaseOf(u) == "Failed") || !f.isRelevant(u)) {
		if known.reportedTo != nil && u.GetDeletionTimestamp() == nil && phaseOf(u) == "Running" && known.controller == controllerOf(u) {
			f.reportPart(known.reportedTo, known.name, u) // it is well, which is not the same as gone
		}
		f.drop(known)
		known = nil
	}
	if controller == nil || !f.isRelevant(u) {
		return false
	}
	client.Trim(u.Object)
	if known != nil && known.reportedTo != nil {
		f.reportPart(known.reportedTo, known.name, u)
		return true
	}
	if known == nil {
		known = f.addUnready(u, controller.UID)
	}
	if known == nil {
		return false
	}
	known.object = u
	if p := f.workloadOf(known); p != nil {
		f.reportPod(p, known)
	}
	return true
}

// note takes note of a Pod that was not known, unless there are too many or it
// is one that failed before another did.
func (f *podTracker) addUnready(u *unstructured.Unstructured, controller types.UID) *unreadyPod {
	if f.heldPods >= maxHeldPods && f.counted[controller] == nil {
		return nil
	}
	pod := &unreadyPod{name: u.GetName(), controller: controller, labels: u.GetLabels(), failed: phaseOf(u) == "Failed", created: u.GetCreationTimestamp()}
	if pod.failed {
		for _, other := range f.unreadyBy[controller] {
			switch {
			case !other.failed:
			case pod.created.Before(&other.created):
				return nil
			default:
				f.drop(other)
			}
		}
	}
	f.heldPods++
	f.unready[pod.name] = pod
	if f.unreadyBy[controller] == nil {
		f.unreadyBy[controller] = map[string]*unreadyPod{}
	}
	f.unreadyBy[controller][pod.name] = pod
	return pod
}

// lostPod takes note that a Pod is gone.
func (f *podTracker) podDeleted(name string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if pod := f.unready[name]; pod != nil {
		f.drop(pod)
	}
}

// asks reports whether an object is a target, as far as its name tells.
func (f *podTracker) isTarget(kind, name string) bool {
	return f.targets[kind] || f.targets[kind+"/"+name]
}

// named reports whether a target is asked for by its name, so that it does not
// matter which selections it leaves.
func (f *podTracker) isNamedTarget(t observe.Target) bool { return f.targets[t.Kind.Kind+"/"+t.Name] }

// ours reports whether an object is a part of a target, as far as names tell.
func (f *podTracker) belongsToTarget(m metav1.Object) bool {
	controller := metav1.GetControllerOfNoCopy(m)
	if controller == nil {
		return false
	}
	if f.isTarget(controller.Kind, controller.Name) {
		return true
	}
	deployment, ok := strings.CutSuffix(controller.Name, "-"+m.GetLabels()["pod-template-hash"])
	return ok && controller.Kind == "ReplicaSet" && f.isTarget("Deployment", deployment)
}

// matters reports whether a Pod may say why its owner is not there yet: it is
// not ready, not being deleted, and not at its end, after which its owner
// replaces it if need be; a Job not at once.
func (f *podTracker) isRelevant(u *unstructured.Unstructured) bool {
	if u.GetDeletionTimestamp() != nil || !f.belongsToTarget(u) {
		return false
	}
	switch phaseOf(u) {
	case "Succeeded":
		return false
	case "Failed":
		return metav1.GetControllerOfNoCopy(u).Kind == "Job"
	}
	state, _ := u.Object["status"].(map[string]any)
	conditions, _ := state["conditions"].([]any)
	for _, c := range conditions {
		if c, ok := c.(map[string]any); ok && c["type"] == "Ready" {
			return c["status"] != "True"
		}
	}
	return true
}

func phaseOf(u *unstructured.Unstructured) string {
	phase, _, _ := unstructured.NestedString(u.Object, "status", "phase")
	return phase
}

// controllerOf returns the UID of an object's controller; empty if it has none.
func controllerOf(u *unstructured.Unstructured) types.UID {
	if c := metav1.GetControllerOfNoCopy(u); c != nil {
		return c.UID
	}
	return ""
}

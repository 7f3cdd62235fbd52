package parts

import (
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"kstatus.dev/kube/source/internal/client"
	"kstatus.dev/observe"
)

// maxHeldPods is how many unready Pods are kept while it is not known whether they count.
const maxHeldPods = 500

// An unreadyPod is a Pod of a target that is not ready.
type unreadyPod struct {
	name       string
	controller types.UID
	labels     map[string]string // its revision is one of them
	failed     bool              // of the failed Pods of a Job only the last is kept
	created    metav1.Time
	reportedTo *workload                  // whose part it was reported to be
	object     *unstructured.Unstructured // while reportedTo is nil
}

// reportCounted reports the Pods that count for a workload and have not been reported.
func (f *podTracker) reportCounted(p *workload) {
	for _, pod := range f.unready.byController[p.controller] {
		if pod.reportedTo == nil && f.workloadOf(pod) == p {
			f.reportPod(p, pod)
		}
	}
}

// reportPod reports a Pod that counts for a workload and has not been reported.
func (f *podTracker) reportPod(p *workload, pod *unreadyPod) {
	f.unready.held--
	pod.reportedTo = p
	f.reportPart(p, pod.name, pod.object)
	pod.object = nil
}

// reportPart reports that a Pod is a part, or without u that it is none any more.
func (f *podTracker) reportPart(p *workload, name string, u *unstructured.Unstructured) {
	s := observe.Sighting{Of: p.target, Target: observe.Target{Kind: podKind, Namespace: f.namespace, Name: name, Cluster: p.target.Cluster}}
	if u != nil {
		s.Object = u
	}
	f.tracker.Report(s)
}

// drop forgets a Pod, and takes back that it is a part.
func (f *podTracker) drop(pod *unreadyPod) {
	delete(f.unready.byName, pod.name)
	delete(f.unready.byController[pod.controller], pod.name)
	if len(f.unready.byController[pod.controller]) == 0 {
		delete(f.unready.byController, pod.controller)
	}
	if pod.reportedTo == nil {
		f.unready.held--
		return
	}
	f.reportPart(pod.reportedTo, pod.name, nil)
}

// podSeen takes a Pod as it is now, and reports whether it is relevant.
func (f *podTracker) podSeen(u *unstructured.Unstructured) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	controller := metav1.GetControllerOfNoCopy(u)
	known := f.unready.byName[u.GetName()]
	if known != nil && (controller == nil || known.controller != controller.UID || known.failed != (phaseOf(u) == "Failed") || !f.isRelevant(u)) {
		if known.reportedTo != nil && u.GetDeletionTimestamp() == nil && phaseOf(u) == "Running" && known.controller == controllerOf(u) {
			f.reportPart(known.reportedTo, known.name, u) // a Pod that is ready is reported as such before it is taken back
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

// addUnready keeps a new Pod. It returns nil if too many are held, or if another
// Pod of the controller has failed later.
func (f *podTracker) addUnready(u *unstructured.Unstructured, controller types.UID) *unreadyPod {
	if f.unready.held >= maxHeldPods && f.counted[controller] == nil {
		return nil
	}
	pod := &unreadyPod{name: u.GetName(), controller: controller, labels: u.GetLabels(), failed: phaseOf(u) == "Failed", created: u.GetCreationTimestamp()}
	if pod.failed {
		for _, other := range f.unready.byController[controller] {
			switch {
			case !other.failed:
			case pod.created.Before(&other.created):
				return nil
			default:
				f.drop(other)
			}
		}
	}
	f.unready.held++
	f.unready.byName[pod.name] = pod
	if f.unready.byController[controller] == nil {
		f.unready.byController[controller] = map[string]*unreadyPod{}
	}
	f.unready.byController[controller][pod.name] = pod
	return pod
}

// podDeleted takes the deletion of a Pod.
func (f *podTracker) podDeleted(name string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if pod := f.unready.byName[name]; pod != nil {
		f.drop(pod)
	}
}

// isTarget reports whether an object is a target, judged by its kind and name.
func (f *podTracker) isTarget(kind, name string) bool {
	return f.targets[kind] || f.targets[kind+"/"+name]
}

// isNamedTarget reports whether a target is one by its name, so that it stays one
// when it leaves a selection.
func (f *podTracker) isNamedTarget(t observe.Target) bool { return f.targets[t.Kind.Kind+"/"+t.Name] }

// belongsToTarget reports whether an object is a part of a target, judged by names.
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

// isRelevant reports whether a Pod may say why its workload is not ready: it is
// not ready, not being deleted and not complete. A failed Pod is relevant only
// for a Job: other workloads replace it at once.
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

// controllerOf returns the UID of an object's controller, or "".
func controllerOf(u *unstructured.Unstructured) types.UID {
	if c := metav1.GetControllerOfNoCopy(u); c != nil {
		return c.UID
	}
	return ""
}

package source

import (
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"kstatus.dev/observe"
)

// How many unready Pods are kept of which it is not known yet whether they count.
const heldLimit = 500

// An unready is a Pod of a target that is not ready.
type unready struct {
	name       string
	controller types.UID
	labels     map[string]string // what its revision is read from
	ended      bool              // with an error; of a Job's the last one is kept
	born       metav1.Time
	told       *parent                    // of which it was told that it is a part
	object     *unstructured.Unstructured // while told is nil
}

// tellCounted tells the Pods that count for a parent and have not been told.
func (f *family) tellCounted(p *parent) {
	for _, pod := range f.of[p.counts] {
		if pod.told == nil && f.parentOf(pod) == p {
			f.tellPod(p, pod)
		}
	}
}

// tellPod tells a Pod that counts for a parent and has not been told.
func (f *family) tellPod(p *parent, pod *unready) {
	f.held--
	pod.told = p
	f.part(p, pod.name, pod.object)
	pod.object = nil
}

// part tells of a Pod that it is a part, or without an object that it is none any more.
func (f *family) part(p *parent, name string, u *unstructured.Unstructured) {
	s := observe.Sighting{Of: p.target, Target: observe.Target{Kind: podKind, Namespace: f.namespace, Name: name, Cluster: p.target.Cluster}}
	if u != nil {
		s.Object = u
	}
	f.all.tell(s)
}

// drop forgets a Pod, and takes back that it is a part.
func (f *family) drop(pod *unready) {
	delete(f.unready, pod.name)
	delete(f.of[pod.controller], pod.name)
	if len(f.of[pod.controller]) == 0 {
		delete(f.of, pod.controller)
	}
	if pod.told == nil {
		f.held--
		return
	}
	f.part(pod.told, pod.name, nil)
}

// sawPod takes note of a Pod as it is now, and reports whether that matters.
func (f *family) sawPod(u *unstructured.Unstructured) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	controller := metav1.GetControllerOfNoCopy(u)
	known := f.unready[u.GetName()]
	if known != nil && (controller == nil || known.controller != controller.UID || known.ended != (phaseOf(u) == "Failed") || !f.matters(u)) {
		if known.told != nil && u.GetDeletionTimestamp() == nil && phaseOf(u) == "Running" && known.controller == controllerOf(u) {
			f.part(known.told, known.name, u) // it is well, which is not the same as gone
		}
		f.drop(known)
		known = nil
	}
	if controller == nil || !f.matters(u) {
		return false
	}
	Trim(u.Object)
	if known != nil && known.told != nil {
		f.part(known.told, known.name, u)
		return true
	}
	if known == nil {
		known = f.note(u, controller.UID)
	}
	if known == nil {
		return false
	}
	known.object = u
	if p := f.parentOf(known); p != nil {
		f.tellPod(p, known)
	}
	return true
}

// note takes note of a Pod that was not known, unless there are too many or it
// is one that failed before another did.
func (f *family) note(u *unstructured.Unstructured, controller types.UID) *unready {
	if f.held >= heldLimit && f.counted[controller] == nil {
		return nil
	}
	pod := &unready{name: u.GetName(), controller: controller, labels: u.GetLabels(), ended: phaseOf(u) == "Failed", born: u.GetCreationTimestamp()}
	if pod.ended {
		for _, other := range f.of[controller] {
			switch {
			case !other.ended:
			case pod.born.Before(&other.born):
				return nil
			default:
				f.drop(other)
			}
		}
	}
	f.held++
	f.unready[pod.name] = pod
	if f.of[controller] == nil {
		f.of[controller] = map[string]*unready{}
	}
	f.of[controller][pod.name] = pod
	return pod
}

// lostPod takes note that a Pod is gone.
func (f *family) lostPod(name string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if pod := f.unready[name]; pod != nil {
		f.drop(pod)
	}
}

// asks reports whether an object is a target, as far as its name tells.
func (f *family) asks(kind, name string) bool { return f.asked[kind] || f.asked[kind+"/"+name] }

// named reports whether a target is asked for by its name, so that it does not
// matter which selections it leaves.
func (f *family) named(t observe.Target) bool { return f.asked[t.Kind.Kind+"/"+t.Name] }

// ours reports whether an object is a part of a target, as far as names tell.
func (f *family) ours(m metav1.Object) bool {
	controller := metav1.GetControllerOfNoCopy(m)
	if controller == nil {
		return false
	}
	if f.asks(controller.Kind, controller.Name) {
		return true
	}
	deployment, ok := strings.CutSuffix(controller.Name, "-"+m.GetLabels()["pod-template-hash"])
	return ok && controller.Kind == "ReplicaSet" && f.asks("Deployment", deployment)
}

// matters reports whether a Pod may say why its owner is not there yet: it is
// not ready, not being deleted, and not at its end, after which its owner
// replaces it if need be; a Job not at once.
func (f *family) matters(u *unstructured.Unstructured) bool {
	if u.GetDeletionTimestamp() != nil || !f.ours(u) {
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

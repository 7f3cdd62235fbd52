package parts

import (
	"slices"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"kstatus.dev/internal/crash"
	"kstatus.dev/internal/decoded"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// idleTimeout is how long parts are read while no workload is pending. So a workload that
// changes often does not cause a new list each time. A watch over days does not keep
// reading the Pods of ready workloads.
const idleTimeout = 5 * time.Minute

var (
	podKind        = status.Kind{Kind: "Pod"}
	replicaSetKind = status.Kind{Group: "apps", Kind: "ReplicaSet"}
)

// A podTracker tracks the parts of the targets in one namespace. It keeps no data of ready Pods,
// and the names of others. It keeps whole objects only of the few Pods that may or may not
// count.
type podTracker struct {
	tracker   *Tracker
	namespace string
	watches   partWatches
	targets   map[string]bool // the targets by kind and name; a kind alone if all of it is selected
	shared    bool            // Pods may count for a ReplicaSet and for its Deployment, so their objects are kept

	mu        sync.Mutex // guards the fields below, and serializes reports on parts
	workloads map[types.UID]*workload
	uids      map[observe.Target]types.UID
	revisions map[types.UID][]replicaSet // the ReplicaSets of each Deployment
	counted   map[types.UID][]*workload  // by the controller whose Pods count for them: a ReplicaSet, and its Deployment
	unready   unreadyPods
	services  services
	creations map[types.UID]*creation // by controller
	activity  activity
}

// partWatches are the watches of a namespace.
type partWatches struct{ pods, replicaSets, slices, events *partWatch }

func (w partWatches) all() []*partWatch {
	return []*partWatch{w.pods, w.replicaSets, w.slices, w.events}
}

// unreadyPods are the Pods that are not ready.
type unreadyPods struct {
	byName       map[string]*unreadyPod
	byController map[types.UID]map[string]*unreadyPod
	held         int // how many are not reported as parts
}

// An activity counts the pending workloads, and stops the watches after the last one.
type activity struct {
	pending int
	idle    *time.Timer // runs while none is pending
	ended   bool
}

// A replicaSet is a ReplicaSet of a Deployment.
type replicaSet struct {
	uid            types.UID
	name, revision string
}

func newPodTracker(all *Tracker, namespace string) *podTracker {
	pt := &podTracker{
		tracker: all, namespace: namespace,
		targets:   map[string]bool{},
		workloads: map[types.UID]*workload{},
		uids:      map[observe.Target]types.UID{},
		revisions: map[types.UID][]replicaSet{},
		counted:   map[types.UID][]*workload{},
		creations: map[types.UID]*creation{},
		unready:   unreadyPods{byName: map[string]*unreadyPod{}, byController: map[types.UID]map[string]*unreadyPod{}},
		services:  services{byName: map[string]*service{}, endpoints: map[string]map[string]endpointSlice{}},
	}
	for _, t := range all.Targets {
		switch here := t.Namespace == namespace; {
		case t.IsSelection() && (here || t.Namespace == ""):
			pt.targets[t.Kind.Kind] = true
		case here || t.Namespace == "" && namespace == all.Namespace:
			pt.targets[t.Kind.Kind+"/"+t.Name] = true
		}
	}
	isTarget := func(kind string) bool {
		return slices.ContainsFunc(all.Targets, func(t observe.Target) bool { return t.Kind.Kind == kind })
	}
	pt.shared = isTarget("Deployment") && isTarget("ReplicaSet")
	pt.watches = partWatches{newPartWatch(pt, podKind), newPartWatch(pt, replicaSetKind), newPartWatch(pt, endpointSliceKind), newPartWatch(pt, eventKind)}
	return pt
}

// revokeParts revokes the parts that no longer count for a target, before its new state is
// reported. u is nil if the target does not exist.
func (pt *podTracker) revokeParts(t observe.Target, u *unstructured.Unstructured) {
	pt.mu.Lock()
	defer pt.mu.Unlock()
	w := pt.workloads[pt.uids[t]]
	if w == nil {
		return
	}
	if u == nil || u.GetUID() != w.uid {
		pt.setCounted(w, "")
		pt.revokeRefusal(w)
		pt.setPending(w, false)
		pt.updateIdleTimer()
		delete(pt.workloads, w.uid)
		delete(pt.uids, t)
		delete(pt.revisions, w.uid)
		return
	}
	pt.updateRevision(w, u)
}

// follow tracks a target whose state has been reported.
func (pt *podTracker) follow(t observe.Target, u *unstructured.Unstructured, pending bool) {
	pt.mu.Lock()
	defer pt.mu.Unlock()
	w := pt.workloads[u.GetUID()]
	if w == nil {
		w = newWorkload(t, u)
		pt.workloads[w.uid], pt.uids[t] = w, w.uid
		pt.updateRevision(w, u)
	}
	pt.setPending(w, pending)
	pt.reportCounted(w)
	pt.reportRefusal(w)
	for _, pw := range pt.watches.all() {
		pw.ensure(w)
	}
	pt.updateIdleTimer()
}

// setPending records whether a workload is pending.
func (pt *podTracker) setPending(w *workload, pending bool) {
	switch {
	case pending && !w.pending:
		pt.activity.pending++
	case !pending && w.pending:
		pt.activity.pending--
	}
	w.pending = pending
}

// updateRevision determines which Pods of a workload count.
func (pt *podTracker) updateRevision(w *workload, u *unstructured.Unstructured) {
	if of := workloadKinds[w.target.Kind].revision; of != nil {
		w.revision = of(u)
	}
	if active, _ := decoded.Int(u.Object, "status", "active"); w.target.Kind.Kind == "Job" {
		w.active = active > 0
	}
	if w.lacksPods = reportsRefusals(w.target.Kind) && lacksPods(w.target.Kind.Kind, u); !w.lacksPods {
		pt.revokeRefusal(w)
	}
	w.keepsFormer = keepsFormerPods(w.target.Kind, u)
	pt.resolveController(w)
}

// resolveController finds the controller whose Pods count for a workload.
func (pt *podTracker) resolveController(w *workload) {
	if !w.isDeployment() {
		pt.setCounted(w, w.uid)
		return
	}
	for _, set := range pt.revisions[w.uid] {
		if set.revision == w.revision {
			pt.setCounted(w, set.uid)
			return
		}
	}
	pt.setCounted(w, "") // its ReplicaSet has not been seen yet
}

// setCounted sets the controller whose Pods count for a workload, and revokes those that no
// longer count.
func (pt *podTracker) setCounted(w *workload, controller types.UID) {
	former := w.controller
	if left := slices.DeleteFunc(pt.counted[former], func(each *workload) bool { return each == w }); len(left) > 0 {
		pt.counted[former] = left
	} else {
		delete(pt.counted, former)
	}
	w.controller = controller
	if controller != "" {
		pt.counted[controller] = append(pt.counted[controller], w)
	}
	for _, pod := range pt.unready.byController[former] {
		pt.dropUncounted(pod)
	}
}

// keepsFormerPods reports whether an unready Pod of a former revision stays until somebody deletes it,
// so that it counts. A StatefulSet that updates its Pods in order waits for such a Pod.
func keepsFormerPods(kind status.Kind, u *unstructured.Unstructured) bool {
	if strategy := decoded.Text(u.Object, "spec", "updateStrategy", "type"); strategy == "OnDelete" {
		return true
	}
	policy := decoded.Text(u.Object, "spec", "podManagementPolicy")
	return kind.Kind == "StatefulSet" && policy != "Parallel"
}

// countsFor reports whether a Pod counts for a workload.
func (pt *podTracker) countsFor(pod *unreadyPod, w *workload) bool {
	if !slices.Contains(pt.counted[pod.controller], w) || pod.failed && w.active {
		return false
	}
	label := workloadKinds[w.target.Kind].label
	return label == "" || w.keepsFormer || w.revision == "" || pod.labels[label] == w.revision
}

// replicaSetSeen handles the current state of a ReplicaSet, and reports whether it is relevant.
func (pt *podTracker) replicaSetSeen(m metav1.Object) bool {
	pt.mu.Lock()
	defer pt.mu.Unlock()
	controller := metav1.GetControllerOfNoCopy(m)
	if controller == nil || !pt.isTarget("Deployment", controller.Name) {
		return false
	}
	sets := slices.DeleteFunc(pt.revisions[controller.UID], func(s replicaSet) bool { return s.uid == m.GetUID() })
	pt.revisions[controller.UID] = append(sets, replicaSet{m.GetUID(), m.GetName(), m.GetAnnotations()[revisionAnnotation]})
	pt.replicaSetsChanged(controller.UID)
	return true
}

// replicaSetDeleted handles the deletion of a ReplicaSet.
func (pt *podTracker) replicaSetDeleted(name string) {
	pt.mu.Lock()
	defer pt.mu.Unlock()
	for deployment, sets := range pt.revisions {
		if left := slices.DeleteFunc(sets, func(s replicaSet) bool { return s.name == name }); len(left) < len(sets) {
			pt.revisions[deployment] = left
			pt.replicaSetsChanged(deployment)
		}
	}
}

// replicaSetsChanged determines which Pods count after a change of a Deployment's ReplicaSets.
func (pt *podTracker) replicaSetsChanged(deployment types.UID) {
	if len(pt.revisions[deployment]) == 0 {
		delete(pt.revisions, deployment)
	}
	if w := pt.workloads[deployment]; w != nil {
		pt.resolveController(w)
		pt.reportCounted(w)
	}
}

// retain forgets the parts of a kind that are not in the list.
func (pt *podTracker) retain(kind status.Kind, listed map[string]bool) {
	pt.mu.Lock()
	defer pt.mu.Unlock()
	switch kind {
	case endpointSliceKind:
		pt.retainSlices(listed)
		return
	case eventKind:
		for _, w := range pt.workloads { // an event that has expired is still the last one
			pt.reportRefusal(w)
		}
		return
	case podKind:
		for name, pod := range pt.unready.byName {
			if !listed[name] {
				pt.drop(pod)
			}
		}
		return
	}
	for deployment, sets := range pt.revisions {
		pt.revisions[deployment] = slices.DeleteFunc(sets, func(s replicaSet) bool { return !listed[s.name] })
		pt.replicaSetsChanged(deployment)
	}
}

// updateIdleTimer starts or stops the idle timer, which stops the watches.
func (pt *podTracker) updateIdleTimer() {
	switch {
	case pt.activity.pending > 0 && pt.activity.idle != nil:
		pt.activity.idle.Stop()
		pt.activity.idle = nil
	case pt.activity.pending == 0 && pt.activity.idle == nil && !pt.activity.ended:
		pt.activity.idle = time.AfterFunc(idleTimeout, crash.Guarded(func() {
			pt.mu.Lock()
			defer pt.mu.Unlock()
			if pt.activity.pending == 0 {
				for _, pw := range pt.watches.all() {
					pw.stop()
				}
			}
		}))
	}
}

// close stops the idle timer.
func (pt *podTracker) close() {
	pt.mu.Lock()
	defer pt.mu.Unlock()
	pt.activity.ended = true
	if pt.activity.idle != nil {
		pt.activity.idle.Stop()
	}
}

// reset removes all state after the watches have stopped.
func (pt *podTracker) reset() {
	pt.mu.Lock()
	defer pt.mu.Unlock()
	if pt.activity.pending > 0 {
		return
	}
	for _, pw := range pt.watches.all() {
		pw.stop()
		pw.rounds = 0
	}
	for _, pod := range pt.unready.byName {
		pt.drop(pod)
	}
	for _, w := range pt.workloads {
		pt.revokeRefusal(w)
	}
	clear(pt.workloads)
	clear(pt.creations)
	clear(pt.uids)
	clear(pt.revisions)
	clear(pt.counted)
	clear(pt.services.endpoints)
}

package parts

import (
	"slices"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// idleTimeout is how long parts are read while no workload is pending. A workload
// that flaps does not cause a new list each time, and a watch over days does not
// keep reading the Pods of workloads that are ready.
const idleTimeout = 5 * time.Minute

var (
	podKind        = status.Kind{Kind: "Pod"}
	replicaSetKind = status.Kind{Group: "apps", Kind: "ReplicaSet"}
)

// A podTracker tracks the parts of the targets in one namespace. Of Pods that
// are ready it keeps nothing, of others the name, and of the few of which it
// does not know yet whether they count the object.
type podTracker struct {
	tracker   *Tracker
	namespace string
	watches   partWatches
	targets   map[string]bool // the targets by kind and name; a kind alone if all of it is selected

	mu        sync.Mutex // guards the fields below, and serializes reports on parts
	workloads map[types.UID]*workload
	uids      map[observe.Target]types.UID
	revisions map[types.UID][]replicaSet // the ReplicaSets of each Deployment
	counted   map[types.UID]*workload    // by the controller whose Pods count for it
	unready   unreadyPods
	services  services
	activity  activity
}

// partWatches are the watches of a namespace.
type partWatches struct{ pods, replicaSets, slices *partWatch }

func (w partWatches) all() []*partWatch { return []*partWatch{w.pods, w.replicaSets, w.slices} }

// unreadyPods are the Pods that are not ready.
type unreadyPods struct {
	byName       map[string]*unreadyPod
	byController map[types.UID]map[string]*unreadyPod
	held         int // how many are not reported as parts
}

// An activity is how many workloads are pending, and what happens once none is.
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
	f := &podTracker{
		tracker: all, namespace: namespace,
		targets:   map[string]bool{},
		workloads: map[types.UID]*workload{},
		uids:      map[observe.Target]types.UID{},
		revisions: map[types.UID][]replicaSet{},
		counted:   map[types.UID]*workload{},
		unready:   unreadyPods{byName: map[string]*unreadyPod{}, byController: map[types.UID]map[string]*unreadyPod{}},
		services:  services{byName: map[string]*service{}, endpoints: map[string]map[string]endpointSlice{}},
	}
	for _, t := range all.Targets {
		switch here := t.Namespace == namespace; {
		case t.IsSelection() && (here || t.Namespace == ""):
			f.targets[t.Kind.Kind] = true
		case here || t.Namespace == "" && namespace == all.Namespace:
			f.targets[t.Kind.Kind+"/"+t.Name] = true
		}
	}
	f.watches = partWatches{newPartWatch(f, podKind), newPartWatch(f, replicaSetKind), newPartWatch(f, endpointSliceKind)}
	return f
}

// takeBack takes back the parts that no longer count for a target, before its new
// state is reported. u is nil if the target does not exist.
func (f *podTracker) takeBack(t observe.Target, u *unstructured.Unstructured) {
	f.mu.Lock()
	defer f.mu.Unlock()
	p := f.workloads[f.uids[t]]
	if p == nil {
		return
	}
	if u == nil || u.GetUID() != p.uid {
		f.setCounted(p, "")
		f.setPending(p, false)
		f.maybeIdle()
		delete(f.workloads, p.uid)
		delete(f.uids, t)
		delete(f.revisions, p.uid)
		return
	}
	f.updateRevision(p, u)
}

// follow tracks a target whose state has been reported.
func (f *podTracker) follow(t observe.Target, u *unstructured.Unstructured, pending bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	p := f.workloads[u.GetUID()]
	if p == nil {
		p = newWorkload(t, u)
		f.workloads[p.uid], f.uids[t] = p, p.uid
		f.updateRevision(p, u)
	}
	f.setPending(p, pending)
	f.reportCounted(p)
	for _, s := range f.watches.all() {
		s.ensure(p)
	}
	f.maybeIdle()
}

// setPending records whether a workload is pending.
func (f *podTracker) setPending(p *workload, pending bool) {
	switch {
	case pending && !p.pending:
		f.activity.pending++
	case !pending && p.pending:
		f.activity.pending--
	}
	p.pending = pending
}

// updateRevision finds out which Pods of a workload count.
func (f *podTracker) updateRevision(p *workload, u *unstructured.Unstructured) {
	if of := workloadKinds[p.target.Kind].revision; of != nil {
		p.revision = of(u)
	}
	if active, _, _ := unstructured.NestedInt64(u.Object, "status", "active"); p.target.Kind.Kind == "Job" {
		p.active = active > 0
	}
	f.resolveController(p)
}

// resolveController finds the controller whose Pods count for a workload.
func (f *podTracker) resolveController(p *workload) {
	if !p.isDeployment() {
		f.setCounted(p, p.uid)
		return
	}
	for _, set := range f.revisions[p.uid] {
		if set.revision == p.revision {
			f.setCounted(p, set.uid)
			return
		}
	}
	f.setCounted(p, "") // its ReplicaSet has not been seen yet
}

// setCounted makes the Pods of a controller those that count for a workload, and
// takes back those that no longer do.
func (f *podTracker) setCounted(p *workload, controller types.UID) {
	if f.counted[p.controller] == p {
		delete(f.counted, p.controller)
	}
	former := p.controller
	p.controller = controller
	if controller != "" {
		f.counted[controller] = p
	}
	for _, pod := range f.unready.byController[former] {
		if pod.reportedTo != nil && f.workloadOf(pod) != pod.reportedTo {
			f.drop(pod)
		}
	}
}

// workloadOf returns the workload for which a Pod counts, or nil.
func (f *podTracker) workloadOf(pod *unreadyPod) *workload {
	p := f.counted[pod.controller]
	if p == nil || pod.failed && p.active {
		return nil
	}
	if label := workloadKinds[p.target.Kind].label; label != "" && p.revision != "" && pod.labels[label] != p.revision {
		return nil
	}
	return p
}

// replicaSetSeen takes a ReplicaSet as it is now, and reports whether it is relevant.
func (f *podTracker) replicaSetSeen(m *metav1.PartialObjectMetadata) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	controller := metav1.GetControllerOfNoCopy(m)
	if controller == nil || !f.isTarget("Deployment", controller.Name) {
		return false
	}
	sets := slices.DeleteFunc(f.revisions[controller.UID], func(s replicaSet) bool { return s.uid == m.UID })
	f.revisions[controller.UID] = append(sets, replicaSet{m.UID, m.Name, m.Annotations[revisionAnnotation]})
	f.replicaSetsChanged(controller.UID)
	return true
}

// replicaSetDeleted takes the deletion of a ReplicaSet.
func (f *podTracker) replicaSetDeleted(name string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for deployment, sets := range f.revisions {
		if left := slices.DeleteFunc(sets, func(s replicaSet) bool { return s.name == name }); len(left) < len(sets) {
			f.revisions[deployment] = left
			f.replicaSetsChanged(deployment)
		}
	}
}

// replicaSetsChanged finds out which Pods count after a change of a Deployment's ReplicaSets.
func (f *podTracker) replicaSetsChanged(deployment types.UID) {
	if len(f.revisions[deployment]) == 0 {
		delete(f.revisions, deployment)
	}
	if p := f.workloads[deployment]; p != nil {
		f.resolveController(p)
		f.reportCounted(p)
	}
}

// retain forgets the parts of a kind that are not in the list.
func (f *podTracker) retain(kind status.Kind, listed map[string]bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch kind {
	case endpointSliceKind:
		f.retainSlices(listed)
		return
	case podKind:
		for name, pod := range f.unready.byName {
			if !listed[name] {
				f.drop(pod)
			}
		}
		return
	}
	for deployment, sets := range f.revisions {
		f.revisions[deployment] = slices.DeleteFunc(sets, func(s replicaSet) bool { return !listed[s.name] })
		f.replicaSetsChanged(deployment)
	}
}

// maybeIdle starts or stops the idle timer, which stops the watches.
func (f *podTracker) maybeIdle() {
	switch {
	case f.activity.pending > 0 && f.activity.idle != nil:
		f.activity.idle.Stop()
		f.activity.idle = nil
	case f.activity.pending == 0 && f.activity.idle == nil && !f.activity.ended:
		f.activity.idle = time.AfterFunc(idleTimeout, func() {
			f.mu.Lock()
			defer f.mu.Unlock()
			if f.activity.pending == 0 {
				for _, s := range f.watches.all() {
					s.stop()
				}
			}
		})
	}
}

// close stops the idle timer.
func (f *podTracker) close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.activity.ended = true
	if f.activity.idle != nil {
		f.activity.idle.Stop()
	}
}

// reset forgets everything after the watches have stopped.
func (f *podTracker) reset() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.activity.pending > 0 {
		return
	}
	for _, s := range f.watches.all() {
		s.stop()
		s.rounds = 0
	}
	for _, pod := range f.unready.byName {
		f.drop(pod)
	}
	clear(f.workloads)
	clear(f.uids)
	clear(f.revisions)
	clear(f.counted)
	clear(f.services.endpoints)
}

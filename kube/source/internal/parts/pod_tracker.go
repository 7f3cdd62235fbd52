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

// How long parts are followed while no target is waited for that has any: one
// that flaps is not read anew each time, and one who watches for days does not
// pay for the Pods of what has long been there.
const idleTimeout = 5 * time.Minute

var (
	podKind        = status.Kind{Kind: "Pod"}
	replicaSetKind = status.Kind{Group: "apps", Kind: "ReplicaSet"}
)

// A family is what the controllers of the targets in one namespace have made.
// Of Pods that are ready nothing is kept, of the others the name, and of the
// few of which it is not known whether they count the object.
type podTracker struct {
	tracker   *Tracker
	namespace string
	pods      *partWatch
	sets      *partWatch
	slices    *partWatch
	targets   map[string]bool // by kind and name, which objects are targets; all of a kind under its kind alone

	mu        sync.Mutex // guards what follows, and puts in order what is told of parts
	workloads map[types.UID]*workload
	uids      map[observe.Target]types.UID
	revisions map[types.UID][]replicaSet           // the ReplicaSets of each Deployment
	counted   map[types.UID]*workload              // by the controller whose Pods count for it
	unready   map[string]*unreadyPod               // by name
	unreadyBy map[types.UID]map[string]*unreadyPod // by controller and name
	services  map[string]*service                  // by name
	endpoints map[string]map[string]endpointSlice  // by Service and EndpointSlice, whether one is ready
	heldPods  int
	pending   int         // how many parents are
	idle      *time.Timer // runs while none is
	ended     bool
}

// A set is a ReplicaSet of a Deployment.
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
		unready:   map[string]*unreadyPod{},
		unreadyBy: map[types.UID]map[string]*unreadyPod{},
		services:  map[string]*service{},
		endpoints: map[string]map[string]endpointSlice{},
	}
	for _, t := range all.Targets {
		switch here := t.Namespace == namespace; {
		case t.IsSelection() && (here || t.Namespace == ""):
			f.targets[t.Kind.Kind] = true
		case here || t.Namespace == "" && namespace == all.Namespace:
			f.targets[t.Kind.Kind+"/"+t.Name] = true
		}
	}
	f.pods, f.sets, f.slices = newPartWatch(f, podKind), newPartWatch(f, replicaSetKind), newPartWatch(f, endpointSliceKind)
	return f
}

func (f *podTracker) watches() []*partWatch { return []*partWatch{f.pods, f.sets, f.slices} }

// prepare takes back, before a target is told, the parts that count no longer.
// Without an object the target is not there.
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

// follow takes note of a target that has been told.
func (f *podTracker) follow(t observe.Target, u *unstructured.Unstructured, open bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	p := f.workloads[u.GetUID()]
	if p == nil {
		p = newWorkload(t, u)
		f.workloads[p.uid], f.uids[t] = p, p.uid
		f.updateRevision(p, u)
	}
	f.setPending(p, open)
	f.reportCounted(p)
	for _, s := range f.watches() {
		s.ensure(p)
	}
	f.maybeIdle()
}

// opened takes note of whether a parent is waited for.
func (f *podTracker) setPending(p *workload, open bool) {
	switch {
	case open && !p.pending:
		f.pending++
	case !open && p.pending:
		f.pending--
	}
	p.pending = open
}

// revise finds which Pods of a parent count.
func (f *podTracker) updateRevision(p *workload, u *unstructured.Unstructured) {
	if of := workloadKinds[p.target.Kind].revision; of != nil {
		p.revision = of(u)
	}
	if active, _, _ := unstructured.NestedInt64(u.Object, "status", "active"); p.target.Kind.Kind == "Job" {
		p.active = active > 0
	}
	f.resolveController(p)
}

// settle finds the controller whose Pods count for a parent.
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
	f.setCounted(p, "") // it has not been seen yet
}

// count makes the Pods of a controller those that count for a parent, and
// takes back those that do not any more.
func (f *podTracker) setCounted(p *workload, controller types.UID) {
	if f.counted[p.controller] == p {
		delete(f.counted, p.controller)
	}
	former := p.controller
	p.controller = controller
	if controller != "" {
		f.counted[controller] = p
	}
	for _, pod := range f.unreadyBy[former] {
		if pod.reportedTo != nil && f.workloadOf(pod) != pod.reportedTo {
			f.drop(pod)
		}
	}
}

// parentOf returns the parent for which a Pod counts, if any.
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

// sawSet takes note of a ReplicaSet, and reports whether it matters. The newest
// of a Deployment is the one whose revision the Deployment names.
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

// lostSet takes note that a ReplicaSet is gone.
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

// resettle finds which Pods count after the ReplicaSets of a Deployment have changed.
func (f *podTracker) replicaSetsChanged(deployment types.UID) {
	if len(f.revisions[deployment]) == 0 {
		delete(f.revisions, deployment)
	}
	if p := f.workloads[deployment]; p != nil {
		f.resolveController(p)
		f.reportCounted(p)
	}
}

// only forgets the parts of a kind that are not among those listed.
func (f *podTracker) retain(kind status.Kind, listed map[string]bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch kind {
	case endpointSliceKind:
		f.retainSlices(listed)
		return
	case podKind:
		for name, pod := range f.unready {
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

// rest lets the strands end when no parent has been open for long.
func (f *podTracker) maybeIdle() {
	switch {
	case f.pending > 0 && f.idle != nil:
		f.idle.Stop()
		f.idle = nil
	case f.pending == 0 && f.idle == nil && !f.ended:
		f.idle = time.AfterFunc(idleTimeout, func() {
			f.mu.Lock()
			defer f.mu.Unlock()
			if f.pending == 0 {
				for _, s := range f.watches() {
					s.stop()
				}
			}
		})
	}
}

// end stops what would outlive the family.
func (f *podTracker) close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ended = true
	if f.idle != nil {
		f.idle.Stop()
	}
}

// clear forgets everything, once no parts are followed any more.
func (f *podTracker) reset() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.pending > 0 {
		return
	}
	for _, s := range f.watches() {
		s.stop()
		s.rounds = 0
	}
	for _, pod := range f.unready {
		f.drop(pod)
	}
	clear(f.workloads)
	clear(f.uids)
	clear(f.revisions)
	clear(f.counted)
	clear(f.endpoints)
}

package source

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
const linger = 5 * time.Minute

var (
	podKind        = status.Kind{Kind: "Pod"}
	replicaSetKind = status.Kind{Group: "apps", Kind: "ReplicaSet"}
)

// A family is what the controllers of the targets in one namespace have made.
// Of Pods that are ready nothing is kept, of the others the name, and of the
// few of which it is not known whether they count the object.
type family struct {
	all       *families
	namespace string
	pods      *strand
	sets      *strand
	slices    *strand
	asked     map[string]bool // by kind and name, which objects are targets; all of a kind under its kind alone

	mu        sync.Mutex // guards what follows, and puts in order what is told of parts
	parents   map[types.UID]*parent
	uids      map[observe.Target]types.UID
	revisions map[types.UID][]set               // the ReplicaSets of each Deployment
	counted   map[types.UID]*parent             // by the controller whose Pods count for it
	unready   map[string]*unready               // by name
	of        map[types.UID]map[string]*unready // by controller and name
	services  map[string]*served                // by name
	endpoints map[string]map[string]slice       // by Service and EndpointSlice, whether one is ready
	held      int
	open      int         // how many parents are
	idle      *time.Timer // runs while none is
	ended     bool
}

// A set is a ReplicaSet of a Deployment.
type set struct {
	uid            types.UID
	name, revision string
}

func newFamily(all *families, namespace string) *family {
	f := &family{
		all: all, namespace: namespace,
		asked:     map[string]bool{},
		parents:   map[types.UID]*parent{},
		uids:      map[observe.Target]types.UID{},
		revisions: map[types.UID][]set{},
		counted:   map[types.UID]*parent{},
		unready:   map[string]*unready{},
		of:        map[types.UID]map[string]*unready{},
		services:  map[string]*served{},
		endpoints: map[string]map[string]slice{},
	}
	for _, t := range all.targets {
		switch here := t.Namespace == namespace; {
		case t.IsSelection() && (here || t.Namespace == ""):
			f.asked[t.Kind.Kind] = true
		case here || t.Namespace == "" && namespace == all.link.namespace:
			f.asked[t.Kind.Kind+"/"+t.Name] = true
		}
	}
	f.pods, f.sets, f.slices = newStrand(f, podKind), newStrand(f, replicaSetKind), newStrand(f, endpointSlice)
	return f
}

func (f *family) strands() []*strand { return []*strand{f.pods, f.sets, f.slices} }

// prepare takes back, before a target is told, the parts that count no longer.
// Without an object the target is not there.
func (f *family) prepare(t observe.Target, u *unstructured.Unstructured) {
	f.mu.Lock()
	defer f.mu.Unlock()
	p := f.parents[f.uids[t]]
	if p == nil {
		return
	}
	if u == nil || u.GetUID() != p.uid {
		f.count(p, "")
		f.opened(p, false)
		f.rest()
		delete(f.parents, p.uid)
		delete(f.uids, t)
		delete(f.revisions, p.uid)
		return
	}
	f.revise(p, u)
}

// follow takes note of a target that has been told.
func (f *family) follow(t observe.Target, u *unstructured.Unstructured, open bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	p := f.parents[u.GetUID()]
	if p == nil {
		p = newParent(t, u)
		f.parents[p.uid], f.uids[t] = p, p.uid
		f.revise(p, u)
	}
	f.opened(p, open)
	f.tellCounted(p)
	for _, s := range f.strands() {
		s.serve(p)
	}
	f.rest()
}

// opened takes note of whether a parent is waited for.
func (f *family) opened(p *parent, open bool) {
	switch {
	case open && !p.open:
		f.open++
	case !open && p.open:
		f.open--
	}
	p.open = open
}

// revise finds which Pods of a parent count.
func (f *family) revise(p *parent, u *unstructured.Unstructured) {
	if of := withParts[p.target.Kind].revision; of != nil {
		p.revision = of(u)
	}
	if active, _, _ := unstructured.NestedInt64(u.Object, "status", "active"); p.target.Kind.Kind == "Job" {
		p.active = active > 0
	}
	f.settle(p)
}

// settle finds the controller whose Pods count for a parent.
func (f *family) settle(p *parent) {
	if !p.deploys() {
		f.count(p, p.uid)
		return
	}
	for _, set := range f.revisions[p.uid] {
		if set.revision == p.revision {
			f.count(p, set.uid)
			return
		}
	}
	f.count(p, "") // it has not been seen yet
}

// count makes the Pods of a controller those that count for a parent, and
// takes back those that do not any more.
func (f *family) count(p *parent, controller types.UID) {
	if f.counted[p.counts] == p {
		delete(f.counted, p.counts)
	}
	former := p.counts
	p.counts = controller
	if controller != "" {
		f.counted[controller] = p
	}
	for _, pod := range f.of[former] {
		if pod.told != nil && f.parentOf(pod) != pod.told {
			f.drop(pod)
		}
	}
}

// parentOf returns the parent for which a Pod counts, if any.
func (f *family) parentOf(pod *unready) *parent {
	p := f.counted[pod.controller]
	if p == nil || pod.ended && p.active {
		return nil
	}
	if label := withParts[p.target.Kind].label; label != "" && p.revision != "" && pod.labels[label] != p.revision {
		return nil
	}
	return p
}

// sawSet takes note of a ReplicaSet, and reports whether it matters. The newest
// of a Deployment is the one whose revision the Deployment names.
func (f *family) sawSet(m *metav1.PartialObjectMetadata) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	controller := metav1.GetControllerOfNoCopy(m)
	if controller == nil || !f.asks("Deployment", controller.Name) {
		return false
	}
	sets := slices.DeleteFunc(f.revisions[controller.UID], func(s set) bool { return s.uid == m.UID })
	f.revisions[controller.UID] = append(sets, set{m.UID, m.Name, m.Annotations[revisionOf]})
	f.resettle(controller.UID)
	return true
}

// lostSet takes note that a ReplicaSet is gone.
func (f *family) lostSet(name string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for deployment, sets := range f.revisions {
		if left := slices.DeleteFunc(sets, func(s set) bool { return s.name == name }); len(left) < len(sets) {
			f.revisions[deployment] = left
			f.resettle(deployment)
		}
	}
}

// resettle finds which Pods count after the ReplicaSets of a Deployment have changed.
func (f *family) resettle(deployment types.UID) {
	if len(f.revisions[deployment]) == 0 {
		delete(f.revisions, deployment)
	}
	if p := f.parents[deployment]; p != nil {
		f.settle(p)
		f.tellCounted(p)
	}
}

// only forgets the parts of a kind that are not among those listed.
func (f *family) only(kind status.Kind, listed map[string]bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch kind {
	case endpointSlice:
		f.onlySlices(listed)
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
		f.revisions[deployment] = slices.DeleteFunc(sets, func(s set) bool { return !listed[s.name] })
		f.resettle(deployment)
	}
}

// rest lets the strands end when no parent has been open for long.
func (f *family) rest() {
	switch {
	case f.open > 0 && f.idle != nil:
		f.idle.Stop()
		f.idle = nil
	case f.open == 0 && f.idle == nil && !f.ended:
		f.idle = time.AfterFunc(linger, func() {
			f.mu.Lock()
			defer f.mu.Unlock()
			if f.open == 0 {
				for _, s := range f.strands() {
					s.halt()
				}
			}
		})
	}
}

// end stops what would outlive the family.
func (f *family) end() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ended = true
	if f.idle != nil {
		f.idle.Stop()
	}
}

// clear forgets everything, once no parts are followed any more.
func (f *family) clear() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.open > 0 {
		return
	}
	for _, s := range f.strands() {
		s.halt()
		s.widened = 0
	}
	for _, pod := range f.unready {
		f.drop(pod)
	}
	clear(f.parents)
	clear(f.uids)
	clear(f.revisions)
	clear(f.counted)
	clear(f.endpoints)
}

package source

import (
	"iter"
	"sync"

	"kstatus.dev/kube/source/internal/client"
	"kstatus.dev/kube/source/internal/listwatch"
	"kstatus.dev/kube/source/internal/parts"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// A state is what is kept of a target.
type targetState struct {
	version    uint64 // of what was told last; 0: not known
	reported   bool   // it has been, and nothing has come between
	exists     bool
	pending    bool // it is waited for
	listed     bool // it is in the list that is being read
	unreported bool // its controller has not reported on it what its kind promises
}

// A roll is the targets of one kind that are named, or the objects that a
// selection has.
type targetStore struct {
	kind             status.Kind
	cluster          string
	defaultNamespace string         // the namespace of those that name none
	selection        observe.Target // zero for targets that are named
	reportEvent      func(observe.Sighting) (open bool)
	parts            *parts.Tracker // follow the targets; nil if they have no parts

	mu      sync.Mutex // guards what follows, and that of one target one thing at a time is told
	states  map[listwatch.Key]targetState
	pending bool // the selection is waited for

	isUnreported func(*unstructured.Unstructured) bool // tells of which objects the controller is silent; nil: of none
}

// A view is the part of a roll that one stream reads.
type subset struct {
	*targetStore
	scope client.Scope
}

// selects reports whether the roll is a selection.
func (r *targetStore) selects() bool { return r.selection != observe.Target{} }

func (v subset) namespaced() bool { return v.scope.Mapping.Scope.Name() == meta.RESTScopeNameNamespace }

// named returns under which keys an object is a target.
func (v subset) keysOf(namespace, name string) []listwatch.Key {
	k := listwatch.Key{Namespace: namespace, Name: name}
	if v.selects() {
		return []listwatch.Key{k}
	}
	keys := make([]listwatch.Key, 0, 2)
	if _, ok := v.states[k]; ok {
		keys = append(keys, k)
	}
	if _, ok := v.states[listwatch.Key{Namespace: "", Name: name}]; ok && v.namespaced() && namespace == v.defaultNamespace {
		keys = append(keys, listwatch.Key{Namespace: "", Name: name})
	}
	return keys
}

// all returns the targets that the view covers.
func (v subset) all() iter.Seq[listwatch.Key] {
	return func(yield func(listwatch.Key) bool) {
		if v.scope.Name != "" {
			for _, k := range v.keysOf(v.scope.Namespace, v.scope.Name) {
				if _, ok := v.states[k]; ok && !yield(k) {
					return
				}
			}
			return
		}
		for k := range v.states {
			in := v.namespaceOf(k)
			if (in != "") != v.namespaced() || v.scope.Namespace != "" && in != v.scope.Namespace {
				continue
			}
			if !yield(k) {
				return
			}
		}
	}
}

// place returns in which namespace a target is; empty for one that its kind
// does not fit as well.
func (v subset) namespaceOf(k listwatch.Key) string {
	if k.Namespace == "" && v.namespaced() && !v.selects() {
		return v.defaultNamespace
	}
	return k.Namespace
}

// tell reports what was seen of a target, and keeps whether it is waited for.
func (r *targetStore) record(k listwatch.Key, st targetState, obj *unstructured.Unstructured, err *observe.Unreadable) {
	sighting := observe.Sighting{Target: observe.Target{Kind: r.kind, Namespace: k.Namespace, Name: k.Name, Cluster: r.cluster}, Of: r.selection}
	st.unreported = false
	if obj != nil {
		sighting.Object = obj
		st.unreported = r.isUnreported != nil && r.isUnreported(obj)
	}
	if err != nil {
		sighting.Err = err
	}
	st.pending = r.report(sighting, obj)
	r.states[k] = st
	if gone := obj == nil && err == nil; gone && r.selects() {
		delete(r.states, k)
	}
}

// report reports a sighting. Parts that count no longer are taken back before
// the target is reported, and those that do now are reported after it, so that
// it is never judged by the parts of another version.
func (r *targetStore) report(s observe.Sighting, obj *unstructured.Unstructured) (open bool) {
	switch {
	case r.parts == nil:
		return r.reportEvent(s)
	case r.kind == parts.ServiceKind:
		return r.parts.ReportService(s)
	case obj != nil:
		r.parts.Revise(s.Target, obj)
	case s.Err == nil:
		r.parts.Forget(s.Target, s.Of)
	}
	open = r.reportEvent(s)
	if obj != nil {
		r.parts.Track(s.Target, obj, open)
	}
	return open
}

// wants reports whether an object is a target.
func (v subset) Wants(namespace, name string) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return len(v.keysOf(namespace, name)) > 0
}

// begin says that a list of all objects of the view begins.
func (v subset) Begin() {
	v.mu.Lock()
	defer v.mu.Unlock()
	for k := range v.all() {
		st := v.states[k]
		st.listed = false
		v.states[k] = st
	}
}

// see reports an object that is a target, unless as much or more has been told of it.
func (v subset) See(o metav1.Object) (news bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	keys := v.keysOf(o.GetNamespace(), o.GetName())
	if len(keys) == 0 {
		return false
	}
	u, err := v.scope.Object(o)
	if err != nil {
		return false // of what the clients return everything can be read
	}
	version := listwatch.VersionOf(u.GetResourceVersion())
	for _, k := range keys {
		st := v.states[k]
		st.listed = true
		known := version != 0 && st.version != 0
		if known && (version < st.version || version == st.version && st.reported) {
			v.states[k] = st
			continue
		}
		news = true
		st.version, st.exists, st.reported = version, true, true
		v.record(k, st, u, nil)
	}
	return news
}

// lose reports that an object is gone as of a version.
func (v subset) Lose(namespace, name string, version uint64) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, k := range v.keysOf(namespace, name) {
		st, ok := v.states[k]
		if version != 0 && version < st.version || st.reported && !st.exists || !ok {
			continue
		}
		v.markGone(k, st, version)
	}
}

func (v subset) markGone(k listwatch.Key, st targetState, version uint64) {
	st.version, st.exists, st.reported = max(version, st.version), false, true
	v.record(k, st, nil, nil)
}

// end says that the list is complete, as of a version: what was not listed is
// not there.
func (v subset) End(version uint64) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for k := range v.all() {
		if st := v.states[k]; !st.listed && (st.exists || !st.reported) {
			v.markGone(k, st, version)
		}
	}
	if v.selects() {
		v.pending = v.reportEvent(observe.Sighting{Target: v.selection})
	}
}

// fail reports why the targets cannot be read.
func (v subset) Fail(why *observe.Unreadable, _ error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for k := range v.all() {
		st := v.states[k]
		st.reported = false
		v.record(k, st, nil, why)
	}
	if v.selects() {
		v.pending = v.reportEvent(observe.Sighting{Target: v.selection, Err: why})
	}
}

// failAll reports why no target of the roll can be read.
func (r *targetStore) failAll(why *observe.Unreadable) {
	for k, st := range r.states {
		st.reported = false
		r.record(k, st, nil, why)
	}
	if r.selects() {
		r.pending = r.reportEvent(observe.Sighting{Target: r.selection, Err: why})
	}
}

// forget has all that is seen next told, whatever its version.
func (v subset) Forget() {
	v.mu.Lock()
	defer v.mu.Unlock()
	for k := range v.all() {
		v.states[k] = targetState{pending: v.states[k].pending, exists: v.states[k].exists}
	}
}

// awaited returns of the targets that are waited for the version that was told,
// zero for those that are not there. Of a selection these are all that it has,
// if one of them or the selection is waited for.
func (v subset) Pending() (versions map[listwatch.Key]uint64, any bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	whole := v.selects()
	any = whole && v.pending
	versions = map[listwatch.Key]uint64{}
	for k := range v.all() {
		st := v.states[k]
		any = any || st.pending
		if !st.pending && !whole {
			continue
		}
		if st.exists {
			versions[listwatch.Key{Namespace: v.namespaceOf(k), Name: k.Name}] = st.version
		} else {
			versions[listwatch.Key{Namespace: v.namespaceOf(k), Name: k.Name}] = 0
		}
	}
	return versions, any
}

package source

import (
	"iter"
	"sync"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/kube/source/internal/client"
	"kstatus.dev/kube/source/internal/listwatch"
	"kstatus.dev/kube/source/internal/parts"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// A targetState is what is kept of a target.
type targetState struct {
	version    uint64 // the version that was reported last; 0: not known
	reported   bool   // as it is, and nothing has come in between
	exists     bool
	pending    bool
	listed     bool // in the current list
	unreported bool // its controller has not reported what its kind promises
}

// A targetStore holds the targets of one kind that are named, or the objects that
// a selection has.
type targetStore struct {
	kind             status.Kind
	cluster          string
	defaultNamespace string         // of targets without a namespace
	selection        observe.Target // zero for named targets
	reportEvent      func(observe.Sighting) (pending bool)
	parts            *parts.Tracker // nil if the targets have no parts

	mu      sync.Mutex // guards the fields below, and serializes the events of a target
	states  map[listwatch.Key]targetState
	pending bool // the selection is

	isUnreported func(*unstructured.Unstructured) bool // whether the controller has not reported on an object; nil: that does not matter
}

// A subset is the part of a targetStore that one stream reads. It is the stream's Sink.
type subset struct {
	*targetStore
	scope client.Scope
}

// selects reports whether the store is that of a selection.
func (r *targetStore) selects() bool { return r.selection != observe.Target{} }

func (v subset) namespaced() bool { return v.scope.Mapping.Scope.Name() == meta.RESTScopeNameNamespace }

// keysOf returns the keys by which an object is a target: with its namespace, and
// without if it is in the default one. The caller holds mu.
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

// all returns the targets of the subset. The caller holds mu.
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

// namespaceOf returns the namespace of a target: none for one whose kind it does not fit.
func (v subset) namespaceOf(k listwatch.Key) string {
	if k.Namespace == "" && v.namespaced() && !v.selects() {
		return v.defaultNamespace
	}
	return k.Namespace
}

// record reports a target, and keeps whether it is pending. The caller holds mu.
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

// report reports a target and has its parts follow: parts that no longer count are
// taken back before, and parts that count now are reported after it, so that a
// target is never judged by the parts of another version.
func (r *targetStore) report(s observe.Sighting, obj *unstructured.Unstructured) (pending bool) {
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
	pending = r.reportEvent(s)
	if obj != nil {
		r.parts.Track(s.Target, obj, pending)
	}
	return pending
}

// Wants reports whether an object is a target.
func (v subset) Wants(namespace, name string) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return len(v.keysOf(namespace, name)) > 0
}

// Begin begins a list of all objects of the subset.
func (v subset) Begin() {
	v.mu.Lock()
	defer v.mu.Unlock()
	for k := range v.all() {
		st := v.states[k]
		st.listed = false
		v.states[k] = st
	}
}

// See reports an object that is a target, unless this version or a later one has been.
func (v subset) See(o metav1.Object) (news bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	keys := v.keysOf(o.GetNamespace(), o.GetName())
	if len(keys) == 0 {
		return false
	}
	u, err := v.scope.Object(o)
	if err != nil {
		return false // cannot happen: the clients return nothing else
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

// Lose reports that an object has been deleted at a version.
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

// markGone reports that a target does not exist. The caller holds mu.
func (v subset) markGone(k listwatch.Key, st targetState, version uint64) {
	st.version, st.exists, st.reported = max(version, st.version), false, true
	v.record(k, st, nil, nil)
}

// End completes a list at a version: a target that it does not have does not exist.
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

// Fail reports why the targets cannot be read.
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

// failAll reports why no target of the store can be read. The caller holds mu.
func (r *targetStore) failAll(why *observe.Unreadable) {
	for k, st := range r.states {
		st.reported = false
		r.record(k, st, nil, why)
	}
	if r.selects() {
		r.pending = r.reportEvent(observe.Sighting{Target: r.selection, Err: why})
	}
}

// Forget has everything that is seen next reported, whatever its version.
func (v subset) Forget() {
	v.mu.Lock()
	defer v.mu.Unlock()
	for k := range v.all() {
		v.states[k] = targetState{pending: v.states[k].pending, exists: v.states[k].exists}
	}
}

// Pending returns the versions that were reported of the targets that are pending,
// 0 for those that do not exist. For a selection these are all its objects, if one
// of them or the selection is pending.
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

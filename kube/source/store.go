package source

import (
	"iter"
	"strconv"
	"sync"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// A key names an object among those of its kind.
type key struct{ namespace, name string }

// A state is what is kept of a target.
type state struct {
	version uint64 // of what was told last; 0: not known
	told    bool   // it has been, and nothing has come between
	there   bool
	open    bool // it is waited for
	listed  bool // it is in the list that is being read
	silent  bool // its controller has not reported on it what its kind promises
}

// A roll is the targets of one kind that are named, or the objects that a
// selection has.
type roll struct {
	kind      status.Kind
	cluster   string
	standard  string         // the namespace of those that name none
	selection observe.Target // zero for targets that are named
	saw       func(observe.Sighting) (open bool)
	parts     *families // follow the targets; nil if they have no parts

	mu     sync.Mutex // guards what follows, and that of one target one thing at a time is told
	states map[key]state
	open   bool // the selection is waited for

	unheard func(*unstructured.Unstructured) bool // tells of which objects the controller is silent; nil: of none
}

// A view is the part of a roll that one stream reads.
type view struct {
	*roll
	scope scope
}

// selects reports whether the roll is a selection.
func (r *roll) selects() bool { return r.selection != observe.Target{} }

func (v view) namespaced() bool { return v.scope.mapping.Scope.Name() == meta.RESTScopeNameNamespace }

// named returns under which keys an object is a target.
func (v view) named(namespace, name string) []key {
	k := key{namespace, name}
	if v.selects() {
		return []key{k}
	}
	keys := make([]key, 0, 2)
	if _, ok := v.states[k]; ok {
		keys = append(keys, k)
	}
	if _, ok := v.states[key{"", name}]; ok && v.namespaced() && namespace == v.standard {
		keys = append(keys, key{"", name})
	}
	return keys
}

// all returns the targets that the view covers.
func (v view) all() iter.Seq[key] {
	return func(yield func(key) bool) {
		if v.scope.name != "" {
			for _, k := range v.named(v.scope.namespace, v.scope.name) {
				if _, ok := v.states[k]; ok && !yield(k) {
					return
				}
			}
			return
		}
		for k := range v.states {
			in := v.place(k)
			if (in != "") != v.namespaced() || v.scope.namespace != "" && in != v.scope.namespace {
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
func (v view) place(k key) string {
	if k.namespace == "" && v.namespaced() && !v.selects() {
		return v.standard
	}
	return k.namespace
}

// tell reports what was seen of a target, and keeps whether it is waited for.
func (r *roll) tell(k key, st state, obj *unstructured.Unstructured, err *observe.Unreadable) {
	sighting := observe.Sighting{Target: observe.Target{Kind: r.kind, Namespace: k.namespace, Name: k.name, Cluster: r.cluster}, Of: r.selection}
	st.silent = false
	if obj != nil {
		sighting.Object = obj
		st.silent = r.unheard != nil && r.unheard(obj)
	}
	if err != nil {
		sighting.Err = err
	}
	st.open = r.report(sighting, obj)
	r.states[k] = st
	if gone := obj == nil && err == nil; gone && r.selects() {
		delete(r.states, k)
	}
}

// report reports a sighting. Parts that count no longer are taken back before
// the target is reported, and those that do now are reported after it, so that
// it is never judged by the parts of another version.
func (r *roll) report(s observe.Sighting, obj *unstructured.Unstructured) (open bool) {
	switch {
	case r.parts == nil:
		return r.saw(s)
	case r.kind == serviceKind:
		return r.parts.sawService(s)
	case obj != nil:
		r.parts.revise(s.Target, obj)
	case s.Err == nil:
		r.parts.leave(s.Target, s.Of)
	}
	open = r.saw(s)
	if obj != nil {
		r.parts.track(s.Target, obj, open)
	}
	return open
}

// wants reports whether an object is a target.
func (v view) wants(namespace, name string) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return len(v.named(namespace, name)) > 0
}

// begin says that a list of all objects of the view begins.
func (v view) begin() {
	v.mu.Lock()
	defer v.mu.Unlock()
	for k := range v.all() {
		st := v.states[k]
		st.listed = false
		v.states[k] = st
	}
}

// see reports an object that is a target, unless as much or more has been told of it.
func (v view) see(o metav1.Object) (news bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	keys := v.named(o.GetNamespace(), o.GetName())
	if len(keys) == 0 {
		return false
	}
	u, err := v.scope.object(o)
	if err != nil {
		return false // of what the clients return everything can be read
	}
	version := versionOf(u.GetResourceVersion())
	for _, k := range keys {
		st := v.states[k]
		st.listed = true
		known := version != 0 && st.version != 0
		if known && (version < st.version || version == st.version && st.told) {
			v.states[k] = st
			continue
		}
		news = true
		st.version, st.there, st.told = version, true, true
		v.tell(k, st, u, nil)
	}
	return news
}

// lose reports that an object is gone as of a version.
func (v view) lose(namespace, name string, version uint64) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, k := range v.named(namespace, name) {
		st, ok := v.states[k]
		if version != 0 && version < st.version || st.told && !st.there || !ok {
			continue
		}
		v.miss(k, st, version)
	}
}

func (v view) miss(k key, st state, version uint64) {
	st.version, st.there, st.told = max(version, st.version), false, true
	v.tell(k, st, nil, nil)
}

// end says that the list is complete, as of a version: what was not listed is
// not there.
func (v view) end(version uint64) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for k := range v.all() {
		if st := v.states[k]; !st.listed && (st.there || !st.told) {
			v.miss(k, st, version)
		}
	}
	if v.selects() {
		v.open = v.saw(observe.Sighting{Target: v.selection})
	}
}

// fail reports why the targets cannot be read.
func (v view) fail(why *observe.Unreadable, _ error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for k := range v.all() {
		st := v.states[k]
		st.told = false
		v.tell(k, st, nil, why)
	}
	if v.selects() {
		v.open = v.saw(observe.Sighting{Target: v.selection, Err: why})
	}
}

// failAll reports why no target of the roll can be read.
func (r *roll) failAll(why *observe.Unreadable) {
	for k, st := range r.states {
		st.told = false
		r.tell(k, st, nil, why)
	}
	if r.selects() {
		r.open = r.saw(observe.Sighting{Target: r.selection, Err: why})
	}
}

// forget has all that is seen next told, whatever its version.
func (v view) forget() {
	v.mu.Lock()
	defer v.mu.Unlock()
	for k := range v.all() {
		v.states[k] = state{open: v.states[k].open, there: v.states[k].there}
	}
}

// awaited returns of the targets that are waited for the version that was told,
// zero for those that are not there. Of a selection these are all that it has,
// if one of them or the selection is waited for.
func (v view) awaited() (versions map[key]uint64, any bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	whole := v.selects()
	any = whole && v.open
	versions = map[key]uint64{}
	for k := range v.all() {
		st := v.states[k]
		any = any || st.open
		if !st.open && !whole {
			continue
		}
		if st.there {
			versions[key{v.place(k), k.name}] = st.version
		} else {
			versions[key{v.place(k), k.name}] = 0
		}
	}
	return versions, any
}

// versionOf reads a resourceVersion; zero if it cannot be compared.
func versionOf(text string) uint64 {
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return 0
	}
	return n
}

package source

import (
	"iter"
	"sync"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"kstatus.dev/internal/integer"
	"kstatus.dev/kube/source/internal/client"
	"kstatus.dev/kube/source/internal/expect"
	"kstatus.dev/kube/source/internal/parts"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// A targetState is the state that is kept of a target.
type targetState struct {
	version    uint64 // the version that was reported last; 0: unknown
	reported   bool   // in its current state, without later changes
	exists     bool
	pending    bool
	listed     bool                       // in the current list
	older      *unstructured.Unstructured // an older version than the reported one, in the current list; nil: none
	unreported bool                       // its controller has not reported what its kind declares
}

// A targetStore holds the named targets of one kind, or the objects of a selection.
type targetStore struct {
	kind             status.Kind
	cluster          string
	defaultNamespace string         // of targets without a namespace
	selection        observe.Target // zero for named targets
	reportEvent      func(observe.Event) (pending bool)
	parts            *parts.Tracker // nil if the targets have no parts

	mu      sync.Mutex // guards the fields below, and serializes the events of a target
	states  map[types.NamespacedName]targetState
	pending bool // the selection is

	isUnreported func(*unstructured.Unstructured) bool // reports whether the controller has not reported on an object; nil: that does not matter
	gate         *gate                                 // holds events back; nil: none
	peers        *expect.PeersClaim                    // nil until the kind is known
}

// A subset is the part of a targetStore that one stream reads. It is the stream's Sink.
type subset struct {
	*targetStore
	scope client.Scope
}

// selects reports whether the store is for a selection.
func (ts *targetStore) selects() bool { return ts.selection != observe.Target{} }

func (sub subset) namespaced() bool {
	return sub.scope.Mapping.Scope.Name() == meta.RESTScopeNameNamespace
}

// keysOf returns the keys under which an object is a target: with its namespace, and without if
// it is in the default namespace. The caller holds mu.
func (sub subset) keysOf(namespace, name string) []types.NamespacedName {
	k := types.NamespacedName{Namespace: namespace, Name: name}
	if sub.selects() {
		return []types.NamespacedName{k}
	}
	keys := make([]types.NamespacedName, 0, 2)
	if _, ok := sub.states[k]; ok {
		keys = append(keys, k)
	}
	if _, ok := sub.states[types.NamespacedName{Name: name}]; ok && sub.namespaced() && namespace == sub.defaultNamespace {
		keys = append(keys, types.NamespacedName{Name: name})
	}
	return keys
}

// all returns the targets of the subset. The caller holds mu.
func (sub subset) all() iter.Seq[types.NamespacedName] {
	return func(yield func(types.NamespacedName) bool) {
		if sub.scope.Name != "" {
			for _, k := range sub.keysOf(sub.scope.Namespace, sub.scope.Name) {
				if _, ok := sub.states[k]; ok && !yield(k) {
					return
				}
			}
			return
		}
		for k := range sub.states {
			in := sub.namespaceOf(k)
			if (in != "") != sub.namespaced() || sub.scope.Namespace != "" && in != sub.scope.Namespace {
				continue
			}
			if !yield(k) {
				return
			}
		}
	}
}

// namespaceOf returns the namespace of a target, empty for one whose kind has none.
func (sub subset) namespaceOf(k types.NamespacedName) string {
	if k.Namespace == "" && sub.namespaced() && !sub.selects() {
		return sub.defaultNamespace
	}
	return k.Namespace
}

// record reports a target, and keeps whether it is pending. The caller holds mu.
func (ts *targetStore) record(k types.NamespacedName, state targetState, obj *unstructured.Unstructured, err *observe.Unreadable) {
	event := observe.Event{Target: observe.Target{Kind: ts.kind, Namespace: k.Namespace, Name: k.Name, Cluster: ts.cluster}, Of: ts.selection}
	state.unreported = false
	if obj != nil {
		event.Object = obj
		state.unreported = ts.isUnreported != nil && ts.isUnreported(obj)
	}
	if err != nil {
		event.Err = err
	}
	state.pending = ts.report(event, obj)
	ts.states[k] = state
	if state.pending && state.unreported {
		ts.peers.Set(true)
	}
	if gone := obj == nil && err == nil; gone && ts.selects() {
		delete(ts.states, k)
	}
}

// report reports a target and its parts. Parts that no longer count are revoked before
// it, and new ones are reported after it. So a target is never judged by the parts of
// another version.
func (ts *targetStore) report(s observe.Event, obj *unstructured.Unstructured) (pending bool) {
	switch {
	case ts.parts == nil:
		return ts.reportEvent(s)
	case ts.kind == parts.ServiceKind:
		return ts.parts.ReportService(s)
	case obj != nil:
		ts.parts.Revise(s.Target, obj)
	case s.Err == nil:
		ts.parts.Forget(s.Target, s.Of)
	}
	pending = ts.reportEvent(s)
	if obj != nil {
		ts.parts.Track(s.Target, obj, pending)
	}
	return pending
}

// Wants reports whether an object is a target.
func (sub subset) Wants(namespace, name string) bool {
	sub.mu.Lock()
	defer sub.mu.Unlock()
	return len(sub.keysOf(namespace, name)) > 0
}

// Begin begins a list of all objects of the subset.
func (sub subset) Begin() {
	sub.mu.Lock()
	defer sub.mu.Unlock()
	sub.gate.relist()
	sub.handleEvent(sub.begin)
}

func (sub subset) begin() {
	for k := range sub.all() {
		state := sub.states[k]
		state.listed, state.older = false, nil
		sub.states[k] = state
	}
}

// See reports an object that is a target, unless this or a later version was reported. An older
// version in a list is reported at the end of the list. If the list itself is not older, the server
// has restored the object from a backup.
func (sub subset) See(o metav1.Object) (news bool) {
	sub.mu.Lock()
	defer sub.mu.Unlock()
	keys := sub.keysOf(o.GetNamespace(), o.GetName())
	if len(keys) == 0 {
		return false
	}
	u, err := sub.scope.Object(o)
	if err != nil {
		sub.handleEvent(func() { sub.seeOther(keys, err) })
		return false
	}
	sub.gate.admit(u)
	if sub.gate.isClosed() {
		sub.handleEvent(func() { sub.see(keys, u) })
		return true
	}
	return sub.see(keys, u)
}

// seeOther reports that the objects were replaced by others. The caller holds mu.
func (sub subset) seeOther(keys []types.NamespacedName, err error) {
	for _, k := range keys {
		state := sub.states[k]
		state.listed, state.reported = true, false
		sub.record(k, state, nil, &observe.Unreadable{Reason: status.ReasonTransport, Text: err.Error()})
	}
}

func (sub subset) see(keys []types.NamespacedName, u *unstructured.Unstructured) (news bool) {
	version := integer.OfVersion(u.GetResourceVersion())
	for _, k := range keys {
		state := sub.states[k]
		state.listed = true
		known := version != 0 && state.version != 0
		if known && (version < state.version || version == state.version && state.reported) {
			if version < state.version {
				state.older = u
			}
			sub.states[k] = state
			continue
		}
		news = true
		state.version, state.exists, state.reported, state.older = version, true, true, nil
		sub.record(k, state, u, nil)
	}
	return news
}

// Lose reports that an object has been deleted at a version.
func (sub subset) Lose(namespace, name string, version uint64) {
	sub.mu.Lock()
	defer sub.mu.Unlock()
	sub.handleEvent(func() { sub.lose(namespace, name, version) })
}

func (sub subset) lose(namespace, name string, version uint64) {
	for _, k := range sub.keysOf(namespace, name) {
		state, ok := sub.states[k]
		if version != 0 && version < state.version || state.reported && !state.exists || !ok {
			continue
		}
		sub.markGone(k, state, version)
	}
}

// markGone reports that a target does not exist. The caller holds mu.
func (sub subset) markGone(k types.NamespacedName, state targetState, version uint64) {
	state.version, state.exists, state.reported = max(version, state.version), false, true
	sub.record(k, state, nil, nil)
}

// End completes a list at a version: targets that are not in it do not exist.
func (sub subset) End(version uint64) {
	sub.mu.Lock()
	defer sub.mu.Unlock()
	sub.handleEvent(func() { sub.end(version) })
}

func (sub subset) end(version uint64) {
	for k := range sub.all() {
		switch state := sub.states[k]; {
		case !state.listed && (state.exists || !state.reported):
			sub.markGone(k, state, version)
		case state.older != nil:
			u := state.older
			state.version, state.exists, state.reported, state.older = integer.OfVersion(u.GetResourceVersion()), true, true, nil
			sub.record(k, state, u, nil)
		}
	}
	if sub.selects() {
		sub.pending = sub.reportEvent(observe.Event{Target: sub.selection})
	}
}

// Fail reports why the targets cannot be read.
func (sub subset) Fail(why *observe.Unreadable, _ error) {
	sub.mu.Lock()
	defer sub.mu.Unlock()
	sub.handleEvent(func() { sub.fail(why) })
}

func (sub subset) fail(why *observe.Unreadable) {
	for k := range sub.all() {
		state := sub.states[k]
		state.reported = false
		sub.record(k, state, nil, why)
	}
	if sub.selects() {
		sub.pending = sub.reportEvent(observe.Event{Target: sub.selection, Err: why})
	}
}

// failAll reports why no target of the store can be read. The caller holds mu.
func (ts *targetStore) failAll(why *observe.Unreadable) {
	for k, state := range ts.states {
		state.reported = false
		ts.record(k, state, nil, why)
	}
	if ts.selects() {
		ts.pending = ts.reportEvent(observe.Event{Target: ts.selection, Err: why})
	}
}

// Forget makes the next state of every target be reported, whatever its version.
func (sub subset) Forget() {
	sub.mu.Lock()
	defer sub.mu.Unlock()
	sub.handleEvent(sub.forget)
}

func (sub subset) forget() {
	for k := range sub.all() {
		sub.states[k] = targetState{pending: sub.states[k].pending, exists: sub.states[k].exists}
	}
}

// Pending returns the reported versions of the pending targets, 0 for those that do not exist.
// For a selection these are all its objects, if one of them or the selection is pending.
func (sub subset) Pending() (versions map[types.NamespacedName]uint64, any bool) {
	sub.mu.Lock()
	defer sub.mu.Unlock()
	whole := sub.selects()
	any = whole && sub.pending
	versions = map[types.NamespacedName]uint64{}
	for k := range sub.all() {
		state := sub.states[k]
		any = any || state.pending
		if !state.pending && !whole {
			continue
		}
		if state.exists {
			versions[types.NamespacedName{Namespace: sub.namespaceOf(k), Name: k.Name}] = state.version
		} else {
			versions[types.NamespacedName{Namespace: sub.namespaceOf(k), Name: k.Name}] = 0
		}
	}
	return versions, any
}

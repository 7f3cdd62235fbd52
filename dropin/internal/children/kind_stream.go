package children

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"sync"
	"sync/atomic"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/kube/connection"
	"kstatus.dev/kube/watcher"
)

// A kindStream keeps the objects of one scope. It is the sink of its stream.
type kindStream struct {
	store   *Store
	scope   scope
	gvk     schema.GroupVersionKind
	mapping *meta.RESTMapping
	wider   chan struct{} // receives when a workload with an unknown selector is watched
	parents int           // how many workloads the current stream knows; of its goroutine

	mu      sync.Mutex // guards the fields below
	objects map[key]child
	byLabel map[label]map[key]bool // the objects with a label
	seen    map[key]bool           // in the current list
	settled chan struct{}
	covered int           // the children of the workloads up to this one are complete
	slow    bool          // the wider stream takes too long to wait for it
	changed chan struct{} // closed when covered or live changes
	live    bool          // the objects cannot be kept, and are listed
}

type key struct{ namespace, name string }

// A child is an object as JSON, which takes a fraction of the memory.
type child struct {
	data    []byte
	labels  map[string]string
	version string
}

func newKindStream(s *Store, sc scope, mapping *meta.RESTMapping) *kindStream {
	return &kindStream{
		store: s, scope: sc, gvk: mapping.GroupVersionKind, mapping: mapping, wider: make(chan struct{}, 1),
		objects: map[key]child{}, byLabel: map[label]map[key]bool{}, settled: make(chan struct{}), changed: make(chan struct{}),
	}
}

// A stream with a selector that is too narrow continues for firstWiden. The time doubles while
// workloads keep coming, up to maxWiden, and begins again after calm. A status waits for the wider
// stream for at most widenWait. If that is too short, statuses list the children of their workloads
// until the wider stream is complete.
const (
	firstWiden = 100 * time.Millisecond
	maxWiden   = time.Second
	calm       = 30 * time.Second
	widenWait  = 5 * time.Second
)

// run reads until ctx ends. A workload with another selector begins the stream again, at most
// once per pause.
func (ks *kindStream) run(ctx context.Context) {
	pause := firstWiden
	for ctx.Err() == nil {
		again, stop := context.WithCancel(ctx)
		begun, selector := time.Now(), ks.selector()
		var watching sync.WaitGroup
		watching.Go(func() {
			select {
			case <-again.Done():
				return
			case <-ks.wider:
			}
			if time.Since(begun) > calm {
				pause = firstWiden
			}
			select {
			case <-again.Done():
			case <-time.After(pause):
				stop()
			}
		})
		st := &watcher.Stream{
			Requests: watcher.RequestsFor(ks.store.resource(ks.scope, ks.mapping)), Sink: ks, Unstreamed: new(atomic.Bool), AcceptOlder: true,
			Options: metav1.ListOptions{LabelSelector: selector},
		}
		_ = st.Run(again) // Fail has recorded the error
		stopped := again.Err() == nil
		stop()
		watching.Wait()
		if stopped {
			return // lists are live from now on
		}
		pause = min(2*pause, maxWiden)
	}
}

// broadcast wakes statuses that wait. The caller holds mu.
func (ks *kindStream) broadcast() {
	close(ks.changed)
	ks.changed = make(chan struct{})
}

// await waits until the children of a workload are complete, unless that takes too long.
func (ks *kindStream) await(ctx context.Context, added int) {
	timer := time.NewTimer(widenWait)
	defer timer.Stop()
	for {
		ks.mu.Lock()
		ready := ks.live || added <= ks.covered || ks.slow
		changed := ks.changed
		ks.mu.Unlock()
		if ready {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
			ks.mu.Lock()
			ks.slow = added > ks.covered
			ks.mu.Unlock()
			return
		case <-changed:
		}
	}
}

// selector returns the selector of the next stream.
func (ks *kindStream) selector() string {
	ks.store.mu.Lock()
	defer ks.store.mu.Unlock()
	ks.parents = ks.store.parents.added
	select {
	case <-ks.wider: // this stream knows that workload
	default:
	}
	return ks.store.parents.selectorFor(ks.scope)
}

// widen begins the stream again soon, for a workload that was not watched.
func (ks *kindStream) widen() {
	select {
	case ks.wider <- struct{}{}:
	default:
	}
}

func (ks *kindStream) wants(u *unstructured.Unstructured) bool {
	if ks.store.wants(ks.scope.kind, u.GetNamespace(), u.GetLabels()) {
		return true
	}
	ks.mu.Lock()
	defer ks.mu.Unlock()
	_, known := ks.objects[key{u.GetNamespace(), u.GetName()}]
	return known // its labels have changed
}

// Begin is for [watcher.Sink].
func (ks *kindStream) Begin() {
	ks.mu.Lock()
	defer ks.mu.Unlock()
	ks.seen = map[key]bool{}
}

// Object is for [watcher.Sink].
func (ks *kindStream) Object(o metav1.Object, _ bool) error {
	u, ok := o.(*unstructured.Unstructured)
	if !ok {
		return fmt.Errorf("watch of %s: want an unstructured object, have %T", ks.gvk, o)
	}
	if ks.wants(u) {
		ks.keep(u)
	}
	return nil
}

// keep keeps the state of an object.
func (ks *kindStream) keep(u *unstructured.Unstructured) {
	k := key{u.GetNamespace(), u.GetName()}
	version := u.GetResourceVersion()
	ks.mu.Lock()
	before, known := ks.objects[k]
	if ks.seen != nil {
		ks.seen[k] = true
	}
	ks.mu.Unlock()
	if known && before.version == version && version != "" {
		return
	}
	ks.store.trim(ks.scope.kind, u)
	data, err := u.MarshalJSON()
	if err != nil {
		return // an object that was decoded from JSON always has a JSON form
	}
	now := child{data: data, labels: maps.Clone(u.GetLabels()), version: version}
	ks.mu.Lock()
	ks.remove(k)
	ks.objects[k] = now
	for name, value := range now.labels {
		l := label{k.namespace, name, value}
		if ks.byLabel[l] == nil {
			ks.byLabel[l] = map[key]bool{}
		}
		ks.byLabel[l][k] = true
	}
	ks.mu.Unlock()
	ks.report(k, before.labels, now.labels)
}

// remove removes an object. The caller holds mu.
func (ks *kindStream) remove(k key) {
	for name, value := range ks.objects[k].labels {
		l := label{k.namespace, name, value}
		delete(ks.byLabel[l], k)
		if len(ks.byLabel[l]) == 0 {
			delete(ks.byLabel, l)
		}
	}
	delete(ks.objects, k)
}

// Deleted is for [watcher.Sink].
func (ks *kindStream) Deleted(o metav1.Object) error {
	k := key{o.GetNamespace(), o.GetName()}
	ks.mu.Lock()
	before, known := ks.objects[k]
	ks.remove(k)
	ks.mu.Unlock()
	if known {
		ks.report(k, before.labels)
	}
	return nil
}

func (ks *kindStream) report(k key, sets ...map[string]string) {
	select {
	case <-ks.settled:
		ks.store.changed(ks.scope.kind, k.namespace, sets...)
	default: // the workloads are judged when the stream has settled
	}
}

// End is for [watcher.Sink].
func (ks *kindStream) End(string) {
	ks.mu.Lock()
	for k := range ks.objects {
		if !ks.seen[k] {
			ks.remove(k)
		}
	}
	ks.seen = nil
	ks.live = false
	ks.covered, ks.slow = ks.parents, false
	ks.broadcast()
	ks.mu.Unlock()
	ks.settle()
	ks.store.changedAll(ks.scope)
}

// Lost is for [watcher.Sink].
func (ks *kindStream) Lost(bool) {}

// Fail is for [watcher.Sink]. Until the objects can be kept, they are listed. Lists need other
// permissions than streams, and their errors are those that callers of status readers expect.
func (ks *kindStream) Fail(f watcher.Failure) watcher.Reaction {
	switch {
	case f.Streamed:
		return watcher.ReactionListNow
	case errors.Is(f.Err, watcher.ErrShort):
		return watcher.ReactionList
	case f.IsResumable():
		return watcher.ReactionResume
	}
	denied := connection.IsRefused(f.Err) || apierrors.IsUnauthorized(f.Err) || apierrors.IsNotFound(f.Err)
	ks.mu.Lock()
	if denied || ks.seen != nil || len(ks.objects) == 0 {
		ks.live = true
	}
	ks.broadcast()
	ks.mu.Unlock()
	ks.settle()
	if denied {
		return watcher.ReactionEnd
	}
	return watcher.ReactionList
}

func (ks *kindStream) settle() {
	select {
	case <-ks.settled:
	default:
		close(ks.settled)
	}
}

// list adds the objects that a selector matches to list. They are children of the workload that was
// added as the given one. It returns false if they must be listed.
func (ks *kindStream) list(list *unstructured.UnstructuredList, namespace string, selector labels.Selector, added int) (ok bool, err error) {
	ks.mu.Lock()
	defer ks.mu.Unlock()
	if ks.live || added > ks.covered {
		return false, nil
	}
	list.Items = nil
	for k := range ks.candidates(namespace, selector) {
		c := ks.objects[k]
		if k.namespace != namespace || !selector.Matches(labels.Set(c.labels)) {
			continue
		}
		var u unstructured.Unstructured
		if err := u.UnmarshalJSON(c.data); err != nil {
			return false, err
		}
		list.Items = append(list.Items, u)
	}
	return true, nil
}

// candidates returns the objects with the label of the selector that the fewest objects have. If the
// selector requires no label, it returns all. The caller holds mu.
func (ks *kindStream) candidates(namespace string, selector labels.Selector) iter.Seq[key] {
	var best map[key]bool
	found := false
	requirements, _ := selector.Requirements()
	for _, r := range requirements {
		if value, ok := single(r); ok {
			if set := ks.byLabel[label{namespace, r.Key(), value}]; !found || len(set) < len(best) {
				best, found = set, true
			}
		}
	}
	if found {
		return maps.Keys(best)
	}
	return maps.Keys(ks.objects)
}

// trim drops what no status depends on.
func (s *Store) trim(kind schema.GroupKind, u *unstructured.Unstructured) {
	unstructured.RemoveNestedField(u.Object, "metadata", "managedFields")
	if s.Lean {
		unstructured.RemoveNestedField(u.Object, "metadata", "annotations", "kubectl.kubernetes.io/last-applied-configuration")
		if kind == replicaSetKind {
			unstructured.RemoveNestedField(u.Object, "spec", "template")
		}
	}
}

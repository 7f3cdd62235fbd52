package session

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"

	"kstatus.dev/dropin"
	"kstatus.dev/dropin/internal/queue"
	"kstatus.dev/dropin/pkg/object"
	"kstatus.dev/kube/connection"
	"kstatus.dev/kube/watcher"
)

// An op is what has happened to an object, or to the list of all objects.
type op int

const (
	opBegin    op = iota // a list of all objects begins
	opObject             // the object exists
	opDeleted            // the object has been deleted
	opEnd                // the list is complete
	opUnknown            // the kind is not served
	opReplaced           // other scopes read the targets from now on
	opAgain              // a status may have changed, although the object has not
	opRecheck            // a status may have changed with time
	opResync             // all statuses are sent again
)

type change struct {
	op    op
	id    object.ObjMetadata
	u     *unstructured.Unstructured
	start func() // begins the other scopes
}

// A kindWatch reads the targets of one kind in one scope. One goroutine reads, and another one
// judges, so that a slow status reader does not delay the watch.
type kindWatch struct {
	s     *Session
	place Place
	ids   object.ObjMetadataSet // nil: not known
	level level
	box   *queue.Queue[object.ObjMetadata, change]

	// The fields up to the next empty line are of the reading goroutine.
	gvk            schema.GroupVersionKind
	named, unnamed bool      // the stream selects, or must not select, by name
	unserved       time.Time // since when the server does not know the kind
	connected      bool      // a watch is open
	listed         bool      // a list is complete, and no watch has been open since
	denied         error     // the error that ended the stream

	targets map[object.ObjMetadata]*target // of the judging goroutine
	list    *list                          // of the judging goroutine; nil: none is in progress

	settled atomic.Bool // the first list is over, or there is none
	failing atomic.Bool // the objects cannot be read

	jobs sync.WaitGroup // statuses that workers compute
	sem  chan struct{}

	mu        sync.Mutex // guards the fields below and the fields of targets
	dirty     map[object.ObjMetadata]bool
	resyncing bool // all statuses will be sent again
	res       dynamic.ResourceInterface
}

// watch starts the watch of a scope. The targets that a former watch has seen are known to it, so that
// it reports their end.
func (s *Session) watch(p Place, ids object.ObjMetadataSet, l level, seen ...target) {
	k := &kindWatch{
		s: s, place: p, ids: ids, level: l, box: queue.New[object.ObjMetadata, change](),
		targets: map[object.ObjMetadata]*target{}, dirty: map[object.ObjMetadata]bool{}, sem: make(chan struct{}, max(1, s.Workers)),
	}
	for i := range seen {
		k.targets[seen[i].id] = &seen[i]
	}
	s.mu.Lock()
	s.open++
	s.watches[p] = append(s.watches[p], k)
	s.mu.Unlock()
	s.wg.Go(func() { k.read(s.ctx) })
	s.wg.Go(func() { k.judgeAll(s.ctx) })
	for i := range seen {
		k.again(seen[i].id) // it had a timer, perhaps
	}
}

// read reads until ctx ends.
func (k *kindWatch) read(ctx context.Context) {
	var pause watcher.Pause
	for ctx.Err() == nil {
		mapping := k.mapping(ctx)
		if mapping == nil {
			return
		}
		k.s.loadSchema(ctx, k.place.Kind)
		if k.level == scopeGet {
			k.poll(ctx, mapping)
		} else {
			_ = k.stream(mapping).Run(ctx) // k.denied has the error
		}
		if ctx.Err() != nil {
			return
		}
		if k.named && (apierrors.IsForbidden(k.denied) && !k.s.right() || connection.IsRejected(k.denied)) {
			k.unnamed = true // so that the error is the one of the whole kind, as before
			continue
		}
		if !apierrors.IsNotFound(k.denied) {
			if !k.narrow(mapping, k.denied) {
				k.s.fail(k.denied)
			}
			return
		}
		// Perhaps the mapper knows an old version of the kind. If it still does after a reset, the
		// kind is not served.
		switch {
		case k.unserved.IsZero():
			k.unserved = time.Now()
		case k.s.lookup.lastReset().After(k.unserved):
			k.box.Mark(change{op: opUnknown})
		}
		k.s.refresh()
		pause.Wait(ctx, maxPause)
	}
}

// quiet is how long a watch may be silent before its targets are checked.
const quiet = 30 * time.Second

// stream returns the stream of the scope.
func (k *kindWatch) stream(mapping *meta.RESTMapping) *watcher.Stream {
	k.gvk, k.connected, k.listed = mapping.GroupVersionKind, false, false
	st := &watcher.Stream{
		Requests: watcher.RequestsFor(k.resource(mapping)), Sink: k, Options: k.s.Options,
		Verifier: watcher.OnSilence(quiet, k.isStale), Connected: k.connect, AcceptOlder: true,
	}
	if !k.s.fake {
		st.Unstreamed = new(atomic.Bool)
	}
	if k.named = len(k.ids) == 1 && !k.s.fake && st.Options.FieldSelector == "" && !k.unnamed; k.named {
		st.Options.FieldSelector = fields.OneTermEqualSelector("metadata.name", k.ids[0].Name).String()
	}
	return st
}

// wants reports whether an object is a target.
func (k *kindWatch) wants(u *unstructured.Unstructured) bool {
	if k.level >= scopeName && k.ids[0] != object.UnstructuredToObjMetadata(u) {
		return false // a fake does not select by name
	}
	return k.s.Wanted(u)
}

// resource returns the interface that reads the scope.
func (k *kindWatch) resource(mapping *meta.RESTMapping) dynamic.ResourceInterface {
	var r dynamic.ResourceInterface = k.s.Client.Resource(mapping.Resource)
	if k.place.Namespace != "" && mapping.Scope.Name() == meta.RESTScopeNameNamespace {
		r = k.s.Client.Resource(mapping.Resource).Namespace(k.place.Namespace)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.res = r
	return r
}

// Begin is for [watcher.Sink].
func (k *kindWatch) Begin() {
	k.connected = false
	k.box.Mark(change{op: opBegin})
}

// Object is for [watcher.Sink].
func (k *kindWatch) Object(o metav1.Object, _ bool) error {
	u, ok := o.(*unstructured.Unstructured)
	if !ok {
		return fmt.Errorf("watch of %s: want an unstructured object, have %T", k.gvk, o)
	}
	if k.wants(u) {
		k.put(u)
	}
	return nil
}

// put sends the state of a target to the judging goroutine.
func (k *kindWatch) put(u *unstructured.Unstructured) {
	id := object.UnstructuredToObjMetadata(u)
	if k.s.store != nil {
		k.s.store.Register(u) // at once, so that its children are read with those of others
	}
	k.box.Put(id, change{op: opObject, id: id, u: u})
}

// Deleted is for [watcher.Sink].
func (k *kindWatch) Deleted(o metav1.Object) error {
	u, ok := o.(*unstructured.Unstructured)
	if !ok {
		return fmt.Errorf("watch of %s: want an unstructured object, have %T", k.gvk, o)
	}
	if k.wants(u) {
		id := object.UnstructuredToObjMetadata(u)
		k.box.Put(id, change{op: opDeleted, id: id, u: u})
	}
	return nil
}

// End is for [watcher.Sink]. A list does not count before it is known whether later changes may be
// watched.
func (k *kindWatch) End(string) {
	k.listed = true
	if k.connected {
		k.sendEnd()
	}
}

// connect records whether a watch is open.
func (k *kindWatch) connect(now bool) {
	k.connected = now
	if !now {
		return
	}
	k.failing.Store(false)
	if k.listed {
		k.sendEnd()
	}
}

// sendEnd sends the end of a list.
func (k *kindWatch) sendEnd() {
	k.listed = false
	k.unserved = time.Time{}
	k.failing.Store(false)
	k.box.Mark(change{op: opEnd})
}

// Lost is for [watcher.Sink]. What was listed counts, although it must be listed again. Lists may have
// lower versions anyway; see older.
func (k *kindWatch) Lost(bool) {
	if k.listed {
		k.sendEnd()
	}
}

// Fail is for [watcher.Sink]. Errors that a retry does not solve end the stream.
func (k *kindWatch) Fail(f watcher.Failure) watcher.Reaction {
	err := f.Err
	refused := apierrors.IsForbidden(err) || apierrors.IsUnauthorized(err)
	if k.listed && !refused {
		k.sendEnd() // what was listed counts, although it must be listed again
	}
	k.listed = false
	switch {
	case f.Streamed: // a list shows whether the server rejects the objects or only this way to read them
		return watcher.ReactionListNow
	case errors.Is(err, watcher.ErrShort):
		return watcher.ReactionList
	case f.IsResumable():
		return watcher.ReactionResume
	}
	if k.denied = err; f.Verb == "list" {
		// The text is the one of client-go, which users and programs search for.
		k.denied = fmt.Errorf("failed to list %s: %w", k.gvk, err)
	}
	k.failing.Store(true)
	if refused || apierrors.IsNotFound(err) || k.named && connection.IsRejected(err) {
		return watcher.ReactionEnd
	}
	return watcher.ReactionList
}

// againPause collects the changes of the children of a target.
const againPause = 100 * time.Millisecond

// again judges a target again soon.
func (k *kindWatch) again(id object.ObjMetadata) {
	k.mu.Lock()
	marked := k.dirty[id]
	k.dirty[id] = true
	k.mu.Unlock()
	if !marked {
		time.AfterFunc(againPause, func() { k.box.Mark(change{op: opAgain, id: id}) })
	}
}

// right reports whether the events are those of the mode right.
func (s *Session) right() bool { return s.mode.Events == dropin.EventsRight }

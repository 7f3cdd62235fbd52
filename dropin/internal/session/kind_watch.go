package session

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/client-go/dynamic"

	"kstatus.dev/dropin"
	"kstatus.dev/dropin/internal/queue"
	"kstatus.dev/dropin/internal/stream"
	"kstatus.dev/dropin/pkg/object"
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
	s      *Session
	place  Place
	ids    object.ObjMetadataSet // nil: not known
	level  level
	box    *queue.Queue[object.ObjMetadata, change]
	denied error // the error that ended the stream; of the reading goroutine

	named, unnamed bool      // the stream selects, or must not select, by name; of the reading goroutine
	unserved       time.Time // since when the server does not know the kind; of the reading goroutine

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
	var pause stream.Pause
	for ctx.Err() == nil {
		mapping := k.mapping(ctx)
		if mapping == nil {
			return
		}
		k.s.loadSchema(ctx, k.place.Kind)
		if k.level == scopeGet {
			k.poll(ctx, mapping)
		} else {
			k.stream(mapping).Run(ctx, k)
		}
		if ctx.Err() != nil {
			return
		}
		if k.named && (apierrors.IsForbidden(k.denied) && !k.s.right() || rejected(k.denied)) {
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

// rejected reports whether the server does not accept a request.
func rejected(err error) bool { return apierrors.IsBadRequest(err) || apierrors.IsInvalid(err) }

// stream returns the stream of the scope.
func (k *kindWatch) stream(mapping *meta.RESTMapping) *stream.Stream {
	st := &stream.Stream{
		Objects: k.resource(mapping), Kind: mapping.GroupVersionKind.String(), Options: k.s.Options, Streaming: !k.s.fake,
		Wants: k.wants,
	}
	if k.named = len(k.ids) == 1 && !k.s.fake && st.Options.FieldSelector == "" && !k.unnamed; k.named {
		st.Options.FieldSelector = fields.OneTermEqualSelector("metadata.name", k.ids[0].Name).String()
	}
	return st
}

// wants is called on the reading goroutine.
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

// Begin is for [stream.Sink].
func (k *kindWatch) Begin() { k.box.Mark(change{op: opBegin}) }

// Object is for [stream.Sink].
func (k *kindWatch) Object(u *unstructured.Unstructured) {
	id := object.UnstructuredToObjMetadata(u)
	if k.s.store != nil {
		k.s.store.Register(u) // at once, so that its children are read with those of others
	}
	k.box.Put(id, change{op: opObject, id: id, u: u})
}

// Deleted is for [stream.Sink].
func (k *kindWatch) Deleted(u *unstructured.Unstructured) {
	id := object.UnstructuredToObjMetadata(u)
	k.box.Put(id, change{op: opDeleted, id: id, u: u})
}

// End is for [stream.Sink].
func (k *kindWatch) End() {
	k.unserved = time.Time{}
	k.failing.Store(false)
	k.box.Mark(change{op: opEnd})
}

// Fail is for [stream.Sink]. Errors that a retry does not solve end the stream.
func (k *kindWatch) Fail(err error) (again bool) {
	k.denied = err
	k.failing.Store(true)
	if k.named && rejected(err) {
		return false
	}
	return !apierrors.IsForbidden(err) && !apierrors.IsUnauthorized(err) && !apierrors.IsNotFound(err)
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

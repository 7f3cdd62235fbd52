package session

import (
	"context"
	"errors"
	"sync"

	"kstatus.dev/dropin/internal/queue"
	"kstatus.dev/dropin/pkg/kstatus/polling/event"
	"kstatus.dev/dropin/pkg/kstatus/status"
	"kstatus.dev/dropin/pkg/object"
)

// An outbox orders events. It holds every NotFound back, and the later events of the same target. It
// sends them when each target that exists has a status, or after holdTime. The SyncEvent follows when
// each target that exists has a status.
type outbox struct {
	queue *queue.Queue[object.ObjMetadata, event.Event]

	mu      sync.Mutex // guards the fields below
	synced  bool
	failed  bool
	passing bool                        // holds no event back
	sent    map[object.ObjMetadata]bool // until synced
	held    []event.Event
	holding map[object.ObjMetadata][]int // where the events of a target are in held
}

func newOutbox() *outbox {
	return &outbox{queue: queue.New[object.ObjMetadata, event.Event](), sent: map[object.ObjMetadata]bool{}, holding: map[object.ObjMetadata][]int{}}
}

// put adds a status.
func (o *outbox) put(rs *event.ResourceStatus) {
	e := event.Event{Type: event.ResourceUpdateEvent, Resource: rs}
	o.mu.Lock()
	defer o.mu.Unlock()
	id := rs.Identifier
	switch {
	case o.failed:
	case o.synced:
		o.queue.Put(id, e)
	case !o.passing && (rs.Status == status.NotFoundStatus || len(o.holding[id]) > 0):
		o.sent[id] = true
		if at := o.holding[id]; len(at) >= queue.Limit {
			o.held[at[len(at)-1]] = e
			break
		}
		o.holding[id] = append(o.holding[id], len(o.held))
		o.held = append(o.held, e)
	default:
		o.sent[id] = true
		o.queue.Put(id, e)
	}
}

// sync sends what was held back, a NotFound for each absent target without an event, and the
// SyncEvent.
func (o *outbox) sync(absent object.ObjMetadataSet) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.failed || o.synced {
		return
	}
	o.synced = true
	o.pass()
	for _, id := range absent {
		if !o.sent[id] {
			o.queue.Put(id, event.Event{Type: event.ResourceUpdateEvent, Resource: notFound(id)})
		}
	}
	o.sent = nil
	o.queue.Mark(event.Event{Type: event.SyncEvent})
}

// release sends what was held back, although not each target has a status.
func (o *outbox) release() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.failed {
		o.pass()
	}
}

// pass sends what was held back, and holds nothing from now on. The caller holds mu.
func (o *outbox) pass() {
	o.passing = true
	for _, e := range o.held {
		o.queue.Put(e.Resource.Identifier, e)
	}
	o.held, o.holding = nil, nil
}

// fail adds an error as the last event. The end of a context is none.
func (o *outbox) fail(err error) {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.failed {
		o.failed = true
		o.queue.Mark(event.Event{Type: event.ErrorEvent, Error: err})
	}
}

func notFound(id object.ObjMetadata) *event.ResourceStatus {
	return &event.ResourceStatus{Identifier: id, Status: status.NotFoundStatus, Message: "Resource not found"}
}

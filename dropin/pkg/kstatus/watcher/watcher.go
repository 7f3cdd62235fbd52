// Package watcher watches objects and sends an event for each change of their status.
//
// The number of requests does not depend on the number of objects. Each kind is listed and
// watched once per namespace or once for the cluster. So are the ReplicaSets and Pods of
// workloads.
package watcher

import (
	"context"
	"fmt"

	"kstatus.dev/dropin/pkg/kstatus/polling/event"
	"kstatus.dev/dropin/pkg/object"
)

// A StatusWatcher sends the statuses of objects until ctx ends. Then it closes the channel.
type StatusWatcher interface {
	Watch(context.Context, object.ObjMetadataSet, Options) <-chan event.Event
}

// Options are those of one watch.
type Options struct {
	// RESTScopeStrategy selects the scope of lists and watches.
	RESTScopeStrategy RESTScopeStrategy
}

// A RESTScopeStrategy is how lists and watches select namespaces.
type RESTScopeStrategy int

// The strategies.
const (
	RESTScopeAutomatic RESTScopeStrategy = iota // by the number of namespaces
	RESTScopeRoot                               // one request for all namespaces
	RESTScopeNamespace                          // one request per namespace
)

// String returns the name of the strategy.
func (i RESTScopeStrategy) String() string {
	switch i {
	case RESTScopeAutomatic:
		return "automatic"
	case RESTScopeRoot:
		return "root"
	case RESTScopeNamespace:
		return "namespace"
	}
	return fmt.Sprintf("RESTScopeStrategy(%d)", int(i))
}

// A BlindStatusWatcher reads nothing. It sends a SyncEvent.
type BlindStatusWatcher struct{}

var _ StatusWatcher = BlindStatusWatcher{}

// Watch sends a SyncEvent, and closes the channel when ctx ends.
func (w BlindStatusWatcher) Watch(ctx context.Context, _ object.ObjMetadataSet, _ Options) <-chan event.Event {
	events := make(chan event.Event)
	go func() {
		defer close(events)
		select {
		case <-ctx.Done():
			return
		case events <- event.Event{Type: event.SyncEvent}:
		}
		<-ctx.Done()
	}()
	return events
}

// An EventFunnelClosedError is that of the original for a watch that has ended. This module does
// not return it.
type EventFunnelClosedError struct {
	ContextError error
}

// Error returns the text.
func (e *EventFunnelClosedError) Error() string {
	return fmt.Sprintf("event funnel closed: %v", e.ContextError)
}

// Is reports whether err is an EventFunnelClosedError with the same cause.
func (e *EventFunnelClosedError) Is(err error) bool {
	other, ok := err.(*EventFunnelClosedError)
	return ok && other.ContextError == e.ContextError
}

// Unwrap returns the cause.
func (e *EventFunnelClosedError) Unwrap() error { return e.ContextError }

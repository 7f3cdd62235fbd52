// Package collector keeps the latest status of each object of a poll or a watch.
package collector

import (
	"sort"
	"sync"

	"kstatus.dev/dropin/pkg/kstatus/polling/event"
	"kstatus.dev/dropin/pkg/kstatus/status"
	"kstatus.dev/dropin/pkg/object"
)

// A ResourceStatusCollector keeps the latest status of each object. Its methods are safe for
// concurrent use. An [Observer] may read its fields.
type ResourceStatusCollector struct {
	mux sync.RWMutex

	LastEventType    event.Type
	ResourceStatuses map[object.ObjMetadata]*event.ResourceStatus
	Error            error // of the ErrorEvent
}

// NewResourceStatusCollector returns a collector in which each object is Unknown.
func NewResourceStatusCollector(identifiers object.ObjMetadataSet) *ResourceStatusCollector {
	statuses := make(map[object.ObjMetadata]*event.ResourceStatus, len(identifiers))
	for _, id := range identifiers {
		statuses[id] = &event.ResourceStatus{Identifier: id, Status: status.UnknownStatus}
	}
	return &ResourceStatusCollector{ResourceStatuses: statuses}
}

// An Observer is called for each event, after the collector has stored it. All calls come from
// the goroutine that reads the events, so the next event waits for Notify.
type Observer interface {
	Notify(*ResourceStatusCollector, event.Event)
}

// An ObserverFunc is a function as an Observer.
type ObserverFunc func(*ResourceStatusCollector, event.Event)

// Notify calls o.
func (o ObserverFunc) Notify(rsc *ResourceStatusCollector, e event.Event) { o(rsc, e) }

// A ListenerResult has the error of an ErrorEvent.
type ListenerResult struct {
	Err error
}

// Listen stores the events until the channel is closed. Then it closes the channel that it
// returned. An ErrorEvent is stored and sent to the returned channel.
func (o *ResourceStatusCollector) Listen(eventChannel <-chan event.Event) <-chan ListenerResult {
	return o.ListenWithObserver(eventChannel, nil)
}

// ListenWithObserver is [ResourceStatusCollector.Listen] with an observer, which may be nil.
func (o *ResourceStatusCollector) ListenWithObserver(eventChannel <-chan event.Event, observer Observer) <-chan ListenerResult {
	results := make(chan ListenerResult)
	go func() {
		defer close(results)
		for e := range eventChannel {
			if err := o.store(e); err != nil {
				results <- ListenerResult{Err: err}
			}
			if observer != nil {
				observer.Notify(o, e)
			}
		}
	}()
	return results
}

// store stores an event, and returns the error of an ErrorEvent.
func (o *ResourceStatusCollector) store(e event.Event) error {
	o.mux.Lock()
	defer o.mux.Unlock()
	o.LastEventType = e.Type
	switch e.Type {
	case event.ErrorEvent:
		o.Error = e.Error
		return e.Error
	case event.ResourceUpdateEvent:
		o.ResourceStatuses[e.Resource.Identifier] = e.Resource
	}
	return nil
}

// An Observation is what a collector knew at one time.
type Observation struct {
	LastEventType    event.Type
	ResourceStatuses []*event.ResourceStatus // sorted by namespace, group, kind and name
	Error            error
}

// LatestObservation returns what the collector knows.
func (o *ResourceStatusCollector) LatestObservation() *Observation {
	o.mux.RLock()
	defer o.mux.RUnlock()
	var statuses event.ResourceStatuses
	for _, rs := range o.ResourceStatuses {
		statuses = append(statuses, rs)
	}
	sort.Sort(statuses)
	return &Observation{LastEventType: o.LastEventType, ResourceStatuses: statuses, Error: o.Error}
}

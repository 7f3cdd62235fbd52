package collector_test

import (
	"errors"
	"slices"
	"testing"

	"kstatus.dev/dropin/pkg/kstatus/polling/collector"
	"kstatus.dev/dropin/pkg/kstatus/polling/event"
	"kstatus.dev/dropin/pkg/kstatus/status"
	"kstatus.dev/dropin/pkg/object"
)

func TestCollectorKeepsTheLatestStatus(t *testing.T) {
	a, b := object.ObjMetadata{Name: "a"}, object.ObjMetadata{Name: "b"}
	c := collector.NewResourceStatusCollector(object.ObjMetadataSet{b, a})
	var notified []event.Type
	events := make(chan event.Event)
	results := c.ListenWithObserver(events, collector.ObserverFunc(func(c *collector.ResourceStatusCollector, e event.Event) {
		if e.Type == event.ResourceUpdateEvent && c.ResourceStatuses[e.Resource.Identifier] != e.Resource {
			t.Error("the observer is called before the event is stored")
		}
		notified = append(notified, e.Type)
	}))
	broken := errors.New("broken")
	go func() {
		events <- event.Event{Type: event.ResourceUpdateEvent, Resource: &event.ResourceStatus{Identifier: b, Status: status.InProgressStatus}}
		events <- event.Event{Type: event.SyncEvent}
		events <- event.Event{Type: event.ResourceUpdateEvent, Resource: &event.ResourceStatus{Identifier: b, Status: status.CurrentStatus}}
		events <- event.Event{Type: event.ErrorEvent, Error: broken}
		close(events)
	}()
	if r := <-results; r.Err != broken {
		t.Errorf("the result has the error %v, want %v", r.Err, broken)
	}
	if _, open := <-results; open {
		t.Error("the channel of results is open after that of events")
	}
	want := []event.Type{event.ResourceUpdateEvent, event.SyncEvent, event.ResourceUpdateEvent, event.ErrorEvent}
	if !slices.Equal(notified, want) {
		t.Errorf("the observer has seen %v, want %v", notified, want)
	}
	o := c.LatestObservation()
	if o.Error != broken || o.LastEventType != event.ErrorEvent || len(o.ResourceStatuses) != 2 ||
		o.ResourceStatuses[0].Status != status.UnknownStatus || o.ResourceStatuses[1].Status != status.CurrentStatus {
		t.Errorf("latest observation: %+v", o)
	}
}

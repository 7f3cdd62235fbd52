// Package event has the events that pollers and watchers send.
package event

import (
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kstatus.dev/dropin/pkg/kstatus/status"
	"kstatus.dev/dropin/pkg/object"
)

// A Type is the type of an event.
type Type int

// The types of events.
const (
	// ResourceUpdateEvent: the status of a target has been computed.
	ResourceUpdateEvent Type = iota
	// ErrorEvent: an error ended the watch or the poll. It is the last event.
	ErrorEvent
	// SyncEvent: the targets that exist have been seen, and later changes will be.
	SyncEvent
)

// String returns the name of the type.
func (i Type) String() string {
	switch i {
	case ResourceUpdateEvent:
		return "Update"
	case ErrorEvent:
		return "Error"
	case SyncEvent:
		return "Sync"
	}
	return fmt.Sprintf("Type(%d)", int(i))
}

// An Event is a message of a poller or a watcher.
type Event struct {
	Type     Type
	Resource *ResourceStatus // of a ResourceUpdateEvent
	Error    error           // of an ErrorEvent
}

// String returns the event for a log.
func (e Event) String() string {
	if e.Error != nil {
		return fmt.Sprintf("Event{ Type: %q, Resource: %v, Error: %q }", e.Type, e.Resource, e.Error)
	}
	return fmt.Sprintf("Event{ Type: %q, Resource: %v }", e.Type, e.Resource)
}

// A ResourceStatus is the status of one target.
type ResourceStatus struct {
	Identifier         object.ObjMetadata
	Status             status.Status
	Resource           *unstructured.Unstructured // the object; nil if it was not read
	Error              error                      // why the object was not read or judged
	Message            string
	GeneratedResources ResourceStatuses // of the objects that its controller made
}

// String returns the status for a log.
func (rs ResourceStatus) String() string {
	s := fmt.Sprintf("ResourceStatus{ Identifier: %q, Status: %q, Message: %q, Resource: %v, GeneratedResources: %v",
		rs.Identifier, rs.Status, rs.Message, rs.Resource, rs.GeneratedResources)
	if rs.Error != nil {
		return s + fmt.Sprintf(", Error: %q }", rs.Error)
	}
	return s + " }"
}

// ResourceStatuses sorts by namespace, group, kind and name.
type ResourceStatuses []*ResourceStatus

// Len is that of [sort.Interface].
func (g ResourceStatuses) Len() int { return len(g) }

// Less is that of [sort.Interface].
func (g ResourceStatuses) Less(i, j int) bool {
	a, b := g[i].Identifier, g[j].Identifier
	switch {
	case a.Namespace != b.Namespace:
		return a.Namespace < b.Namespace
	case a.GroupKind.Group != b.GroupKind.Group:
		return a.GroupKind.Group < b.GroupKind.Group
	case a.GroupKind.Kind != b.GroupKind.Kind:
		return a.GroupKind.Kind < b.GroupKind.Kind
	}
	return a.Name < b.Name
}

// Swap is that of [sort.Interface].
func (g ResourceStatuses) Swap(i, j int) { g[i], g[j] = g[j], g[i] }

// ResourceStatusEqual reports whether two statuses of a target are equal. It compares identifiers,
// statuses, messages, generations and the texts of errors, also those of the generated resources.
// Other changes of the object do not count.
func ResourceStatusEqual(or1, or2 *ResourceStatus) bool {
	if or1.Identifier != or2.Identifier || or1.Status != or2.Status || or1.Message != or2.Message ||
		generation(or1) != generation(or2) || !sameError(or1.Error, or2.Error) ||
		len(or1.GeneratedResources) != len(or2.GeneratedResources) {
		return false
	}
	for i := range or1.GeneratedResources {
		if !ResourceStatusEqual(or1.GeneratedResources[i], or2.GeneratedResources[i]) {
			return false
		}
	}
	return true
}

func generation(r *ResourceStatus) int64 {
	if r.Resource == nil {
		return 0
	}
	return r.Resource.GetGeneration()
}

func sameError(a, b error) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return a.Error() == b.Error()
}

package session

import (
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kstatus.dev/dropin/pkg/kstatus/polling/event"
	"kstatus.dev/dropin/pkg/kstatus/status"
	"kstatus.dev/internal/condition"
	"kstatus.dev/internal/decoded"
)

var (
	jobKind = schema.GroupKind{Group: "batch", Kind: "Job"}
	podKind = schema.GroupKind{Kind: "Pod"}
)

// An ending is what is known of a Job or a Pod that runs to completion.
type ending struct {
	succeeded  bool      // its last state
	completed  bool      // it had succeeded before it was being deleted
	foreground bool      // it was deleted in the foreground
	expires    time.Time // when the TTL controller deletes it; zero: never
	deleted    time.Time // when its deletion began
	message    string    // of its last status
}

// see records a state.
func (e *ending) see(u *unstructured.Unstructured) {
	switch u.GroupVersionKind().GroupKind() {
	case jobKind:
		e.succeeded = condition.Is(u.Object, "Complete", condition.True)
		ttl, found, err := unstructured.NestedInt64(u.Object, "spec", "ttlSecondsAfterFinished")
		at, ok := completionTime(u)
		if found && err == nil && ok {
			e.expires = at.Add(time.Duration(ttl) * time.Second)
		}
	case podKind:
		phase := decoded.Text(u.Object, "status", "phase")
		e.succeeded = phase == "Succeeded"
	default:
		return
	}
	d := u.GetDeletionTimestamp()
	if d == nil {
		e.completed = e.completed || e.succeeded
		return
	}
	e.deleted = d.Time
	e.foreground = e.foreground || slices.Contains(u.GetFinalizers(), metav1.FinalizerDeleteDependents)
}

// judge records a status.
func (e *ending) judge(rs *event.ResourceStatus) {
	if rs.Status == status.CurrentStatus {
		e.message = rs.Message
	}
}

func completionTime(u *unstructured.Unstructured) (time.Time, bool) {
	text, _, err := unstructured.NestedString(u.Object, "status", "completionTime")
	if err != nil {
		return time.Time{}, false
	}
	at, err := time.Parse(time.RFC3339, text)
	return at, err == nil
}

// goneStatus returns the status of an object that has been deleted: NotFound, or Current for an
// object that had succeeded. It is Current only if the caller waits for Current, or if the TTL
// controller has deleted the object. A caller that deletes objects waits for NotFound.
func (s *Session) goneStatus(t *target, last *unstructured.Unstructured) *event.ResourceStatus {
	e := &t.ending
	byTTL := e.completed && e.foreground && !e.expires.IsZero() && !e.deleted.Before(e.expires)
	if !s.right() || last == nil || !e.succeeded || s.Goal != status.CurrentStatus && !byTTL {
		return notFound(t.id)
	}
	message := e.message
	if message == "" {
		message = t.id.GroupKind.Kind + " has succeeded and was then deleted"
	}
	return &event.ResourceStatus{Identifier: t.id, Status: status.CurrentStatus, Resource: last, Message: message}
}

package provider

import (
	"fmt"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"kstatus.dev/author/audit"
)

// A life is the audit of one object. The test decides how much time passes between its events, so
// that it need not wait for the limits of rules.
type life struct {
	auditor *audit.Auditor

	mu    sync.Mutex // guards the fields below, and the auditor
	ahead time.Duration
	seen  map[string]map[string]any // the versions that the audit has read, by their resourceVersions
	gone  bool
	// times are the times of transitions for the audit. The audit may read an older version after a
	// newer one, so all of them are kept.
	times map[transition]string
}

// A transition is a change of a condition, with its time in the object.
type transition struct {
	of, status, at string
}

func newLife(o audit.Options) *life {
	return &life{auditor: audit.New(o), seen: map[string]map[string]any{}, times: map[transition]string{}}
}

// add audits a write.
func (l *life) add(write audit.Write) {
	l.mu.Lock()
	defer l.mu.Unlock()
	version := (&unstructured.Unstructured{Object: write.Object}).GetResourceVersion()
	if l.seen[version] == nil {
		l.seen[version] = l.delayTimes(write.Object)
	}
	l.gone = l.gone || write.Type == audit.WriteDeleted
	write.Time, write.Object = write.Time.Add(l.ahead), runtime.DeepCopyJSON(l.seen[version])
	l.auditor.Add(write)
}

// delayTimes returns a copy of an object with later times.
func (l *life) delayTimes(obj map[string]any) map[string]any {
	obj = runtime.DeepCopyJSON(obj)
	metadata, _ := obj["metadata"].(map[string]any)
	l.delay(metadata, "deletionTimestamp", "", nil)
	status, _ := obj["status"].(map[string]any)
	conditions, _ := status["conditions"].([]any)
	for _, item := range conditions {
		c, _ := item.(map[string]any)
		l.delay(c, "lastTransitionTime", fmt.Sprint(c["type"]), c["status"])
	}
	return obj
}

// delay makes the time of a transition later, as far as the life was ahead at the transition.
func (l *life) delay(in map[string]any, field, of string, status any) {
	text, _ := in[field].(string)
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return // missing, or a mistake
	}
	key := transition{of, fmt.Sprint(status), text}
	if l.times[key] == "" {
		l.times[key] = at.Add(l.ahead).Format(time.RFC3339)
	}
	in[field] = l.times[key]
}

// advance makes later writes later by d.
func (l *life) advance(d time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ahead += d
	l.auditor.Add(audit.Write{Type: audit.WriteTick, Time: time.Now().Add(l.ahead)})
}

func (l *life) hasSeen(version string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.seen[version] != nil
}

func (l *life) isGone() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.gone
}

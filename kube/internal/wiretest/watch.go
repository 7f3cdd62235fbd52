package wiretest

import (
	"encoding/json"
	"net/http"
	"strconv"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
)

// watch answers with the changes since a version, and goes x.
func (s *Server) watch(x exchange) {
	s.mu.Lock()
	events, next := s.first(x)
	from, _ := strconv.Atoi(x.request.Version)
	ends, over := len(s.ends), make(<-chan time.Time)
	s.mu.Unlock()
	if seconds, err := strconv.Atoi(x.r.URL.Query().Get("timeoutSeconds")); err == nil {
		timer := time.NewTimer(time.Duration(seconds) * time.Second)
		defer timer.Stop()
		over = timer.C
	}
	x.w.WriteHeader(http.StatusOK)
	for {
		for _, e := range events {
			x.w.Write(x.line(e))
		}
		http.NewResponseController(x.w).Flush()
		if x.reply.End != Complete {
			x.endWatch(x.reply.End)
			return
		}
		s.mu.Lock()
		changed, ended := s.changed, s.ends[ends:]
		events = nil
		for _, c := range s.history[min(next, len(s.history)):] {
			if c.version == 0 || c.version > from { // a watch from the future waits for it
				events = append(events, x.seen(c)...)
			}
		}
		next = len(s.history)
		s.mu.Unlock()
		if len(ended) > 0 {
			x.endWatch(ended[0])
			return
		}
		if len(events) > 0 {
			continue
		}
		select {
		case <-changed:
		case <-over:
			return
		case <-x.r.Context().Done():
			return
		}
	}
}

// first returns what a watch begins with, and where in the history it goes x.
// The caller holds mu.
func (s *Server) first(x exchange) (events []Event, next int) {
	at, _ := strconv.Atoi(x.request.Version)
	switch {
	case x.reply.Events != nil:
		return x.reply.Events, len(s.history)
	case x.request.Streamed:
		for _, u := range s.selected(x.resource, x.request) {
			events = append(events, Event{Type: watch.Added, Object: u})
		}
		return append(events, Event{Type: watch.Bookmark, Version: strconv.Itoa(s.version), Code: endOfList}), len(s.history)
	case at < s.compacted:
		return []Event{{Type: watch.Error, Code: http.StatusGone, Reason: metav1.StatusReasonExpired}}, len(s.history)
	}
	for i, c := range s.history {
		if c.version > at {
			return nil, i
		}
	}
	return nil, len(s.history)
}

// The code of the bookmark that ends a streamed list.
const endOfList = -1

// EndOfList is the bookmark that ends a streamed list at a version.
func EndOfList(version string) Event {
	return Event{Type: watch.Bookmark, Version: version, Code: endOfList}
}

// seen returns the events that a change is for the watch. An object that becomes
// selected is added, and one that is no longer selected is deleted.
func (x exchange) seen(c change) []Event {
	e := c.event
	if e.Object == nil {
		return []Event{e}
	}
	if kind := e.Object.GroupVersionKind(); kind.Group != x.resource.Group || kind.Kind != x.resource.Kind {
		return nil
	}
	was, is := x.request.selects(c.before), x.request.selects(e.Object)
	switch {
	case c.version == 0 && is:
		return []Event{e}
	case e.Type == watch.Deleted && was, is && was:
		return []Event{e}
	case e.Type != watch.Deleted && is:
		return []Event{{Type: watch.Added, Object: e.Object}}
	case was:
		return []Event{{Type: watch.Deleted, Object: e.Object}}
	}
	return nil
}

// line returns an event as a line of JSON.
func (x exchange) line(e Event) []byte {
	var object any
	switch {
	case e.Object != nil:
		object = x.visible(e.Object)
	case e.Type == watch.Bookmark:
		meta := map[string]any{"resourceVersion": e.Version}
		if e.Code == endOfList {
			meta["annotations"] = map[string]any{metav1.InitialEventsAnnotationKey: "true"}
		}
		bookmark := map[string]any{"kind": x.resource.Kind, "apiVersion": x.resource.Version, "metadata": meta}
		if x.resource.Group != "" {
			bookmark["apiVersion"] = x.resource.Group + "/" + x.resource.Version
		}
		if x.request.Metadata {
			bookmark["kind"], bookmark["apiVersion"] = "PartialObjectMetadata", "meta.k8s.io/v1"
		}
		object = bookmark
	default:
		status := x.status(e.Code, e.Reason)
		status.Details.RetryAfterSeconds = int32(e.RetryAfter)
		object = status
	}
	data, err := json.Marshal(map[string]any{"type": e.Type, "object": object})
	if err != nil {
		panic(err)
	}
	return append(data, '\n')
}

// endWatch ends a watch. One that is cut ends in the middle of an event.
func (x exchange) endWatch(how End) {
	if how == Cut {
		x.w.Write([]byte(`{"type":"MODIFIED","object":{"kind":"` + x.resource.Kind + `","metadata":{"na`))
	}
	x.end(how)
}

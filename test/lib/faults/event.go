package faults

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"mime"
	"strings"
	"time"
)

// An Event is an event of a watch.
type Event struct {
	Type            string // ADDED, MODIFIED, DELETED, BOOKMARK or ERROR
	Namespace, Name string
	ResourceVersion string
	Initial         bool // it is part of the initial list, like the bookmark after those

	raw         []byte
	endsInitial bool
	kind        struct{ APIVersion, Kind string }
}

// parse reads an event in JSON. An invalid event is forwarded unchanged.
func parse(raw []byte) Event {
	var e struct {
		Type   string
		Object struct {
			APIVersion, Kind string
			Metadata         struct {
				Namespace, Name, ResourceVersion string
				Annotations                      map[string]string
			}
		}
	}
	if json.Unmarshal(raw, &e) != nil {
		return Event{raw: raw}
	}
	m := e.Object.Metadata
	out := Event{Type: e.Type, Namespace: m.Namespace, Name: m.Name, ResourceVersion: m.ResourceVersion, raw: raw}
	out.endsInitial = e.Type == "BOOKMARK" && m.Annotations["k8s.io/initial-events-end"] == "true"
	out.kind.APIVersion, out.kind.Kind = e.Object.APIVersion, e.Object.Kind
	return out
}

// bookmark returns an event with only the latest resource version.
func (e Event) bookmark() Event {
	raw, _ := json.Marshal(map[string]any{"type": "BOOKMARK", "object": map[string]any{
		"apiVersion": e.kind.APIVersion, "kind": e.kind.Kind,
		"metadata": map[string]any{"resourceVersion": e.ResourceVersion, "creationTimestamp": nil},
	}}) // strings only
	return Event{Type: "BOOKMARK", ResourceVersion: e.ResourceVersion, raw: append(raw, '\n')}
}

// A frame is one piece of a watch as received: an event, if it is JSON.
type frame struct {
	raw []byte
	at  time.Time
	err error // the error at the end; then the other fields are empty
}

// read splits a watch into frames.
func read(ctx context.Context, body io.Reader, parsed bool, frames chan<- frame) {
	next := func() ([]byte, error) {
		raw := make([]byte, 4<<10)
		n, err := body.Read(raw)
		if n > 0 {
			err = nil
		}
		return raw[:n], err
	}
	if parsed {
		decoder := json.NewDecoder(body)
		next = func() ([]byte, error) {
			var raw json.RawMessage
			err := decoder.Decode(&raw)
			return append(raw, '\n'), err
		}
	}
	for {
		raw, err := next()
		f := frame{raw, time.Now(), err}
		select {
		case frames <- f:
		case <-ctx.Done():
			return
		}
		if err != nil {
			return
		}
	}
}

// onlyJSON restricts the Accept header of a client to JSON, in the same form.
func onlyJSON(accept string) string {
	var kept []string
	for kind := range strings.SplitSeq(accept, ",") {
		if media, _, _ := mime.ParseMediaType(kind); media == "application/json" {
			kept = append(kept, strings.TrimSpace(kind))
		}
	}
	return cmp.Or(strings.Join(kept, ","), "application/json")
}

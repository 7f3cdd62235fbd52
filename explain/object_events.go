package explain

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"kstatus.dev/explain/internal/fields"
	"kstatus.dev/explain/internal/show"
	"kstatus.dev/internal/duration"
	"kstatus.dev/status"
)

// EventFromObject reads an Event of the core group or of events.k8s.io. It returns false
// if the object is not an Event.
func EventFromObject(obj status.Object) (e Event, ok bool) {
	f := fields.Section{Map: obj.UnstructuredContent()}
	group, _, _ := strings.Cut(f.Text("apiVersion"), "/")
	if f.Text("kind") != "Event" || group != "v1" && group != "events.k8s.io" {
		return e, false
	}
	about := f.Under("involvedObject")
	if f.Has("regarding") {
		about = f.Under("regarding")
	}
	e = Event{
		About: status.ID{Kind: status.Kind{Group: groupOf(about.Text("apiVersion")), Kind: about.Text("kind")}, Namespace: about.Text("namespace"), Name: about.Text("name")},
		UID:   about.Text("uid"), Path: about.Text("fieldPath"),
		Type: f.Text("type"), Reason: f.Text("reason"), Message: f.Text("message") + f.Text("note"), Count: 1,
		From: cmp.Or(f.Text("reportingComponent"), f.Text("reportingController"), f.Text("source.component"), f.Text("deprecatedSource.component")),
	}
	for _, at := range [...]string{"series.count", "count", "deprecatedCount"} {
		e.Count = max(e.Count, f.Int(at, 1))
	}
	e.First = timeOf(cmp.Or(f.Text("firstTimestamp"), f.Text("deprecatedFirstTimestamp"), f.Text("eventTime"), f.Text("metadata.creationTimestamp")))
	e.Last = timeOf(cmp.Or(f.Text("series.lastObservedTime"), f.Text("lastTimestamp"), f.Text("deprecatedLastTimestamp"), f.Text("eventTime"), f.Text("metadata.creationTimestamp")))
	return e, true
}

// groupOf returns the group of an apiVersion, empty for the core group.
func groupOf(apiVersion string) string {
	group, _, ok := strings.Cut(apiVersion, "/")
	if !ok {
		return ""
	}
	return group
}

func timeOf(text string) time.Time {
	t, _ := time.Parse(time.RFC3339, text)
	return t
}

// eventsWith returns the events about an object with one of the reasons, the latest first.
func (o *object) eventsWith(reasons ...string) []Event { return withReasons(o.events, reasons) }

func withReasons(events []Event, reasons []string) (all []Event) {
	for _, e := range events {
		if slices.Contains(reasons, e.Reason) {
			all = append(all, e)
		}
	}
	return all
}

// lastEvent returns the latest event about an object with one of the reasons.
func (o *object) lastEvent(reasons ...string) (e Event, ok bool) {
	if all := o.eventsWith(reasons...); len(all) > 0 {
		return all[0], true
	}
	return e, false
}

// warningEvidence returns the warning events about an object as evidence, the latest
// first.
func (o *object) warningEvidence() (all []Evidence) {
	for _, e := range o.events {
		if e.Type == "Warning" {
			all = append(all, o.eventEvidence(e))
		}
	}
	return all
}

// eventEvidence returns an event as evidence: "Warning BackOff (x11 in 2m) Back-off …".
func (o *object) eventEvidence(e Event) Evidence {
	times := ""
	if e.Count > 1 {
		times = fmt.Sprintf(" (x%d", e.Count)
		if d := e.Last.Sub(e.First); d >= time.Second {
			times += " in " + duration.Rough(d)
		}
		times += ")"
	}
	return Evidence{From: OriginEvent, Object: o.ID, Value: show.Line(e.Type + " " + e.Reason + times + " " + e.Message)}
}

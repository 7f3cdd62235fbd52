package main

import (
	"time"

	recordtext "kstatus.dev/cmd/kstatus/internal/record"
	"kstatus.dev/explain"
	"kstatus.dev/internal/text"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// The lines of a record are those of -o json, with what is needed besides to show
// the run again, and some of their own. Their times have all digits.

// A recordStart opens a record.
type recordStart struct {
	startLine
	Record recordHead `json:"record"`
}

// A recordHead is what text says of a run at its beginning.
type recordHead struct {
	Of         string          `json:"of"`      // the command: wait, get or explain
	Version    string          `json:"version"` // of the program
	Subject    string          `json:"subject,omitempty"`
	Names      []string        `json:"names,omitempty"`
	Namespaces []string        `json:"namespaces,omitempty"`
	Contexts   []string        `json:"contexts,omitempty"`
	Goals      []string        `json:"goals,omitempty"`    // of all objects
	Scoped     []string        `json:"scoped,omitempty"`   // SEL:GOAL
	Timeouts   []recordTimeout `json:"timeouts,omitempty"` // in the order in which they were given
}

type recordTimeout struct {
	Sel     string `json:"sel"`
	Timeout string `json:"timeout"`
}

// A targetLine is something that is waited for.
type targetLine struct {
	V         int       `json:"v"`
	Type      string    `json:"type"` // "target"
	Time      string    `json:"time"`
	ID        identity  `json:"id"`
	Selection *matching `json:"selection,omitempty"`
	Source    *source   `json:"source,omitempty"`
	Goals     []string  `json:"goals,omitempty"` // its own
}

// A markLine says that something has happened that is about no object: "known",
// that all targets have been told, or "tick", that it was said what is waited for.
type markLine struct {
	V       int    `json:"v"`
	Type    string `json:"type"`
	Time    string `json:"time"`
	Targets *int   `json:"targets,omitempty"` // for known: how many there are
	Synced  bool   `json:"synced,omitempty"`
}

// A recordLine is the line about an object.
type recordLine struct {
	waitLine
	Standing    observe.Standing `json:"standing,omitempty"`
	Since       string           `json:"since,omitempty"`
	Created     string           `json:"created,omitempty"`
	UID         string           `json:"uid,omitempty"`
	Replaced    string           `json:"replaced,omitempty"`
	Synced      bool             `json:"synced,omitempty"`
	Unreachable string           `json:"unreachable,omitempty"`
	Parts       *status.Parts    `json:"parts,omitempty"` // the problem that the message ends with
	Usual       string           `json:"usual,omitempty"` // how long it takes usually, if that was known
	Final       bool             `json:"final,omitempty"` // it comes instead of changes that have been left out
}

// A recordResult closes a record.
type recordResult struct {
	resultLine
	Cut   bool   `json:"cut,omitempty"`  // it was over before all was decided
	Left  int    `json:"left,omitempty"` // how many changes have been left out
	Error string `json:"error,omitempty"`
}

// exactly returns a time as records have it, empty for none.
func exactly(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339Nano)
}

// timeOf reads a time of a record, zero for none.
func timeOf(text string) time.Time {
	t, _ := time.Parse(time.RFC3339, text)
	return t
}

// mostSaid is how many bytes a record keeps of one text.
const mostSaid = 4096 + len(text.Ellipsis)

// said returns a text as a record keeps it: cut where it is long, and without secrets.
func said(s string) string { return explain.Redacted(text.Cut(s, mostSaid)) }

// said returns a line as a record keeps it.
func (l objectLine) said() objectLine {
	l.Message, l.Error = said(l.Message), said(l.Error)
	l.Warnings = sayings(l.Warnings)
	kept := make([]evidence, len(l.Evidence))
	for i, e := range l.Evidence {
		if text, ok := e.Value.(string); ok {
			e.Value = said(text)
		}
		kept[i] = e
	}
	l.Evidence = kept
	if l.Source != nil {
		l.Source = &source{File: redactURL(l.Source.File), Line: l.Source.Line}
	}
	return l
}

func sayings(texts []string) (all []string) {
	for _, text := range texts {
		all = append(all, said(text))
	}
	return all
}

// recordLineOf returns the line about an update.
func recordLineOf(u observe.Update, at time.Time, from *source) recordLine {
	line := recordLine{
		waitLine: waitLineOf(u, at, from),
		Standing: u.Standing, Since: exactly(u.Since), UID: u.Version.UID, Replaced: u.Version.Replaced, Synced: u.Synced,
	}
	line.objectLine = line.objectLine.said()
	line.Parts = recordtext.PartsOf(u.Parts, line.Message)
	line.Time, line.FailsAt, line.StaleSince, line.Wants = exactly(at), exactly(u.FailsAt), exactly(u.Stale), said(u.Wants)
	if u.Version.Created != 0 {
		line.Created = exactly(time.Unix(u.Version.Created, 0))
	}
	if u.Err != nil {
		line.Unreachable = said(u.Err.Error())
	}
	return line
}

// update returns the update that a line is about.
func (l recordLine) update() observe.Update {
	message, parts := recordtext.SplitMessage(l.Message, l.Parts)
	u := observe.Update{
		Target:  l.target(),
		Parts:   parts,
		Version: observe.Version{UID: l.UID, Replaced: l.Replaced},
		Result: status.Result{
			Status: l.Status, Reason: l.Reason, Message: message, Failure: l.Failure, Suspended: l.Suspended,
			Confidence: l.Confidence, Rule: l.Rule, Warnings: l.Warnings,
		},
		Previous: l.Previous, Since: timeOf(l.Since), Standing: l.stands(), Wants: l.Wants, FailsAt: timeOf(l.FailsAt),
		Synced: l.Synced, Stale: timeOf(l.StaleSince), Left: l.Left,
	}
	if created := timeOf(l.Created); !created.IsZero() {
		u.Version.Created = created.Unix()
	}
	if l.Generation != nil {
		u.Version.Generation = *l.Generation
	}
	if l.ObservedGeneration != nil {
		u.Version.Observed = *l.ObservedGeneration
	}
	if l.Unreachable != "" {
		u.Err = unreachable(l.Unreachable)
	}
	for _, e := range l.Evidence {
		u.Reads = append(u.Reads, status.Read(e))
	}
	return u
}

// An unreachable is why something could not be looked at when it was recorded.
type unreachable string

func (e unreachable) Error() string { return string(e) }

func (l recordLine) target() observe.Target {
	return recordedTarget(l.ID, l.Selection)
}

func recordedTarget(id identity, m *matching) observe.Target {
	t := observe.Target{
		Kind: status.Kind{Group: id.Group, Kind: id.Kind}, Namespace: id.Namespace, Name: id.Name, Cluster: id.Cluster,
	}
	if m != nil {
		t.Match = observe.Matching(m.Labels, m.Fields)
	}
	return t
}

// stands returns where the object stands, which lines of -o json tell as well.
func (l recordLine) stands() observe.Standing {
	switch {
	case l.Standing != "":
		return l.Standing
	case l.Met:
		return observe.Met
	case l.Ignored, l.Left:
		return observe.Ignored
	case l.Late:
		return observe.Late
	case l.Failing:
		return observe.Failing
	case l.Reason == "Forbidden":
		return observe.Barred
	case l.Status == status.FailedStatus:
		return observe.Failed
	case l.Status == status.NotFoundStatus:
		return observe.Missing
	}
	return observe.Open
}

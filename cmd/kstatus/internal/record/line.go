package record

import (
	"time"

	"kstatus.dev/cmd/kstatus/internal/manifest"
	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// The lines of a record are those of -o json with additional fields for a replay, and some
// further types of lines. Their times have full precision.

// A startLine is the first line of a record.
type startLine struct {
	output.Start
	Record header `json:"record"`
}

// A header holds the data for the beginning of a replay.
type header struct {
	Of         string          `json:"of"`      // the command: wait, get or explain
	Version    string          `json:"version"` // of kstatus
	Subject    string          `json:"subject,omitempty"`
	Names      []string        `json:"names,omitempty"`
	Namespaces []string        `json:"namespaces,omitempty"`
	Contexts   []string        `json:"contexts,omitempty"`
	Goals      []string        `json:"goals,omitempty"`    // of all objects
	Scoped     []string        `json:"scoped,omitempty"`   // SEL:GOAL
	Timeouts   []scopedTimeout `json:"timeouts,omitempty"` // in the order of the command line
}

// A scopedTimeout is the timeout of the objects that a SEL matches.
type scopedTimeout struct {
	Sel     string `json:"sel"`
	Timeout string `json:"timeout"`
}

// A targetLine is the line about a target.
type targetLine struct {
	V         int              `json:"v"`
	Type      string           `json:"type"` // "target"
	Time      string           `json:"time"`
	ID        status.ID        `json:"id"`
	Selection *output.Matching `json:"selection,omitempty"`
	Source    *manifest.Source `json:"source,omitempty"`
	Goals     []string         `json:"goals,omitempty"` // of this target only
}

// A markLine is an event without an object. "known" means that all targets are known. "tick"
// means that a heartbeat was printed.
type markLine struct {
	V       int    `json:"v"`
	Type    string `json:"type"`
	Time    string `json:"time"`
	Targets *int   `json:"targets,omitempty"` // for known: the number of targets
	Synced  bool   `json:"synced,omitempty"`
}

// An updateLine is the line about an update.
type updateLine struct {
	output.Update
	Standing    observe.Progress `json:"standing,omitempty"`
	Since       string           `json:"since,omitempty"`
	Created     string           `json:"created,omitempty"`
	UID         string           `json:"uid,omitempty"`
	Replaced    string           `json:"replaced,omitempty"`
	Synced      bool             `json:"synced,omitempty"`
	Unreachable string           `json:"unreachable,omitempty"`
	Own         string           `json:"own,omitempty"`   // the message without the problem of the parts, if there is one
	Parts       *status.Parts    `json:"parts,omitempty"` // the problem that the message ends with
	Usual       string           `json:"usual,omitempty"` // its usual duration, if it was known
	Final       bool             `json:"final,omitempty"` // it replaces omitted changes
}

// A resultLine is the last line of a record.
type resultLine struct {
	output.Result
	Cut   bool   `json:"cut,omitempty"`  // the wait ended before all objects were decided
	Left  int    `json:"left,omitempty"` // the number of omitted changes
	Error string `json:"error,omitempty"`
}

// newUpdateLine returns the line about an update.
func newUpdateLine(u observe.Update, at time.Time, from *manifest.Source) updateLine {
	u = output.RedactUpdate(u)
	line := updateLine{
		Update:   output.UpdateOf(u, at, from),
		Standing: u.Progress, Since: output.FormatExactTime(u.Since), UID: u.Version.UID, Replaced: u.Version.ReplacedUID, Synced: u.Synced,
	}
	line.Object = line.Object.Redact()
	line.setParts(u.Result.Message, u.Parts)
	line.Time, line.FailsAt, line.StaleSince, line.Wants = output.FormatExactTime(at), output.FormatExactTime(u.FailsAt), output.FormatExactTime(u.StaleSince), output.RedactText(u.Unmet)
	if u.Version.Created != 0 {
		line.Created = output.FormatExactTime(time.Unix(u.Version.Created, 0))
	}
	if u.Err != nil {
		line.Unreachable = output.RedactText(u.Err.Error())
	}
	return line
}

// update returns the update of a line.
func (l updateLine) update() observe.Update {
	message, parts := l.split()
	u := observe.Update{
		Target:   l.target(),
		Parts:    parts,
		Version:  observe.Version{UID: l.UID, ReplacedUID: l.Replaced},
		Result:   l.Object.Result,
		Previous: l.Previous, Since: output.ParseTime(l.Since), Progress: l.progress(), Unmet: l.Wants, FailsAt: output.ParseTime(l.FailsAt),
		Synced: l.Synced, StaleSince: output.ParseTime(l.StaleSince), Removed: l.Left,
	}
	u.Result.Message = message
	if created := output.ParseTime(l.Created); !created.IsZero() {
		u.Version.Created = created.Unix()
	}
	if l.Generation != nil {
		u.Version.Generation = *l.Generation
	}
	if l.ObservedGeneration != nil {
		u.Version.ObservedGeneration = *l.ObservedGeneration
	}
	if l.Unreachable != "" {
		u.Err = unreachable(l.Unreachable)
	}
	if len(l.Evidence) > 0 {
		u.Evidence = l.Evidence
	}
	return u
}

// An unreachable is the recorded error of an object that could not be read.
type unreachable string

// Error returns the recorded error.
func (e unreachable) Error() string { return string(e) }

func (l updateLine) target() observe.Target {
	return recordedTarget(l.ID, l.Selection)
}

func recordedTarget(id status.ID, m *output.Matching) observe.Target {
	t := observe.TargetOf(id)
	if m != nil {
		t.LabelSelector, t.FieldSelector = m.Labels, m.Fields
	}
	return t
}

// progress returns the progress of the object in the fields that -o json has too.
func (l updateLine) progress() observe.Progress {
	switch {
	case l.Standing != "":
		return l.Standing
	case l.Met:
		return observe.ProgressReached
	case l.Ignored, l.Left:
		return observe.ProgressIgnored
	case l.Late:
		return observe.ProgressTimedOut
	case l.Failing:
		return observe.ProgressFailing
	case l.Reason == status.ReasonForbidden:
		return observe.ProgressUnreadable
	case l.Status == status.FailedStatus:
		return observe.ProgressFailed
	case l.Status == status.NotFoundStatus:
		return observe.ProgressMissing
	}
	return observe.ProgressPending
}

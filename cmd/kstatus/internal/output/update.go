package output

import (
	"time"

	"kstatus.dev/cmd/kstatus/internal/manifest"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// An Update is the line about an object during a wait.
type Update struct {
	Object
	Selection  *Matching `json:"selection,omitempty"`  // set if the line is about a selection of objects.
	Failing    bool      `json:"failing,omitempty"`    // the object has a recoverable failure.
	FailsAt    string    `json:"failsAt,omitempty"`    // when it counts as failed.
	Met        bool      `json:"met"`                  // it meets the goals.
	Wants      string    `json:"wants,omitempty"`      // the values that unmet goals found.
	Ignored    bool      `json:"ignored,omitempty"`    // it is not waited for.
	Late       bool      `json:"late,omitempty"`       // its own timeout has passed.
	Left       bool      `json:"left,omitempty"`       // it has left its selection.
	Stale      bool      `json:"stale,omitempty"`      // it cannot be read; the verdict is older.
	StaleSince string    `json:"staleSince,omitempty"` // from when it could not be read.
}

// A Matching holds the selectors of a selection.
type Matching struct {
	Labels string `json:"labels"`
	Fields string `json:"fields"`
}

// UpdateOf returns the line about an update.
func UpdateOf(u observe.Update, at time.Time, from *manifest.Source) Update {
	line := Update{
		Object:  VerdictOf(u, at).Object,
		Failing: u.Progress == observe.ProgressFailing, FailsAt: formatOptionalTime(u.FailsAt),
		Met: u.Progress == observe.ProgressReached, Wants: u.Unmet,
		Ignored: u.Progress == observe.ProgressIgnored && !u.Removed, Late: u.Progress == observe.ProgressTimedOut, Left: u.Removed,
		Stale: !u.StaleSince.IsZero(), StaleSince: formatOptionalTime(u.StaleSince),
	}
	line.Source = from
	if u.Target.IsSelection() {
		line.Selection = &Matching{u.Target.LabelSelector, u.Target.FieldSelector}
	}
	return line
}

// formatOptionalTime returns a time in the form of a line, or an empty text for the zero time.
func formatOptionalTime(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return FormatTime(t)
}

// VerdictOf returns the verdict of an update.
func VerdictOf(u observe.Update, now time.Time) Verdict {
	v := Verdict{Object: Object{
		V: Version, Type: "object", Time: FormatTime(now), ID: u.Target.ID(), Previous: u.Previous,
		Result: u.Result, Evidence: evidenceOf(u.Evidence),
	}}
	v.setParts(u.Result.Message, u.Parts)
	if u.Version.Created != 0 {
		v.Created = time.Unix(u.Version.Created, 0)
	}
	if u.Version.Generation > 0 {
		v.Generation = new(u.Version.Generation)
	}
	if u.Version.ObservedGeneration > 0 {
		v.ObservedGeneration = new(u.Version.ObservedGeneration)
	}
	if v.Status == status.UnknownStatus {
		v.Error = v.Message
	}
	return v
}

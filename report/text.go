package report

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"kstatus.dev/internal/directive"
	"kstatus.dev/internal/duration"
	"kstatus.dev/internal/text"
	"kstatus.dev/observe"
	"kstatus.dev/redact"
	"kstatus.dev/status"
)

// cut shortens text of a cluster to a number of bytes. The result ends with the original length.
func cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return text.CutWith(s, most, fmt.Sprintf("%s (%d bytes)", text.Ellipsis, len(s)))
}

// redactedCut returns text of a cluster without secrets, shortened.
func redactedCut(s string, most int) string {
	const behind = 16 << 10 // bytes after the cut that may affect what is a secret before it
	redacted := redact.Text(text.Cut(s, most+behind))
	if len(redacted) <= most {
		return redacted
	}
	return text.CutWith(redacted, most, fmt.Sprintf("%s (%d bytes)", text.Ellipsis, len(s)))
}

// word returns the word for users: a recoverable failure is Failing, and a status without
// evidence is assumed.
func (v Verdict) word() string {
	switch {
	case v.isFailing():
		return "Failing"
	case v.Status == status.CurrentStatus && v.Confidence == status.ConfidenceAssumed:
		return "Current (assumed)"
	}
	return text.Safe(string(v.Status))
}

// text describes a verdict, without its word.
func (v Verdict) text() string {
	var parts []string
	if v.Message != "" {
		parts = append(parts, v.Message)
	}
	if v.Unmet != "" {
		parts = append(parts, v.Unmet)
	}
	switch v.Progress {
	case observe.ProgressTimedOut:
		parts = append(parts, "its own timeout has passed")
	case observe.ProgressIgnored:
		parts = append(parts, "ignored")
	}
	if !v.StaleSince.IsZero() {
		parts = append(parts, "not seen since "+v.StaleSince.Format(time.TimeOnly)+" UTC")
	}
	return text.Safe(strings.Join(parts, "; "))
}

// summaryWords are the words for the statuses in a summary, in order.
var summaryWords = []struct {
	status status.Status
	word   string
}{
	{status.CurrentStatus, "current"},
	{status.FailedStatus, "failed"},
	{"Failing", "failing"},
	{status.UnknownStatus, "unknown"},
	{status.TerminatingStatus, "terminating"},
	{status.InProgressStatus, "in progress"},
	{status.NotFoundStatus, "not found"},
}

// Summarize returns the non-zero counts by status as texts: "9 current", "1 failed". The status
// "Failing" is for objects that are InProgress and failing.
func Summarize(counts map[status.Status]int) (parts []string) {
	for _, w := range summaryWords {
		if n := counts[w.status]; n > 0 {
			parts = append(parts, strconv.Itoa(n)+" "+w.word)
		}
	}
	return parts
}

// summary counts the objects: "9 current, 1 failed, 2 ignored".
func (r *Run) summary() string {
	parts := Summarize(r.Result.Counts)
	if r.Result.Ignored > 0 {
		parts = append(parts, fmt.Sprintf("%d ignored", r.Result.Ignored))
	}
	if len(parts) == 0 {
		return "no objects"
	}
	return strings.Join(parts, ", ")
}

// notes returns the notes about the object's kstatus annotations.
func (o *Object) notes() (all []string) {
	for _, w := range o.Warnings {
		if directive.IsNote(w) {
			all = append(all, text.Safe(w))
		}
	}
	return all
}

// warning returns the warnings about a Current object as a sentence, empty if it has none or is
// ignored.
func (o *Object) warning() string {
	all := status.Result{Caveat: o.Caveat, Warnings: o.Warnings}.AllWarnings()
	if len(all) == 0 || !o.isCounted() || o.Status != status.CurrentStatus {
		return ""
	}
	return "current, but " + text.Safe(strings.Join(all, "; "))
}

// warnings returns the warnings about the objects, each with its object.
func (r *Run) warnings() (all []string) {
	for _, o := range r.Objects {
		if warning := o.warning(); warning != "" {
			all = append(all, text.Safe(o.String())+": "+warning)
		}
	}
	return all
}

// notes returns the notes about kstatus annotations, once for each kind of note, with its first
// object.
func (r *Run) notes() (all []string) {
	seen := map[string]bool{}
	for _, o := range r.Objects {
		for _, note := range o.notes() {
			if key := o.ID.Kind.String() + " " + note; !o.Removed && !seen[key] {
				seen[key] = true
				all = append(all, text.Safe(o.String())+": "+note)
			}
		}
	}
	return all
}

// clock returns the time since the start of the run as minutes and seconds.
func (r *Run) clock(t time.Time) string {
	return duration.Clock(t.Sub(r.Start.Time))
}

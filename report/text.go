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

// cut returns text of a cluster in at most so many bytes. Of one that is longer
// it says how long it was.
func cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return text.CutWith(s, most, fmt.Sprintf("%s (%d bytes)", text.Ellipsis, len(s)))
}

// redactedCut returns text of a cluster without what looks like a secret, and then cut.
func redactedCut(s string, most int) string {
	const behind = 16 << 10 // bytes behind the cut that may tell what is before it
	redacted := redact.Text(text.Cut(s, most+behind))
	if len(redacted) <= most {
		return redacted
	}
	return text.CutWith(redacted, most, fmt.Sprintf("%s (%d bytes)", text.Ellipsis, len(s)))
}

// word returns the word for people: what is wrong but may heal is Failing, and
// what nothing speaks for is assumed.
func (v Verdict) word() string {
	switch {
	case v.isFailing():
		return "Failing"
	case v.Status == status.CurrentStatus && v.Confidence == status.ConfidenceAssumed:
		return "Current (assumed)"
	}
	return text.Safe(string(v.Status))
}

// text returns what is to be said of a verdict besides its word.
func (v Verdict) text() string {
	var parts []string
	if v.Message != "" {
		parts = append(parts, v.Message)
	}
	if v.Unmet != "" {
		parts = append(parts, v.Unmet)
	}
	switch v.Standing {
	case observe.ProgressTimedOut:
		parts = append(parts, "its own timeout is over")
	case observe.ProgressIgnored:
		parts = append(parts, "ignored")
	}
	if !v.StaleSince.IsZero() {
		parts = append(parts, "not seen since "+v.StaleSince.Format(time.TimeOnly)+" UTC")
	}
	return text.Safe(strings.Join(parts, "; "))
}

// The words for the statuses in a summary, in their order there.
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

// Summarize returns counts by status as texts, those that are not zero: "9 current", "1 failed".
// The status "Failing" is for objects that are InProgress and failing.
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

// notes returns what is to be said of the object's annotations of kstatus.
func (o *Object) notes() (all []string) {
	for _, w := range o.Warnings {
		if directive.IsNote(w) {
			all = append(all, text.Safe(w))
		}
	}
	return all
}

// warning returns the caveat of an object that counts and is Current as a sentence, empty if it
// has none.
func (o *Object) warning() string {
	if o.Caveat == "" || !o.counts() || o.Status != status.CurrentStatus {
		return ""
	}
	return "current, but " + text.Safe(o.Caveat)
}

// warnings returns the caveats of the objects, each with its object.
func (r *Run) warnings() (all []string) {
	for _, o := range r.Objects {
		if warning := o.warning(); warning != "" {
			all = append(all, text.Safe(o.String())+": "+warning)
		}
	}
	return all
}

// notes returns what is to be said of annotations of kstatus, once for each kind, with the
// first object of which it is true.
func (r *Run) notes() (all []string) {
	said := map[string]bool{}
	for _, o := range r.Objects {
		for _, note := range o.notes() {
			if key := o.ID.GroupKind().String() + " " + note; !o.Removed && !said[key] {
				said[key] = true
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

package report

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"kstatus.dev/internal/text"
	"kstatus.dev/observe"
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

// word returns the word for people: what is wrong but may heal is Failing, and
// what nothing speaks for is assumed.
func (v Verdict) word() string {
	switch {
	case v.Standing == observe.ProgressFailing && v.Status == status.InProgressStatus:
		return "Failing"
	case v.Status == status.CurrentStatus && v.Confidence == status.ConfidenceAssumed:
		return "Current (assumed)"
	}
	return string(v.Status)
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
		parts = append(parts, "the time it had is over")
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
	{status.UnknownStatus, "unknown"},
	{status.TerminatingStatus, "terminating"},
	{status.InProgressStatus, "in progress"},
	{status.NotFoundStatus, "not found"},
}

// Counted renders counts by status, those that are not zero: "9 current", "1 failed".
func Counted(counts map[status.Status]int) (parts []string) {
	for _, w := range summaryWords {
		if n := counts[w.status]; n > 0 {
			parts = append(parts, strconv.Itoa(n)+" "+w.word)
		}
	}
	return parts
}

// summary counts the objects: "9 current, 1 failed, 2 ignored".
func (r *Run) summary() string {
	parts := Counted(r.Result.Counts)
	if r.Result.Ignored > 0 {
		parts = append(parts, fmt.Sprintf("%d ignored", r.Result.Ignored))
	}
	if len(parts) == 0 {
		return "no objects"
	}
	return strings.Join(parts, ", ")
}

// clock returns the time since the start of the run as minutes and seconds.
func (r *Run) clock(t time.Time) string {
	return Clock(t.Sub(r.Start.Time))
}

// Clock returns a duration as minutes and seconds: 01:58.
func Clock(d time.Duration) string {
	s := int64(max(0, d) / time.Second)
	return fmt.Sprintf("%02d:%02d", s/60, s%60)
}

// Lasting returns a duration in whole seconds as people write it: 12s, 1m01s, 10m, 1h05m.
func Lasting(d time.Duration) string {
	s := int64(max(0, d) / time.Second)
	switch {
	case s < 60:
		return fmt.Sprintf("%ds", s)
	case s < 3600 && s%60 == 0:
		return fmt.Sprintf("%dm", s/60)
	case s < 3600:
		return fmt.Sprintf("%dm%02ds", s/60, s%60)
	case s%60 == 0:
		return fmt.Sprintf("%dh%02dm", s/3600, s/60%60)
	}
	return fmt.Sprintf("%dh%02dm%02ds", s/3600, s/60%60, s%60)
}

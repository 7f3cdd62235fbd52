package report

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"time"

	"kstatus.dev/explain"
	"kstatus.dev/internal/directive"
	"kstatus.dev/internal/text"
	"kstatus.dev/observe"
	"kstatus.dev/redact"
	"kstatus.dev/status"
)

// The limits of the data from a cluster, which may have any length and any number of changes.
const (
	maxMessage       = 4096 // bytes of a message
	maxValue         = 500  // bytes of a value
	maxEvidence      = 50   // fields of a verdict
	maxWarnings      = 20
	maxChanges       = 100 // of an object
	keptFirstChanges = 10  // of them from the beginning
)

// New returns the run of a wait that has started.
func New(s Start) *Run {
	s.Time = roundTime(s.Time)
	if s.Goal == nil {
		s.Goal = []string{}
	}
	return &Run{
		FormatVersion: 1, Type: "run", Start: s, Objects: []*Object{}, Causes: []explain.Cause{}, Gaps: []explain.Gap{},
		byTarget: map[observe.Target]*Object{},
	}
}

// AddTarget records a target, and its place in a file if it has one. Call it for each target
// before the first AddUpdate.
func (r *Run) AddTarget(t observe.Target, from *Source) { r.object(t).Source = from }

func (r *Run) object(t observe.Target) *Object {
	if o := r.byTarget[t]; o != nil {
		return o
	}
	o := &Object{
		ID:       t.ID(),
		Verdict:  Verdict{Status: status.UnknownStatus, Progress: observe.ProgressPending, Message: "the API server has not responded yet"},
		Evidence: []status.Read{}, Changes: []Change{},
	}
	if t.IsSelection() {
		o.Selection = &Selection{t.LabelSelector, t.FieldSelector}
	}
	r.byTarget[t] = o
	r.Objects = append(r.Objects, o)
	return o
}

// AddUpdate records an update at its time. It ignores heartbeats.
func (r *Run) AddUpdate(u observe.Update, now time.Time) {
	if u.Target == (observe.Target{}) {
		return
	}
	now = roundTime(now)
	o := r.object(u.Target)
	o.Removed, o.Rule, o.RuleSource = u.Removed, u.Result.Rule, u.Result.RuleSource
	o.Evidence = evidenceOf(u.Evidence)
	o.Caveat = redactedText(u.Result.Caveat)
	o.Warnings = nil
	for _, w := range u.Result.Warnings {
		if len(o.Warnings) < maxWarnings || directive.IsNote(w) { // they are few
			o.Warnings = append(o.Warnings, redactedText(w))
		}
	}
	updateSince(&o.ReachedAt, now, u.Progress == observe.ProgressReached)
	updateSince(&o.FailedAt, now, u.Progress == observe.ProgressFailed)
	v := verdictOf(u)
	if len(o.Changes) > 0 && o.Verdict == v {
		return
	}
	o.Verdict = v
	c := Change{Time: now, Verdict: v}
	if v.hasTrouble() {
		c.Evidence = o.Evidence
	}
	if len(o.Changes) == maxChanges {
		o.Changes = slices.Delete(o.Changes, keptFirstChanges, keptFirstChanges+1)
		o.Omitted++
	}
	o.Changes = append(o.Changes, c)
}

// updateSince sets t to now when a state begins, and resets it when the state ends.
func updateSince(t *time.Time, now time.Time, active bool) {
	switch {
	case !active:
		*t = time.Time{}
	case t.IsZero():
		*t = now
	}
}

func verdictOf(u observe.Update) Verdict {
	x := u.Result
	return Verdict{
		Status: x.Status, Progress: u.Progress, Reason: x.Reason, Message: redactedText(u.Message()), Unmet: redactedText(u.Unmet),
		Failure: x.Failure, Suspended: x.Suspended, Confidence: x.Confidence,
		FailsAt: roundTime(u.FailsAt), StaleSince: roundTime(u.StaleSince),
	}
}

// hasTrouble reports whether a verdict has a problem.
func (v Verdict) hasTrouble() bool {
	switch v.Progress {
	case observe.ProgressFailing, observe.ProgressFailed, observe.ProgressUnreadable, observe.ProgressTimedOut:
		return true
	}
	return v.Failure != "" || v.Status == status.UnknownStatus
}

// evidenceOf returns the fields that decided in the form of a report. It limits their number,
// and returns an empty list for none.
func evidenceOf(reads []status.Read) []status.Read {
	all := make([]status.Read, 0, min(len(reads), maxEvidence))
	for _, read := range reads[:cap(all)] {
		all = append(all, status.Read{Path: cut(read.Path, maxValue), Value: printable(read)})
	}
	return all
}

// printable returns a value that is safe to print. It shortens the value, removes secrets, and
// reduces a larger structure to its size.
func printable(read status.Read) any {
	switch v := read.Value.(type) {
	case map[string]any:
		return "a map of " + text.Count(len(v), "key")
	case []any:
		return "a list of " + text.Count(len(v), "item")
	}
	switch v := new(redact.Objects).Field(read.Path, read.Value).(type) {
	case string:
		return redactedCut(v, maxValue)
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Sprint(v)
		}
		return v
	case nil, bool, int64, int, float32, json.Number:
		return v
	default:
		return redactedCut(fmt.Sprint(v), maxValue)
	}
}

// redactedText returns a message without secrets, shortened.
func redactedText(text string) string { return redactedCut(text, maxMessage) }

// End records the end of the wait. It sorts objects by their words, the worst first, and then as
// on the board. Objects that left their selection come last. If a selection has enough objects,
// they replace it.
func (r *Run) End(b *observe.Board, end Result) {
	end.Time, end.Error, end.Counts = roundTime(end.Time), redactedText(end.Error), map[status.Status]int{}
	rank := map[*Object]int{}
	for i, u := range b.Updates() {
		rank[r.object(u.Target)] = i + 1
	}
	r.Objects = slices.DeleteFunc(r.Objects, func(o *Object) bool { return o.Selection != nil && o.Progress == observe.ProgressReached })
	slices.SortStableFunc(r.Objects, func(x, y *Object) int {
		if x.Removed != y.Removed {
			if y.Removed {
				return -1
			}
			return 1
		}
		return cmp.Or(
			cmp.Compare(x.rank(), y.rank()),
			cmp.Compare(rank[x], rank[y]), // zero: never reported
			x.target().Compare(y.target()))
	})
	end.Ignored = 0
	for _, o := range r.Objects {
		switch {
		case o.Removed:
		case o.Progress == observe.ProgressIgnored:
			end.Ignored++
		case o.Selection == nil:
			end.Counts[o.countedAs()]++
		}
	}
	r.Result = end
}

// isFailing reports whether the word of a verdict is Failing.
func (v Verdict) isFailing() bool {
	return v.Progress == observe.ProgressFailing && v.Status == status.InProgressStatus
}

// countedAs returns the status under which a verdict is counted, or "Failing".
func (v Verdict) countedAs() status.Status {
	if v.isFailing() {
		return "Failing"
	}
	return v.Status
}

// rank returns the rank of a verdict's word, the worst first. The order is that of
// [status.Statuses], with Failing right after Failed.
func (v Verdict) rank() int {
	if v.isFailing() {
		return 1
	}
	return 2 * slices.Index(status.Statuses(), v.Status)
}

// roundTime returns a time in the precision of reports.
func roundTime(t time.Time) time.Time {
	if t.IsZero() {
		return time.Time{}
	}
	return t.UTC().Truncate(time.Millisecond)
}

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
	"kstatus.dev/observe"
	"kstatus.dev/redact"
	"kstatus.dev/status"
)

// The limits of the data from a cluster, which may have any length and any number of changes.
const (
	mostMessage  = 4096 // bytes of a message
	mostValue    = 500  // bytes of a value
	mostEvidence = 50   // fields of a verdict
	mostWarnings = 20
	mostChanges  = 100 // of an object
	firstChanges = 10  // of them from the beginning
)

// New returns the run of a wait that has started.
func New(s Start) *Run {
	s.Time = moment(s.Time)
	if s.Goal == nil {
		s.Goal = []string{}
	}
	return &Run{
		FormatVersion: 1, Type: "run", Start: s, Objects: []*Object{}, Causes: []explain.Cause{}, Gaps: []explain.Gap{},
		known: map[observe.Target]*Object{},
	}
}

// AddTarget records a target, and its place in a file if it has one. Call it for each target
// before the first AddUpdate.
func (r *Run) AddTarget(t observe.Target, from *Source) { r.object(t).Source = from }

func (r *Run) object(t observe.Target) *Object {
	if o := r.known[t]; o != nil {
		return o
	}
	o := &Object{
		ID:       explain.ID{Cluster: t.Cluster, Group: t.Kind.Group, Kind: t.Kind.Kind, Namespace: t.Namespace, Name: t.Name},
		Verdict:  Verdict{Status: status.UnknownStatus, Standing: observe.ProgressPending, Message: "the API server has not responded yet"},
		Evidence: []status.Read{}, Changes: []Change{},
	}
	if t.IsSelection() {
		o.Selection = &Selection{t.LabelSelector, t.FieldSelector}
	}
	r.known[t] = o
	r.Objects = append(r.Objects, o)
	return o
}

// AddUpdate records an update at its time. It ignores heartbeats.
func (r *Run) AddUpdate(u observe.Update, now time.Time) {
	if u.Target == (observe.Target{}) {
		return
	}
	now = moment(now)
	o := r.object(u.Target)
	o.Removed, o.Rule, o.RuleSource = u.Removed, u.Result.Rule, u.Result.RuleSource
	o.Evidence = evidenceOf(u.Evidence)
	o.Caveat = redactedText(u.Result.Caveat)
	o.Warnings = nil
	for _, w := range u.Result.Warnings {
		if len(o.Warnings) < mostWarnings || directive.IsNote(w) { // they are few
			o.Warnings = append(o.Warnings, redactedText(w))
		}
	}
	since(&o.ReachedAt, now, u.Progress == observe.ProgressReached)
	since(&o.FailedAt, now, u.Progress == observe.ProgressFailed)
	v := verdictOf(u)
	if len(o.Changes) > 0 && o.Verdict == v {
		return
	}
	o.Verdict = v
	c := Change{Time: now, Verdict: v}
	if v.hasTrouble() {
		c.Evidence = o.Evidence
	}
	if len(o.Changes) == mostChanges {
		o.Changes = slices.Delete(o.Changes, firstChanges, firstChanges+1)
		o.Omitted++
	}
	o.Changes = append(o.Changes, c)
}

// since sets t to now when a state begins, and resets it when the state ends.
func since(t *time.Time, now time.Time, so bool) {
	switch {
	case !so:
		*t = time.Time{}
	case t.IsZero():
		*t = now
	}
}

func verdictOf(u observe.Update) Verdict {
	x := u.Result
	return Verdict{
		Status: x.Status, Standing: u.Progress, Reason: x.Reason, Message: redactedText(u.Message()), Unmet: redactedText(u.Unmet),
		Failure: x.Failure, Suspended: x.Suspended, Confidence: x.Confidence,
		FailsAt: moment(u.FailsAt), StaleSince: moment(u.StaleSince),
	}
}

// hasTrouble reports whether a verdict has a problem.
func (v Verdict) hasTrouble() bool {
	switch v.Standing {
	case observe.ProgressFailing, observe.ProgressFailed, observe.ProgressUnreadable, observe.ProgressTimedOut:
		return true
	}
	return v.Failure != "" || v.Status == status.UnknownStatus
}

// evidenceOf returns the fields that decided in the form of a report. It limits their number,
// and returns an empty list for none.
func evidenceOf(reads []status.Read) []status.Read {
	all := make([]status.Read, 0, min(len(reads), mostEvidence))
	for _, read := range reads[:cap(all)] {
		all = append(all, status.Read{Path: cut(read.Path, mostValue), Value: printable(read)})
	}
	return all
}

// printable returns a value that is safe to print. It shortens the value, removes secrets, and
// reduces a larger structure to its size.
func printable(read status.Read) any {
	switch v := read.Value.(type) {
	case map[string]any:
		return fmt.Sprintf("a map of %d keys", len(v))
	case []any:
		return fmt.Sprintf("a list of %d items", len(v))
	}
	switch v := new(redact.Objects).Field(read.Path, read.Value).(type) {
	case string:
		return redactedCut(v, mostValue)
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Sprint(v)
		}
		return v
	case nil, bool, int64, int, float32, json.Number:
		return v
	default:
		return redactedCut(fmt.Sprint(v), mostValue)
	}
}

// redactedText returns a message without secrets, shortened.
func redactedText(text string) string { return redactedCut(text, mostMessage) }

// End records the end of the wait. It sorts objects by their words, the worst first, and then as
// on the board. Objects that left their selection come last. If a selection has enough objects,
// they replace it.
func (r *Run) End(b *observe.Board, end Result) {
	end.Time, end.Error, end.Counts = moment(end.Time), redactedText(end.Error), map[status.Status]int{}
	rank := map[*Object]int{}
	for i, u := range b.Updates() {
		rank[r.object(u.Target)] = i + 1
	}
	r.Objects = slices.DeleteFunc(r.Objects, func(o *Object) bool { return o.Selection != nil && o.Standing == observe.ProgressReached })
	slices.SortStableFunc(r.Objects, func(x, y *Object) int {
		if x.Removed != y.Removed {
			if y.Removed {
				return -1
			}
			return 1
		}
		return cmp.Or(
			cmp.Compare(x.badness(), y.badness()),
			cmp.Compare(rank[x], rank[y]), // zero: never reported
			x.target().Compare(y.target()))
	})
	end.Ignored = 0
	for _, o := range r.Objects {
		switch {
		case o.Removed:
		case o.Standing == observe.ProgressIgnored:
			end.Ignored++
		case o.Selection == nil:
			end.Counts[o.countedAs()]++
		}
	}
	r.Result = end
}

// isFailing reports whether the word of a verdict is Failing.
func (v Verdict) isFailing() bool {
	return v.Standing == observe.ProgressFailing && v.Status == status.InProgressStatus
}

// countedAs returns the status under which a verdict is counted, or "Failing".
func (v Verdict) countedAs() status.Status {
	if v.isFailing() {
		return "Failing"
	}
	return v.Status
}

// badness returns the rank of a verdict's word, the worst first. The order is that of
// [status.Statuses], with Failing right after Failed.
func (v Verdict) badness() int {
	if v.isFailing() {
		return 1
	}
	return 2 * slices.Index(status.Statuses(), v.Status)
}

// moment returns a time in the precision of reports.
func moment(t time.Time) time.Time {
	if t.IsZero() {
		return time.Time{}
	}
	return t.UTC().Truncate(time.Millisecond)
}

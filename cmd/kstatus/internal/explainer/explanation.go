package explainer

import (
	"fmt"
	"slices"
	"time"

	"kstatus.dev/explain"
	"kstatus.dev/internal/duration"
	"kstatus.dev/kube/sets"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// An Explanation says why the objects of a wait do not meet their goals. It holds the facts that
// support it.
type Explanation struct {
	*explain.Explanation
	Facts *explain.Facts
}

// Explain explains the last verdicts of a wait. The facts may be a little newer than the
// verdicts.
func Explain(facts *explain.Facts, unmet []observe.Update) *Explanation {
	readable, lost := splitUnreadable(unmet)
	e := explain.Explain(facts, AddVerdicts(facts, readable)...)
	e.Subjects = slices.DeleteFunc(e.Subjects, func(a explain.Subject) bool {
		return a.Status == status.CurrentStatus && len(a.Causes) == 0
	})
	if len(e.Subjects) == 0 {
		e.Gaps = nil // the gaps would explain no object
	}
	e.OfUnmetGoals = true
	addOutage(e, lost, facts.Now)
	return &Explanation{e, facts}
}

// Readable removes the updates of objects that could no longer be read at the end. For these the
// outage is the cause.
func Readable(unmet []observe.Update) []observe.Update {
	readable, _ := splitUnreadable(unmet)
	return readable
}

func splitUnreadable(unmet []observe.Update) (readable, lost []observe.Update) {
	for _, u := range unmet {
		if u.Err != nil && (u.Result.Reason == status.ReasonTransport || !u.StaleSince.IsZero()) {
			lost = append(lost, u)
		} else {
			readable = append(readable, u)
		}
	}
	return readable, lost
}

// addOutage adds the cause of objects that could no longer be read, if there are any. These
// objects get no older cause, since it may be gone by now.
func addOutage(e *explain.Explanation, lost []observe.Update, now time.Time) {
	if len(lost) == 0 {
		return
	}
	first := lost[0]
	cause := explain.Cause{Kind: "Unexplained", Count: len(lost)}
	var since time.Time
	for _, u := range lost {
		id := u.Target.ID()
		cause.Blocks = append(cause.Blocks, id)
		e.Subjects = append(e.Subjects, explain.Subject{
			ID: id, Status: u.Result.Status, Failing: u.Progress == observe.ProgressFailing, Reason: u.Result.Reason, Message: u.Message(),
			Since: u.Since, Causes: []int{len(e.Causes)},
		})
		from := u.StaleSince
		if from.IsZero() {
			from = u.Since
		}
		if since.IsZero() || from.Before(since) {
			since = from
		}
	}
	cause.Objects = cause.Blocks[:min(len(cause.Blocks), 3)]
	cause.Text = fmt.Sprintf("the API server has given no usable answer for %s: %v", duration.Text(now.Sub(since)), first.Err)
	cause.Chain = []explain.Step{{ID: cause.Blocks[0], Status: first.Result.Status, Text: first.Message()}}
	cause.Evidence = []explain.Evidence{{From: explain.OriginStatus, Object: cause.Blocks[0], Value: string(first.Result.Status) + " " + first.Result.Reason}}
	e.Causes = append(e.Causes, cause)
}

// Sorted returns the explanation with the causes in the order of their objects, for printing
// below a list of these objects. Causes of one object keep their order.
func (e *Explanation) Sorted() *explain.Explanation {
	place := make(map[status.ID]int, len(e.Subjects))
	for i, a := range e.Subjects {
		place[a.ID] = i
	}
	sorted := *e.Explanation
	sorted.Subjects, sorted.Causes = slices.Clone(e.Subjects), nil
	moved := make([]int, len(e.Causes)) // from the old index to the new one
	order := make([]int, len(e.Causes))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(x, y int) int { return place[e.Causes[x].Blocks[0]] - place[e.Causes[y].Blocks[0]] })
	for i, old := range order {
		sorted.Causes = append(sorted.Causes, e.Causes[old])
		moved[old] = i
	}
	for i, a := range sorted.Subjects {
		sorted.Subjects[i].Causes = nil
		for _, old := range a.Causes {
			sorted.Subjects[i].Causes = append(sorted.Subjects[i].Causes, moved[old])
		}
	}
	return &sorted
}

// AddVerdicts adds the last verdicts of a wait to facts without changes, and returns the IDs of
// the objects.
func AddVerdicts(facts *explain.Facts, unmet []observe.Update) []status.ID {
	at := map[status.ID]int{}
	for i, t := range facts.Objects {
		at[t.ID] = i
	}
	ids := make([]status.ID, len(unmet))
	for i, u := range unmet {
		id := u.Target.ID()
		ids[i] = id
		n, known := at[id]
		if !known {
			n = len(facts.Objects)
			facts.Objects = append(facts.Objects, explain.ObjectFact{ID: id})
		}
		t := &facts.Objects[n]
		t.Result, t.Parts, t.Since = u.Result, u.Parts, u.Since
	}
	return ids
}

// IsSet reports whether a target represents a set of objects.
func IsSet(t observe.Target) bool {
	_, ok := sets.ParseOwner(t.Kind.String()+"/"+t.Name, t.Namespace)
	return ok
}

// Explainable returns the updates on the board that can be explained, the worst first. These are
// the updates of single, readable objects that do not meet their goals. If another change has
// replaced what was applied, the verdict says all that is known.
func Explainable(board *observe.Board) (all []observe.Update) {
	for _, u := range board.Unmet() {
		if !u.Target.IsSelection() && !IsSet(u.Target) && u.Progress != observe.ProgressUnreadable && u.Result.Reason != status.ReasonSuperseded {
			all = append(all, u)
		}
	}
	return all
}

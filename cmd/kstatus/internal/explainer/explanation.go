package explainer

import (
	"slices"

	"kstatus.dev/explain"
	"kstatus.dev/kube/tree"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// An Explanation says why the objects of a wait do not meet their goals, and by which facts.
type Explanation struct {
	*explain.Explanation
	Facts *explain.Facts
}

// Explain explains the last verdicts of a wait, by facts that may be a little newer.
func Explain(facts *explain.Facts, unmet []observe.Update) *Explanation {
	e := explain.Explain(facts, AddVerdicts(facts, unmet)...)
	e.Subjects = slices.DeleteFunc(e.Subjects, func(a explain.Subject) bool {
		return a.Status == status.CurrentStatus && len(a.Causes) == 0
	})
	if len(e.Subjects) == 0 {
		e.Gaps = nil // there is nothing that they might explain
	}
	return &Explanation{e, facts}
}

// Sorted returns the explanation with the causes in the order of the objects that they are
// about, to be printed below a list of these. Causes of one object keep their order.
func (e *Explanation) Sorted() *explain.Explanation {
	place := make(map[explain.ID]int, len(e.Subjects))
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

// AddVerdicts adds the last verdicts of a wait to facts, as they are, and returns the IDs of the
// objects.
func AddVerdicts(facts *explain.Facts, unmet []observe.Update) []explain.ID {
	at := map[explain.ID]int{}
	for i, t := range facts.Objects {
		at[t.ID] = i
	}
	ids := make([]explain.ID, len(unmet))
	for i, u := range unmet {
		id := tree.IDOf(u.Target)
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

// Explainable returns the updates on the board that can be explained, the worst first: those
// of single objects that do not meet their goals and that kstatus is permitted to read.
func Explainable(board *observe.Board) (all []observe.Update) {
	for _, u := range board.Unmet() {
		if !u.Target.IsSelection() && u.Progress != observe.ProgressUnreadable {
			all = append(all, u)
		}
	}
	return all
}

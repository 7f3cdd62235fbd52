package main

import (
	"context"
	"errors"
	"slices"
	"time"

	"kstatus.dev/explain"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// An explained wait is why the objects are not there that it has waited for.
type explained struct {
	*explain.Explanation
	facts *explain.Facts
}

// How long one who has waited is to wait for an explanation.
const explainBudget = 5 * time.Second

var errExplainBudget = errors.New("it takes too long")

// explanation says why objects on the board do not meet their goals; nil if there
// is nothing to say. It is read from the clusters within [explainBudget]; what
// cannot be read is named, and changes nothing else.
func (w *waitCommand) explanation(ctx context.Context, clusters []*connected, p *plan, board *observe.Board) *explained {
	unmet := unexplained(board)
	if w.waitFlags.explain == "none" || len(unmet) == 0 {
		return nil
	}
	ctx, done := context.WithTimeoutCause(ctx, explainBudget, errExplainBudget)
	defer done()
	var about []verdict
	for _, u := range unmet {
		about = append(about, verdict{objectLine: objectLine{ID: identityOfTarget(u.Target)}})
	}
	for _, c := range clusters {
		c.life.renew(ctx)
	}
	by := criteria{evaluator: status.Evaluator{Profile: p.profile, NoHints: w.noHints, Now: w.env.now}, now: w.env.now()}
	known, err := w.why.collect(ctx, clusters, by, about)
	if err != nil {
		known = &explain.Facts{Now: by.now, Gaps: []explain.Gap{{What: "the cluster", Why: err.Error()}}}
	}
	if w.record != "" {
		addVerdicts(known, unmet)
		if same, _, err := recorded(known); err == nil {
			known = same
		}
	}
	return explainedBy(known, unmet)
}

// explainedBy explains the verdicts that have ended a wait, by facts that may be
// a little newer.
func explainedBy(facts *explain.Facts, unmet []observe.Update) *explained {
	e := explain.Explain(facts, addVerdicts(facts, unmet)...)
	e.Objects = slices.DeleteFunc(e.Objects, func(a explain.Asked) bool {
		return a.Status == status.CurrentStatus && len(a.Causes) == 0
	})
	if len(e.Objects) == 0 {
		e.Gaps = nil // there is nothing that they might explain
	}
	return &explained{e, facts}
}

// addVerdicts adds the verdicts that have ended a wait to facts, and returns whose
// they are.
func addVerdicts(facts *explain.Facts, unmet []observe.Update) []explain.ID {
	at := map[explain.ID]int{}
	for i, t := range facts.Things {
		at[t.ID] = i
	}
	var redact explain.Redactor
	ids := make([]explain.ID, len(unmet))
	for i, u := range unmet {
		id := explain.ID(identityOfTarget(u.Target))
		ids[i] = id
		n, known := at[id]
		if !known {
			n = len(facts.Things)
			facts.Things = append(facts.Things, explain.Thing{ID: id})
		}
		t := &facts.Things[n]
		t.Result, t.Parts, t.Since = u.Result, u.Parts, u.Since
		*t = redact.Thing(*t)
	}
	return ids
}

// unexplained returns what on the board is to be explained, the worst first: not
// what may not be looked at. Of what is Current but for the goals, such as an
// Ingress that is to have an address, only what is wrong is told.
func unexplained(board *observe.Board) (all []observe.Update) {
	for _, u := range board.Unmet() {
		if !u.Target.IsSelection() && u.Standing != observe.Barred {
			all = append(all, u)
		}
	}
	return all
}

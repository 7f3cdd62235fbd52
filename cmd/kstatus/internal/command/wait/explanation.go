package wait

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"kstatus.dev/cmd/kstatus/internal/connection"
	"kstatus.dev/cmd/kstatus/internal/explainer"
	"kstatus.dev/cmd/kstatus/internal/goals"
	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/explain"
	"kstatus.dev/internal/text"
	"kstatus.dev/observe"
	"kstatus.dev/redact"
)

// explainBudget is the maximum duration of an explanation before the deadline of a wait.
const explainBudget = 5 * time.Second

// answerBudget is the maximum duration of an explanation after the deadline of a wait.
const answerBudget = 900 * time.Millisecond

// maxExplained is the maximum number of objects that an explanation after a wait is about, so that its
// computation ends soon after the wait.
const maxExplained = 1000

var errExplainBudget = errors.New("it takes too long")

// untilAnswer returns a context for the requests after a wait with a deadline, which may be zero.
func untilAnswer(ctx context.Context, deadline time.Time) (context.Context, context.CancelFunc) {
	budget := explainBudget
	if !deadline.IsZero() {
		budget = min(budget, max(answerBudget, time.Until(deadline)+answerBudget))
	}
	return context.WithTimeoutCause(ctx, budget, errExplainBudget)
}

// noteMissingNamespaces prints which namespaces do not exist, if none of the targets of a wait
// matched an object. A target that has not been reported may match one.
func (w *command) noteMissingNamespaces(ctx context.Context, clusters []*connection.Cluster, board *observe.Board, targets int) {
	updates := board.Updates()
	matched := slices.ContainsFunc(updates, func(u observe.Update) bool { return !u.Target.IsSelection() })
	if matched || len(updates) < targets || w.objects.AllNamespaces {
		return
	}
	for _, c := range clusters {
		c.Requests.UseContext(ctx) // that of the wait may be over
		c.NoteMissingNamespace(ctx)
	}
}

// formerPods returns what reads facts about Pods during the wait. It reads none if the wait explains
// nothing.
func (w *command) formerPods(ctx context.Context, scopes []explainer.Scope, p *goals.Plan, targets []observe.Target) *explainer.FormerPods {
	w.explain.facts.Everywhere = w.explain.facts.Everywhere || w.objects.AllNamespaces
	former := w.explain.facts.NewFormerPods(ctx, scopes, w.criteria(p.Profile), targets)
	if w.explain.mode == "none" || p.Policy.Once {
		former.Stop()
	}
	return former
}

// earlyRead returns what reads the facts for an explanation before the deadline.
func (w *command) earlyRead(ctx context.Context, deadline time.Time, scopes []explainer.Scope, p *goals.Plan) *earlyRead {
	if w.explain.mode == "none" || p.Policy.Once {
		deadline = time.Time{}
	}
	by, flags := w.criteria(p.Profile), w.explain.facts
	return newEarlyRead(ctx, deadline, func(ctx context.Context, about []output.Verdict) (*explain.Facts, error) {
		return flags.Collect(ctx, scopes, by, about)
	})
}

// explained returns the first objects of a wait, without those that can no longer be read, for an
// explanation.
func explained(unmet []observe.Update) (about []output.Verdict) {
	for _, u := range explainer.Readable(unmet[:min(len(unmet), maxExplained)]) {
		about = append(about, output.Verdict{Object: output.Object{ID: u.Target.ID()}})
	}
	return about
}

// explanation returns why objects on the board do not meet their goals, or nil if no object
// needs an explanation. It reads the clusters until ctx ends. Then it uses what was read early.
// Objects that cannot be read are gaps of the explanation and have no other effect.
func (w *command) explanation(ctx context.Context, scopes []explainer.Scope, p *goals.Plan, board *observe.Board, former *explainer.FormerPods, early *earlyRead) *explainer.Explanation {
	unmet := explainer.Explainable(board)
	if w.explain.mode == "none" || len(unmet) == 0 {
		return nil
	}
	more := max(len(unmet)-maxExplained, 0)
	unmet = unmet[:len(unmet)-more]
	about := explained(unmet)
	for _, s := range scopes {
		s.Cluster.Requests.UseContext(ctx)
	}
	by := w.criteria(p.Profile)
	known, err := &explain.Facts{Now: by.Now}, error(nil)
	before := early.end(ctx)
	silent := len(scopes) > 0 && !slices.ContainsFunc(scopes, func(s explainer.Scope) bool { return !s.Cluster.Requests.Silent() })
	switch {
	case silent:
		err = errors.New("the server has answered no request")
	case len(about) > 0:
		flags := w.explain.facts // a read of a former Pod may still use them
		flags.RequestTimeout = 2 * answerBudget
		known, err = flags.Collect(ctx, scopes, by, about)
	}
	if ctx.Err() != nil && before != nil {
		known, err = before, nil
	}
	if err != nil {
		known = &explain.Facts{Now: by.Now, Gaps: []explain.Gap{{Subject: "the cluster", Reason: redact.Text(err.Error())}}}
	}
	former.AddTo(ctx, known)
	if w.record.File != "" && !w.output.showSecrets {
		explainer.AddVerdicts(known, unmet)
		if same, _, err := explainer.RecordCopy(known); err == nil {
			known = same
		}
	}
	why := explainer.Explain(known, unmet)
	if more > 0 {
		why.Gaps = append(why.Gaps, explain.Gap{Subject: text.Count(more, "more object"), Reason: fmt.Sprintf("not explained: only the first %d are", maxExplained)})
	}
	return why
}

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
	"kstatus.dev/kube/tree"
	"kstatus.dev/observe"
	"kstatus.dev/redact"
)

// explainBudget is the maximum duration of an explanation after a wait.
const explainBudget = 5 * time.Second

// answerBudget is how long a server may take for an answer after a wait. Other requests follow only if
// it answers.
const answerBudget = 900 * time.Millisecond

// maxExplained is the maximum number of objects that an explanation after a wait is about, so that its
// computation ends soon after the wait.
const maxExplained = 1000

var errExplainBudget = errors.New("it takes too long")

// noteMissingNamespaces prints which namespaces do not exist, if none of the targets of a wait
// matched an object. A target that has not been reported may match one.
func (w *command) noteMissingNamespaces(ctx context.Context, clusters []*connection.Cluster, board *observe.Board, targets int) {
	updates := board.Updates()
	matched := slices.ContainsFunc(updates, func(u observe.Update) bool { return !u.Target.IsSelection() })
	if matched || len(updates) < targets || w.objects.AllNamespaces {
		return
	}
	ctx, done := context.WithTimeoutCause(ctx, answerBudget, errExplainBudget)
	defer done()
	for _, c := range clusters {
		c.Requests.UseContext(ctx) // that of the wait may be over
		c.NoteMissingNamespace(ctx)
	}
}

// formerPods returns what reads facts about Pods during the wait. It reads none if the wait explains
// nothing.
func (w *command) formerPods(ctx context.Context, clusters []*connection.Cluster, p *goals.Plan, targets []observe.Target) *explainer.FormerPods {
	w.explain.facts.Everywhere = w.explain.facts.Everywhere || w.objects.AllNamespaces
	former := w.explain.facts.NewFormerPods(ctx, clusters, w.criteria(p.Profile), targets)
	if w.explain.mode == "none" || p.Policy.Once {
		former.Stop()
	}
	return former
}

// explanation returns why objects on the board do not meet their goals, or nil if no object
// needs an explanation. It reads the clusters for at most [explainBudget]. Objects that cannot
// be read are gaps of the explanation and have no other effect.
func (w *command) explanation(ctx context.Context, clusters []*connection.Cluster, p *goals.Plan, board *observe.Board, former *explainer.FormerPods) *explainer.Explanation {
	unmet := explainer.Explainable(board)
	if w.explain.mode == "none" || len(unmet) == 0 {
		return nil
	}
	more := max(len(unmet)-maxExplained, 0)
	unmet = unmet[:len(unmet)-more]
	ctx, done := context.WithTimeoutCause(ctx, explainBudget, errExplainBudget)
	defer done()
	var about []output.Verdict
	for _, u := range explainer.Readable(unmet) {
		about = append(about, output.Verdict{Object: output.Object{ID: tree.IDOf(u.Target)}})
	}
	for _, c := range clusters {
		c.Requests.UseContext(ctx)
	}
	by := w.criteria(p.Profile)
	known, err := &explain.Facts{Now: by.Now}, error(nil)
	silent := len(clusters) > 0 && !slices.ContainsFunc(clusters, func(c *connection.Cluster) bool { return !c.Requests.Silent() })
	switch {
	case silent:
		err = errors.New("the server has answered no request")
	case len(about) > 0:
		flags := w.explain.facts // a read of a former Pod may still use them
		flags.RequestTimeout = 2 * answerBudget
		known, err = flags.Collect(ctx, clusters, by, about)
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

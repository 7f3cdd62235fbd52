package wait

import (
	"context"

	"kstatus.dev/cmd/kstatus/internal/connection"
	"kstatus.dev/cmd/kstatus/internal/explainer"
	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// caveats returns updates with caveats that depend on other objects, for objects that met their
// goals. Without such objects on the board, it sends no request. See
// [explainer.Flags.AddCaveats] for its requests, which end with ctx. If a request fails, the objects have no caveat.
func (w *command) caveats(ctx context.Context, clusters []*connection.Cluster, profile status.Profile, board *observe.Board) (some []observe.Update) {
	if w.explain.mode == "none" {
		return nil
	}
	var about []output.Verdict
	var updates []observe.Update
	for _, u := range board.Updates() {
		t := u.Target
		answered := t.Kind == serviceKind && w.verdicts.endpoints // the wait was for endpoints
		if answered || t.IsSelection() || u.Progress != observe.ProgressReached || !explainer.MayHaveCaveat(t.Kind, u.Result) {
			continue
		}
		updates = append(updates, u)
		about = append(about, output.Verdict{Object: output.Object{ID: t.ID(), Result: u.Result}})
	}
	if len(about) == 0 {
		return nil
	}
	for _, c := range clusters {
		c.Requests.UseContext(ctx)
	}
	if err := w.explain.facts.AddCaveats(ctx, clusters, w.criteria(profile), about); err != nil {
		return nil
	}
	for i, v := range about {
		if updates[i].Result.Caveat = v.Caveat; v.Caveat != "" {
			some = append(some, updates[i])
		}
	}
	return some
}

var serviceKind = status.Kind{Kind: "Service"}

// criteria returns the criteria for objects that the wait does not watch.
func (w *command) criteria(profile status.Profile) output.Criteria {
	w.explain.facts.ShowSecrets = w.output.showSecrets
	return output.Criteria{Evaluator: status.Evaluator{Profile: profile, NoHints: w.verdicts.noHints, Now: w.env.Now}, Now: w.env.Now()}
}

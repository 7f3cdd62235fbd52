package get

import (
	"context"
	"fmt"

	"kstatus.dev/cmd/kstatus/internal/connection"
	"kstatus.dev/cmd/kstatus/internal/explainer"
	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/cmd/kstatus/internal/printer"
	"kstatus.dev/cmd/kstatus/internal/selection"
	"kstatus.dev/cmd/kstatus/internal/snapshot"
	"kstatus.dev/status"
)

// getLive judges the current objects of the clusters. It lists the objects of a TYPE and gets
// all others. Objects that do not exist are NotFound.
func (g *command) getLive(ctx context.Context, args []string, by output.Criteria, show printer.Printer) error {
	wanted, clusters, unread, err := g.Connect(ctx, args, by)
	if err != nil {
		return err
	}
	errs := []error{unread}
	found, n := make([]selection.Found, len(clusters)), 0
	for i, c := range clusters {
		found[i], err = g.Selection.List(ctx, c, wanted)
		n += len(found[i].Objects)
		if !g.IgnoreNotFound || !connection.IsOnlyMissing(err) {
			errs = append(errs, err)
		}
	}
	t := &output.Tally{}
	if err := g.ReportPartial(errs, n > 0, t); err != nil {
		return err
	}
	start := g.StartLine(by.Now)
	start.Contexts = g.Selection.Contexts
	if !g.IgnoreNotFound && !g.notCurrent {
		start.Objects = new(n)
	}
	if err := show.Start(start); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	var all []output.Verdict
	for i, c := range clusters {
		verdicts, err := snapshot.Reader{Cluster: c, Judge: c.Judge(by, g.detail()), Pods: g.pods, FirstStatus: g.firstStatus}.LookUp(ctx, found[i].Objects)
		if err != nil {
			return err
		}
		for k, v := range verdicts {
			if g.accept(found[i].Objects[k], v) {
				t.Add(v)
				all = append(all, v)
			}
		}
	}
	if err := g.addCaveats(ctx, clusters, by, all); err != nil {
		return err
	}
	if g.fields != nil {
		g.fields.Single = n == 1 && (wanted.ByName() || len(wanted.Objects) == 1)
	}
	if err := g.showAll(show, all); err != nil {
		return err
	}
	return g.Finish(show, t, by.Now)
}

// accept counts the verdict on a named object, and reports whether to print it.
func (g *command) accept(o selection.Object, v output.Verdict) bool {
	if !o.Named {
		return true
	}
	if g.IgnoreNotFound && v.Status == status.NotFoundStatus {
		return false
	}
	g.AddNamed(v)
	return true
}

// showsCaveats reports whether the output has the caveats of Current objects.
func (g *command) showsCaveats() bool {
	return g.pods && (g.tree || g.output == "wide" || g.evidence())
}

// addCaveats adds the caveats that depend on other objects to verdicts, if the output shows
// them.
func (g *command) addCaveats(ctx context.Context, clusters []*connection.Cluster, by output.Criteria, all []output.Verdict) error {
	if !g.showsCaveats() {
		return nil
	}
	return (&explainer.Flags{Logs: "none", ShowSecrets: g.ShowSecrets}).AddCaveats(ctx, clusters, by, all)
}

package get

import (
	"context"
	"fmt"

	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/cmd/kstatus/internal/printer"
	"kstatus.dev/cmd/kstatus/internal/selection"
	"kstatus.dev/cmd/kstatus/internal/snapshot"
)

// getLive judges objects as they stand in the clusters. Those of a TYPE are
// listed; all others are looked up, and shown as NotFound where they do not exist.
func (g *command) getLive(ctx context.Context, args []string, by output.Criteria, show printer.Printer) error {
	wanted, clusters, unread, err := g.Connect(ctx, args, by)
	if err != nil {
		return err
	}
	errs := []error{unread}
	found, n := make([][]selection.Object, len(clusters)), 0
	for i, c := range clusters {
		found[i], err = g.Selection.List(ctx, c, wanted)
		n += len(found[i])
		errs = append(errs, err)
	}
	t := &output.Tally{}
	if err := g.ReportPartial(errs, n > 0, t); err != nil {
		return err
	}
	start := g.StartLine(by.Now)
	start.Objects, start.Contexts = new(n), g.Selection.Contexts
	if err := show.Start(start); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	for i, c := range clusters {
		verdicts, err := snapshot.Look{Cluster: c, Judge: c.Judge(by, g.detail()), Pods: g.pods, FirstStatus: g.first}.LookUp(ctx, found[i])
		if err != nil {
			return err
		}
		for _, v := range verdicts {
			t.Add(v)
			if err := show.Object(v); err != nil {
				return fmt.Errorf("print: %w", err)
			}
		}
	}
	return g.Finish(show, t, by.Now)
}

package get

import (
	"context"
	"fmt"
	"runtime"

	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/cmd/kstatus/internal/explainer"
	"kstatus.dev/cmd/kstatus/internal/manifest"
	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/cmd/kstatus/internal/printer"
	"kstatus.dev/cmd/kstatus/internal/record"
	"kstatus.dev/cmd/kstatus/internal/snapshot"
)

// getLocal judges the objects of files. It decodes and judges documents in parallel, and prints
// them in order.
func (g *command) getLocal(ctx context.Context, args []string, by output.Criteria, inputs []manifest.Input, show printer.Printer) error {
	if err := show.Start(g.StartLine(by.Now)); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	s, err := g.Files(ctx, by, g.detail(), inputs)
	if err != nil {
		return err
	}
	if g.pods {
		if err := s.CountPods(ctx, false); err != nil {
			return err
		}
	}
	if g.showsCaveats() {
		related := s.Related()
		verdicts := make([]output.Verdict, len(related.Objects))
		for i, o := range related.Objects {
			verdicts[i] = output.Verdict{Object: output.Object{ID: o.ID, Result: o.Result}}
		}
		(&explainer.Flags{ShowSecrets: g.ShowSecrets}).AddCaveatsOf(related, verdicts)
		s.AddCaveats(verdicts)
	}
	t := &output.Tally{Unread: s.Unread}
	var all []output.Verdict // for --sort-by and names, which need all verdicts
	whole := g.readsFields() || len(args) > 0 || g.notCurrent
	for verdicts := range manifest.InOrder(s.Documents, runtime.GOMAXPROCS(0), s.Verdicts) {
		for _, v := range verdicts {
			g.PrintProblems(v)
			if whole {
				all = append(all, v)
				continue
			}
			t.Add(v)
			if err := show.Object(v); err != nil {
				return fmt.Errorf("print: %w", err)
			}
		}
	}
	if len(args) > 0 {
		if all, err = snapshot.Named(args, all); err != nil {
			return err
		}
	}
	for _, v := range all {
		t.Add(v)
	}
	if g.fields != nil {
		g.fields.Single = len(all) == 1
	}
	if err := g.showAll(show, all); err != nil {
		return err
	}
	return g.Finish(show, t, by.Now)
}

// replay prints the state of all objects at the end of a recorded run.
func (g *command) replay(rec *record.Recording, args []string, show printer.Printer) error {
	if g.readsFields() || g.labels || len(g.labelColumns) > 0 {
		return exit.Usagef("-o %s, --sort-by and labels cannot be used with a record, which holds verdicts only", g.output)
	}
	all, err := g.Select(rec.Verdicts(), args)
	if err != nil {
		return err
	}
	rec.Notes(g.Env.Err)
	if len(all) == 0 {
		g.PrintNoObjects()
	}
	return rec.Print(show, all, rec.Tally(all), g.ExitCode)
}

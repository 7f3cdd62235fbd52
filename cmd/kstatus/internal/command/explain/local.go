package explain

import (
	"context"
	"fmt"

	"kstatus.dev/cmd/kstatus/internal/explainer"
	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/cmd/kstatus/internal/printer"
	"kstatus.dev/cmd/kstatus/internal/record"
	"kstatus.dev/cmd/kstatus/internal/selection"
	"kstatus.dev/explain"
	"kstatus.dev/status"
)

// explainLocal explains objects of files, or of a record. All objects in the files are facts,
// including objects that are not named.
func (x *command) explainLocal(ctx context.Context, args []string, by output.Criteria) error {
	inputs, err := x.ReadFiles(ctx)
	if err != nil {
		return err
	}
	rec, err := x.recordFlags.Replay(inputs)
	if err != nil {
		return err
	}
	if rec != nil {
		if err := x.CheckReplay(); err != nil {
			return err
		}
		return x.replay(rec, args)
	}
	x.AsOf(&by, inputs)
	files, err := x.Files(ctx, by, output.DetailObject, inputs)
	if err != nil {
		return err
	}
	if err := files.CountPods(ctx, true); err != nil {
		return err
	}
	s := &subject{facts: &explain.Facts{Now: by.Now}, named: len(args) > 0 && !selection.Request{Args: args}.ByType()}
	all, err := files.Collect(args, s.facts, &s.tally, func(v output.Verdict) {
		if v.Unjudged {
			x.PrintProblems(v)
		}
	})
	if err != nil {
		return err
	}
	for _, v := range all {
		s.objects = append(s.objects, v)
		s.tally.Add(v)
		x.PrintProblems(v)
	}
	return x.print(by, s)
}

// replay explains a recorded run again.
func (x *command) replay(rec *record.Recording, args []string) error {
	facts, about := rec.Explanations()
	all, err := x.Select(about, args)
	if err != nil {
		return err
	}
	why := explain.Explain(facts, output.IDs(all)...)
	if rec.Start.Record.Of == "wait" { // as the wait printed it
		why.OfUnmetGoals = true
		why = (&explainer.Explanation{Explanation: why}).Sorted()
	}
	noun := rec.Noun()
	if rec.Start.Record.Of == "wait" {
		noun = "object" // the record has a number and a noun
	}
	t := rec.Tally(all)
	if r := rec.Result; r != nil && len(all) == len(about) && (rec.Start.Record.Of == "explain" || len(args) == 0 && r.Counts[status.CurrentStatus] == r.Objects) {
		t.Objects, t.Counts = r.Objects, r.Counts
	}
	show := x.printer(why, facts, others{current: t.Objects - len(all), noun: noun})
	rec.Notes(x.Env.Err)
	if rec.OnlyVerdicts() {
		fmt.Fprintln(x.Env.Err, "note: a record of kstatus get has verdicts without causes; kstatus explain --record and kstatus wait --record keep the causes too")
	}
	if t.Objects == 0 {
		x.PrintNoObjects()
	}
	return rec.Print(printer.Causes{Printer: show, Why: why}, all, t, x.ExitCode)
}

package main

import (
	"context"

	"kstatus.dev/explain"
)

// explainLocal explains objects of files, or of a record. Everything in the files
// is known, also what is not named.
func (x *explainCommand) explainLocal(ctx context.Context, args []string, by criteria) error {
	inputs, err := x.readFiles(ctx)
	if err != nil {
		return err
	}
	rec, err := x.recordFlags.replayed(inputs)
	if err != nil {
		return err
	}
	if rec != nil {
		if err := x.checkReplay(); err != nil {
			return err
		}
		return x.replay(rec, args)
	}
	files, err := x.ofFiles(ctx, by, detailObject, inputs)
	if err != nil {
		return err
	}
	s := &subject{facts: &explain.Facts{Now: by.now}, named: len(args) > 0 && !request{args: args}.byType()}
	all, err := files.collect(args, s.facts, &s.tally, func(v verdict) {
		if v.unjudged {
			x.printProblems(v)
		}
	})
	if err != nil {
		return err
	}
	for _, v := range all {
		s.objects = append(s.objects, v)
		s.tally.add(v)
		x.printProblems(v)
	}
	return x.print(by, s)
}

// replay explains again what a run has explained that was recorded.
func (x *explainCommand) replay(rec *recording, args []string) error {
	facts, about := rec.explained()
	all, err := x.named(about, args)
	if err != nil {
		return err
	}
	why := explain.Explain(facts, idsOf(all)...)
	t := rec.tally(all)
	if rec.start.Record.Of == "explain" && len(all) == len(about) && rec.result != nil {
		t.objects, t.counts = rec.result.Objects, rec.result.Counts
	}
	show := x.printer(why, facts, t.objects-len(all), rec.noun())
	rec.notes(x.env.err)
	if len(all) == 0 {
		x.noteNothing()
	}
	return rec.print(causing{show, why}, all, t, x.exitCode)
}

func idsOf(all []verdict) (ids []explain.ID) {
	for _, v := range all {
		ids = append(ids, explain.ID(v.ID))
	}
	return ids
}

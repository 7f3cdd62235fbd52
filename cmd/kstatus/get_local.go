package main

import (
	"context"
	"fmt"
	"runtime"
)

// getLocal judges the objects of files. Documents are decoded and judged on all
// processors and shown in their order.
func (g *getCommand) getLocal(ctx context.Context, args []string, by criteria, inputs []input, show printer) error {
	if len(args) > 0 {
		return usagef("%s: with --local, objects come from -f or -k only", args[0])
	}
	if err := show.start(g.startLine(by.now)); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	s, err := g.ofFiles(ctx, by, g.detail(), inputs)
	if err != nil {
		return err
	}
	t := &tally{unread: s.unread}
	for verdicts := range inOrder(s.pieces, runtime.GOMAXPROCS(0), s.verdicts) {
		for _, v := range verdicts {
			t.add(v)
			g.printProblems(v)
			if err := show.object(v); err != nil {
				return fmt.Errorf("print: %w", err)
			}
		}
	}
	return g.finish(show, t, by.now)
}

// replay shows how everything was at the end of a run that was recorded.
func (g *getCommand) replay(rec *recording, args []string, show printer) error {
	all, err := g.named(rec.verdicts(), args)
	if err != nil {
		return err
	}
	rec.notes(g.env.err)
	if len(all) == 0 {
		g.noteNothing()
	}
	return rec.print(show, all, rec.tally(all), g.exitCode)
}

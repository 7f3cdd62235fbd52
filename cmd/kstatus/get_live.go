package main

import (
	"context"
	"fmt"
)

// getLive judges objects as they stand in the clusters. Those of a TYPE are
// listed; all others are looked up, and shown as NotFound where they do not exist.
func (g *getCommand) getLive(ctx context.Context, args []string, by criteria, show printer) error {
	asked, unread := g.selection.request(ctx, g.env.in, args)
	if unread != nil && len(asked.items) == 0 {
		return unread
	}
	clusters, err := g.selection.connectAll(ctx, g.env, g.connection, by.rules)
	if err != nil {
		return err
	}
	errs := []error{unread}
	found, n := make([][]selected, len(clusters)), 0
	for i, c := range clusters {
		found[i], err = g.selection.listed(ctx, c, asked)
		n += len(found[i])
		errs = append(errs, err)
	}
	t := &tally{}
	if err := g.partly(errs, n > 0, t); err != nil {
		return err
	}
	start := g.startLine(by.now)
	start.Objects, start.Contexts = new(n), g.selection.contexts
	if err := show.start(start); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	for i, c := range clusters {
		verdicts, err := lookUp(ctx, c, c.judge(by, g.detail()), found[i])
		if err != nil {
			return err
		}
		for _, v := range verdicts {
			t.add(v)
			if err := show.object(v); err != nil {
				return fmt.Errorf("print: %w", err)
			}
		}
	}
	return g.finish(show, t, by.now)
}

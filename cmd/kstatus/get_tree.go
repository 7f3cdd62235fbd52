package main

import (
	"context"
	"fmt"
	"time"

	"kstatus.dev/explain"
	"kstatus.dev/observe"
)

// How many requests a tree may take, in each cluster, beside those for the
// objects asked for.
const (
	mostForTree = 100
	mostForDeep = 1000
)

// A forest is the objects that are asked for, and what has been found below them.
type forest struct {
	asked  map[explain.ID]verdict
	ids    []explain.ID
	facts  explain.Facts
	owners map[explain.ID]explain.ID // of what is owned by no reference of its own
	tally  tally                     // of those asked for
}

func newForest() *forest {
	return &forest{asked: map[explain.ID]verdict{}, owners: map[explain.ID]explain.ID{}}
}

// ask takes an object that is asked for.
func (f *forest) ask(v verdict) {
	id := explain.ID(v.ID)
	if _, twice := f.asked[id]; twice {
		return
	}
	f.asked[id] = v
	f.ids = append(f.ids, id)
	f.tally.add(v)
}

// treeLive shows trees of objects as they stand in the clusters.
func (g *getCommand) treeLive(ctx context.Context, args []string, by criteria, show printer) error {
	g.selection.expand = true
	asked, unread := g.selection.request(ctx, g.env.in, args)
	if unread != nil && len(asked.items) == 0 {
		return unread
	}
	clusters, err := g.selection.connectAll(ctx, g.env, g.connection, by.rules)
	if err != nil {
		return err
	}
	f := newForest()
	errs := []error{unread}
	for _, c := range clusters {
		found, err := g.selection.listed(ctx, c, asked)
		errs = append(errs, err)
		if err := f.collect(ctx, c, c.judge(by, detailObject), found, g.deep); err != nil {
			return err
		}
	}
	if err := g.partly(errs, len(f.ids) > 0, &f.tally); err != nil {
		return err
	}
	return g.showForest(by, f, show)
}

// collect reads what there is below objects of a cluster.
func (f *forest) collect(ctx context.Context, c *connected, j judge, found []selected, deep bool) error {
	verdicts, err := lookUp(ctx, c, j, found)
	if err != nil {
		return err
	}
	var ids []explain.ID
	var known []explain.Thing
	for _, v := range verdicts {
		f.ask(v)
		ids, known = append(ids, explain.ID(v.ID)), append(known, v.asThing())
	}
	for owned, owner := range c.owners {
		f.owners[idOfTarget(owned)] = idOfTarget(owner)
	}
	r := (&whyFlags{logs: "none"}).reader(c, j)
	r.Deep, r.Most = deep, mostForTree
	if deep {
		r.Most = mostForDeep
	}
	facts, err := r.Tree(ctx, ids, known...)
	if err != nil {
		return err
	}
	f.facts.Things = append(f.facts.Things, facts.Things...)
	f.facts.Gaps = append(f.facts.Gaps, facts.Gaps...)
	return nil
}

func idOfTarget(t observe.Target) explain.ID { return explain.ID(identityOfTarget(t)) }

// treeLocal shows trees of the objects of files.
func (g *getCommand) treeLocal(ctx context.Context, args []string, by criteria, inputs []input, show printer) error {
	files, err := g.ofFiles(ctx, by, detailObject, inputs)
	if err != nil {
		return err
	}
	f := newForest()
	all, err := files.collect(args, &f.facts, &f.tally, g.printProblems)
	if err != nil {
		return err
	}
	for _, v := range all {
		f.ask(v)
	}
	return g.showForest(by, f, show)
}

// treeAgain shows trees of what a run has told that was recorded.
func (g *getCommand) treeAgain(rec *recording, args []string, by criteria, show printer) error {
	facts, about := rec.explained()
	asked, err := g.named(about, args)
	if err != nil {
		return err
	}
	rec.notes(g.env.err)
	f := newForest()
	f.facts = *facts
	for _, v := range asked {
		f.ask(v)
		f.facts.Things = append(f.facts.Things, v.asThing())
	}
	return g.showForest(by, f, show)
}

// showForest shows trees, and says what could not be seen.
func (g *getCommand) showForest(by criteria, f *forest, show printer) error {
	start := g.startLine(by.now)
	start.Contexts = g.selection.contexts
	if err := show.start(start); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	all := tally{}
	var grow func(t explain.Tree, above *identity) error
	grow = func(t explain.Tree, above *identity) error {
		v, asked := f.asked[t.ID]
		if !asked {
			v = by.judge(detailObject).known(*t.Thing)
		}
		v.Parent = above
		all.add(v)
		if err := show.object(v); err != nil {
			return fmt.Errorf("print: %w", err)
		}
		for _, part := range t.Parts {
			if err := grow(part, &v.ID); err != nil {
				return err
			}
		}
		return nil
	}
	for _, t := range explain.Trees(&f.facts, f.owners, f.ids...) {
		if err := grow(t, nil); err != nil {
			return err
		}
	}
	for _, gap := range f.facts.Gaps {
		g.env.print("note: not seen: %s", gap)
	}
	return g.finish(ofAll{show, &all, f.facts.Gaps}, &f.tally, by.now)
}

// ofAll has the last line count all objects that are shown, where the outcome is
// that of those asked for.
type ofAll struct {
	printer
	all  *tally
	gaps []explain.Gap
}

func (p ofAll) end(l resultLine) error {
	of := p.all.result(time.Time{}, l.ExitCode)
	l.Objects, l.Counts, l.NotSeen = of.Objects, of.Counts, p.gaps
	return p.printer.end(l)
}

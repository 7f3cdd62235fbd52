package get

import (
	"context"
	"fmt"
	"time"

	"kstatus.dev/cmd/kstatus/internal/explainer"
	"kstatus.dev/cmd/kstatus/internal/manifest"
	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/cmd/kstatus/internal/printer"
	"kstatus.dev/cmd/kstatus/internal/record"
	"kstatus.dev/cmd/kstatus/internal/selection"
	"kstatus.dev/cmd/kstatus/internal/snapshot"
	"kstatus.dev/explain"
	"kstatus.dev/kube/tree"
	"kstatus.dev/status"
)

// The maximum number of requests for a tree in each cluster, without the requests for the
// requested objects.
const (
	mostForTree = 100
	mostForDeep = 1000
)

// A forest is the requested objects, and the objects found below them.
type forest struct {
	asked  map[explain.ID]output.Verdict
	ids    []explain.ID
	facts  explain.Facts
	owners map[explain.ID]explain.ID // owners of objects without an ownerReference
	tally  output.Tally              // of the requested objects
	take   func(selection.Object, output.Verdict) bool
}

func newForest() *forest {
	return &forest{asked: map[explain.ID]output.Verdict{}, owners: map[explain.ID]explain.ID{}}
}

// ask adds a requested object.
func (f *forest) ask(v output.Verdict) {
	id := v.ID
	if _, twice := f.asked[id]; twice {
		return
	}
	f.asked[id] = v
	f.ids = append(f.ids, id)
	f.tally.Add(v)
}

// treeLive prints trees of the objects of clusters.
func (g *command) treeLive(ctx context.Context, args []string, by output.Criteria, show printer.Printer) error {
	g.Selection.Expand = true
	wanted, clusters, unread, err := g.Connect(ctx, args, by)
	if err != nil {
		return err
	}
	f := newForest()
	f.take = g.take
	errs := []error{unread}
	for _, c := range clusters {
		found, err := g.Selection.List(ctx, c, wanted)
		errs = append(errs, err)
		look := snapshot.Look{Cluster: c, Judge: c.Judge(by, output.DetailObject), Pods: g.pods, OwnText: true, FirstStatus: g.first}
		if err := f.collect(ctx, look, found, g.deep, g.ShowSecrets); err != nil {
			return err
		}
	}
	if err := g.ReportPartial(errs, len(f.ids) > 0, &f.tally); err != nil {
		return err
	}
	all := make([]output.Verdict, len(f.ids))
	for i, id := range f.ids {
		all[i] = f.asked[id]
	}
	if err := g.addCaveats(ctx, clusters, by, all); err != nil {
		return err
	}
	for i, id := range f.ids {
		f.asked[id] = all[i]
	}
	return g.showForest(by, f, show)
}

// collect reads the objects below the found objects of a cluster.
func (f *forest) collect(ctx context.Context, look snapshot.Look, found []selection.Object, deep, show bool) error {
	verdicts, err := look.LookUp(ctx, found)
	if err != nil {
		return err
	}
	var ids []explain.ID
	var known []explain.ObjectFact
	for i, v := range verdicts {
		if !f.take(found[i], v) {
			continue
		}
		f.ask(v)
		ids, known = append(ids, v.ID), append(known, v.Fact())
	}
	for owned, owner := range look.Cluster.Owners {
		f.owners[tree.IDOf(owned)] = tree.IDOf(owner)
	}
	r := (&explainer.Flags{Logs: "none", ShowSecrets: show}).Reader(look.Cluster, look.Judge)
	r.SearchAllKinds, r.MaxRequests = deep, mostForTree
	if deep {
		r.MaxRequests = mostForDeep
	}
	facts, err := r.Tree(ctx, ids, known...)
	if err != nil {
		return err
	}
	f.facts.Objects = append(f.facts.Objects, facts.Objects...)
	f.facts.Gaps = append(f.facts.Gaps, facts.Gaps...)
	return nil
}

// treeLocal prints trees of the objects of files.
func (g *command) treeLocal(ctx context.Context, args []string, by output.Criteria, inputs []manifest.Input, show printer.Printer) error {
	files, err := g.Files(ctx, by, output.DetailObject, inputs)
	if err != nil {
		return err
	}
	f := newForest()
	all, err := files.Collect(args, &f.facts, &f.tally, g.PrintProblems)
	if err != nil {
		return err
	}
	for _, v := range all {
		f.ask(v)
	}
	return g.showForest(by, f, show)
}

// treeAgain prints trees of the objects of a recorded run.
func (g *command) treeAgain(rec *record.Recording, args []string, by output.Criteria, show printer.Printer) error {
	facts, about := rec.Explained()
	asked, err := g.Select(about, args)
	if err != nil {
		return err
	}
	rec.Notes(g.Env.Err)
	f := newForest()
	f.facts = *facts
	for _, v := range asked {
		f.ask(v)
		f.facts.Objects = append(f.facts.Objects, v.Fact())
	}
	return g.showForest(by, f, show)
}

// showForest prints trees, and notes about objects that could not be read.
func (g *command) showForest(by output.Criteria, f *forest, show printer.Printer) error {
	start := g.StartLine(by.Now)
	start.Contexts = g.Selection.Contexts
	if err := show.Start(start); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	all := output.Tally{}
	var grow func(t explain.Tree, above *explain.ID) error
	grow = func(t explain.Tree, above *explain.ID) error {
		v, asked := f.asked[t.ID]
		if !asked {
			v = by.Judge(output.DetailObject).Known(*t.ObjectFact)
		}
		v.Parent = above
		all.Add(v)
		if err := show.Object(v); err != nil {
			return fmt.Errorf("print: %w", err)
		}
		for _, part := range t.Parts {
			if err := grow(part, &v.ID); err != nil {
				return err
			}
		}
		return nil
	}
	for _, t := range f.facts.Trees(f.owners, f.ids...) {
		if root := f.asked[t.ID]; g.notCurrent && root.Status == status.CurrentStatus {
			continue
		}
		if err := grow(t, nil); err != nil {
			return err
		}
	}
	for _, gap := range f.facts.Gaps {
		g.Env.Print("note: not read: %s", gap)
	}
	return g.Finish(countAll{show, &all, f.facts.Gaps}, &f.tally, by.Now)
}

// countAll is a printer whose last line counts all objects in the trees. The outcome in that
// line is of the requested objects.
type countAll struct {
	printer.Printer
	all  *output.Tally
	gaps []explain.Gap
}

// End prints the last line with the counts of all objects.
func (p countAll) End(l output.Result) error {
	of := p.all.Result(time.Time{}, l.ExitCode)
	l.Objects, l.Counts, l.NotSeen = of.Objects, of.Counts, p.gaps
	return p.Printer.End(l)
}

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
	"kstatus.dev/status"
)

// The maximum number of requests for a tree in each cluster, without the requests for the
// requested objects.
const (
	maxTreeRequests = 100
	maxDeepRequests = 1000
)

// A treeInput is the requested objects, and the objects found below them.
type treeInput struct {
	requested map[status.ID]output.Verdict
	ids       []status.ID
	facts     explain.Facts
	owners    map[status.ID]status.ID // owners of objects without an ownerReference
	tally     output.Tally            // of the requested objects
	accept    func(selection.Object, output.Verdict) bool
}

func newTreeInput() *treeInput {
	return &treeInput{requested: map[status.ID]output.Verdict{}, owners: map[status.ID]status.ID{}}
}

// add adds a requested object.
func (f *treeInput) add(v output.Verdict) {
	id := v.ID
	if _, twice := f.requested[id]; twice {
		return
	}
	f.requested[id] = v
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
	f := newTreeInput()
	f.accept = g.accept
	errs := []error{unread}
	for _, c := range clusters {
		found, err := g.Selection.List(ctx, c, wanted)
		errs = append(errs, err)
		reader := snapshot.Reader{Cluster: c, Judge: c.Judge(by, output.DetailObject), Pods: g.pods, OwnText: true, FirstStatus: g.firstStatus}
		if err := f.collect(ctx, reader, found, g.deep, g.ShowSecrets); err != nil {
			return err
		}
	}
	if err := g.ReportPartial(errs, len(f.ids) > 0, &f.tally); err != nil {
		return err
	}
	all := make([]output.Verdict, len(f.ids))
	for i, id := range f.ids {
		all[i] = f.requested[id]
	}
	if err := g.addCaveats(ctx, clusters, by, all); err != nil {
		return err
	}
	for i, id := range f.ids {
		f.requested[id] = all[i]
	}
	return g.printTrees(by, f, show)
}

// collect reads the objects below the found objects of a cluster.
func (f *treeInput) collect(ctx context.Context, reader snapshot.Reader, found selection.Found, deep, show bool) error {
	verdicts, err := reader.LookUp(ctx, found.Objects)
	if err != nil {
		return err
	}
	var ids []status.ID
	var known []explain.ObjectFact
	for i, v := range verdicts {
		if !f.accept(found.Objects[i], v) {
			continue
		}
		f.add(v)
		ids, known = append(ids, v.ID), append(known, v.Fact())
	}
	for owned, owner := range found.Owners {
		f.owners[owned.ID()] = owner.ID()
	}
	r := (&explainer.Flags{Logs: "none", ShowSecrets: show}).Reader(reader.Cluster, reader.Judge)
	r.SearchAllKinds, r.MaxRequests = deep, maxTreeRequests
	if deep {
		r.MaxRequests = maxDeepRequests
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
	if err := files.CountPods(ctx, true); err != nil {
		return err
	}
	f := newTreeInput()
	all, err := files.Collect(args, &f.facts, &f.tally, g.PrintProblems)
	if err != nil {
		return err
	}
	for _, v := range all {
		f.add(v)
	}
	for i := range f.facts.Objects {
		f.facts.Objects[i].Parts = nil // the tree has the Pods themselves
	}
	return g.printTrees(by, f, show)
}

// treeReplay prints trees of the objects of a recorded run.
func (g *command) treeReplay(rec *record.Recording, args []string, by output.Criteria, show printer.Printer) error {
	facts, about := rec.Explanations()
	asked, err := g.Select(about, args)
	if err != nil {
		return err
	}
	rec.Notes(g.Env.Err)
	f := newTreeInput()
	f.facts = *facts
	for _, v := range asked {
		f.add(v)
		f.facts.Objects = append(f.facts.Objects, v.Fact())
	}
	return g.printTrees(by, f, show)
}

// printTrees prints trees, and notes about objects that could not be read.
func (g *command) printTrees(by output.Criteria, f *treeInput, show printer.Printer) error {
	start := g.StartLine(by.Now)
	start.Contexts = g.Selection.Contexts
	if err := show.Start(start); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	all := output.Tally{}
	var printTree func(t explain.Tree, parent *status.ID) error
	printTree = func(t explain.Tree, parent *status.ID) error {
		v, isRequested := f.requested[t.ID]
		if !isRequested {
			v = by.Judge(output.DetailObject).FromFact(*t.ObjectFact)
		}
		v.Parent = parent
		all.Add(v)
		if err := show.Object(v); err != nil {
			return fmt.Errorf("print: %w", err)
		}
		for _, part := range t.Parts {
			if err := printTree(part, &v.ID); err != nil {
				return err
			}
		}
		return nil
	}
	for _, t := range f.facts.Trees(f.owners, f.ids...) {
		if root := f.requested[t.ID]; g.notCurrent && root.Status == status.CurrentStatus {
			continue
		}
		if err := printTree(t, nil); err != nil {
			return err
		}
	}
	for _, gap := range f.facts.Gaps {
		g.Env.Print("note: not read: %s", gap)
	}
	return g.Finish(treeCountPrinter{show, &all, f.facts.Gaps}, &f.tally, by.Now)
}

// treeCountPrinter is a printer whose last line counts all objects in the trees. The outcome in
// that line is of the requested objects.
type treeCountPrinter struct {
	printer.Printer
	all  *output.Tally
	gaps []explain.Gap
}

// End prints the last line with the counts of all objects.
func (p treeCountPrinter) End(l output.Result) error {
	of := p.all.Result(time.Time{}, l.ExitCode)
	l.Objects, l.Counts, l.NotSeen = of.Objects, of.Counts, p.gaps
	return p.Printer.End(l)
}

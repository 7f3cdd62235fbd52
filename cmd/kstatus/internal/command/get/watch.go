package get

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"kstatus.dev/cmd/kstatus/internal/cli"
	"kstatus.dev/cmd/kstatus/internal/connection"
	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/cmd/kstatus/internal/manifest"
	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/cmd/kstatus/internal/printer"
	"kstatus.dev/cmd/kstatus/internal/terminal"
	"kstatus.dev/cmd/kstatus/internal/waitview"
	kubesource "kstatus.dev/kube/source"
	"kstatus.dev/observe"
	"kstatus.dev/observe/grace"
	"kstatus.dev/status"
)

// follow implements get --watch: it prints the objects, and then each change until it is
// interrupted.
func (g *command) follow(ctx context.Context, args []string, by output.Criteria, show printer.Printer) error {
	asked, err := g.Selection.Request(ctx, g.Env, args)
	if err != nil {
		return err
	}
	began := g.Env.Now()
	shown := g.display()
	ctx, done := shown.UntilSignal(ctx)
	defer done()
	clusters, err := g.Selection.Connect(ctx, g.Env, g.Connection, by.Rules)
	if err != nil {
		return cli.CutShort(ctx, err)
	}
	durations := waitview.NewDurations("", connection.ContextOf(clusters), g.Env.Now, g.Env.Print)
	clock := waitview.NewEventClock(began)
	config := waitview.Config{
		Out: g.Env.Out, Now: g.Env.Now, EventTime: clock.Now, Began: clock.First, Progress: durations.Progress,
		Brief: waitview.Brief{Request: g.Selection.Summary(asked, clusters), Profile: g.Profile},
	}
	follow := waitview.Multi{durations, g.view(config, shown, show, by)}
	var all []waitview.Target
	var targets []observe.Target
	for _, c := range clusters {
		some, err := g.Selection.Resolve(ctx, c, asked)
		if err != nil {
			return cli.CutShort(ctx, connection.WithExitCode(err))
		}
		for _, o := range some.Objects {
			all = append(all, waitview.Target{Target: o.Target, Source: o.From})
			targets = append(targets, o.Target)
		}
	}
	if err := follow.Start(); err != nil {
		return err
	}
	follow.SetTargets(all)
	f := &changeLoop{targets: targets, show: follow, clock: clock, now: g.Env.Now, showSecrets: g.ShowSecrets, isLive: shown.Mode == cli.ProgressLive}
	return g.watchChanges(ctx, g.watcher(clusters, by), f)
}

// display decides how the watch is shown: live only if no other program reads the output.
func (g *command) display() (s waitview.Display) {
	if g.output != "table" || !cli.IsTerminal(g.Env.Out) || g.Env.LiveTerminal() == nil {
		return s
	}
	s.Mode, s.Style, s.MaxWidth = cli.ProgressLive, g.Env.LiveStyle(g.Colour), g.Env.Columns()
	s.Screen = terminal.NewScreen(g.Env.LiveTerminal())
	g.Env.Err = s.Screen
	return s
}

func (g *command) view(l waitview.Config, s waitview.Display, show printer.Printer, by output.Criteria) waitview.View {
	switch {
	case s.Mode == cli.ProgressLive:
		v := waitview.NewLive(l, s)
		v.Bare = true
		return v
	case g.output == "json":
		return waitview.NewJSON(l)
	}
	return &changePrinter{Config: l, printer: show, opening: g.StartLine(by.Now)}
}

// watcher returns the watcher of the clusters. Its verdicts are the verdicts of get: no object
// has a grace.
func (g *command) watcher(clusters []*connection.Cluster, by output.Criteria) observe.Watcher {
	evaluator := by.Evaluator
	evaluator.Now = nil // verdicts use the current time
	return observe.Watcher{
		Source:       connection.SourceOf(clusters, func(c *kubesource.Cluster) { c.PartsFirst, c.FollowParts = true, true }, func(cluster, note string) { g.Env.Print("note: %s", note) }),
		Evaluator:    evaluator,
		Requirements: observe.Requirements{Grace: grace.None(), FirstStatus: g.firstStatus, KeepDeleted: true},
		Evidence:     g.detail() != output.DetailVerdict,
	}
}

// A changeLoop holds the targets and the state of get --watch.
type changeLoop struct {
	targets []observe.Target
	show    waitview.View
	clock   *waitview.EventClock
	now     func() time.Time
	board   observe.Board

	showSecrets bool
	isLive      bool                              // each update is shown at once
	held        map[observe.Target]observe.Update // the latest update of each object until every target has one
}

// hold keeps an update, and returns the updates to show: none until every target has one. The first
// row of an object then counts its Pods, which are reported after it.
func (f *changeLoop) hold(u observe.Update) []observe.Update {
	if f.isLive || f.board.Synced() {
		return []observe.Update{u}
	}
	if f.held == nil {
		f.held = map[observe.Target]observe.Update{}
	}
	if f.held[u.Target] = u; !u.Synced {
		return nil
	}
	return f.release()
}

// release returns the held updates in the order of their targets.
func (f *changeLoop) release() []observe.Update {
	all := slices.SortedFunc(maps.Values(f.held), func(x, y observe.Update) int { return x.Target.Compare(y.Target) })
	f.held = nil
	for i := range all {
		all[i].Synced = i == len(all)-1
	}
	return all
}

// update shows updates.
func (f *changeLoop) update(all []observe.Update) error {
	for _, u := range all {
		f.board.Add(u)
		if err := f.show.Update(waitview.NewEvent(u), &f.board); err != nil {
			return err
		}
	}
	return nil
}

// watchChanges shows all changes until ctx ends.
func (g *command) watchChanges(ctx context.Context, watcher observe.Watcher, f *changeLoop) error {
	for u, err := range watcher.Updates(ctx, f.targets...) {
		f.clock.Set(f.now())
		if err == nil && u.Progress == observe.ProgressUnreadable && u.Target.IsSelection() {
			err = forbiddenError(u)
		}
		if err != nil {
			return err
		}
		if !f.showSecrets {
			u = output.RedactUpdate(u)
		}
		if err := f.update(f.hold(u)); err != nil {
			return err
		}
	}
	f.clock.Set(f.now())
	if err := f.update(f.release()); err != nil {
		return err
	}
	code := waitview.ExitCode(observe.OutcomeInterrupted, context.Cause(ctx))
	if len(f.targets) == 0 {
		g.PrintNoObjects()
		code = exit.OK
	}
	if g.ExitCode {
		code = tallyOf(&f.board).Code()
	}
	if err := waitview.Finish(f.show, &f.board, waitview.Result{Code: code}); err != nil {
		return err
	}
	return exit.With(code)
}

// forbiddenError returns the error for objects of a type that the user may not list or watch.
func forbiddenError(u observe.Update) error {
	code := exit.Uncertain
	if u.Result.Reason == status.ReasonForbidden {
		code = exit.Forbidden
	}
	return &exit.Error{Code: code, Err: fmt.Errorf("%s: %s", u.Target, u.Message())}
}

// tallyOf counts the updates on a board.
func tallyOf(b *observe.Board) *output.Tally {
	t := &output.Tally{}
	for _, u := range b.Updates() {
		if !u.Target.IsSelection() {
			t.Add(output.VerdictOf(u, time.Time{}))
		}
	}
	return t
}

// changePrinter is a view in one of the formats of get. It prints all objects once every target has an
// update, and then each change.
type changePrinter struct {
	waitview.Base
	waitview.Config
	printer printer.Printer
	opening output.Start
	sources map[observe.Target]*manifest.Source
}

// Start prints the first line.
func (p *changePrinter) Start() error { return p.printer.Start(p.opening) }

// SetTargets keeps the files that name the targets.
func (p *changePrinter) SetTargets(all []waitview.Target) {
	p.sources = waitview.SourcesOf(all)
}

// Update prints an update. A table has the first rows of all objects together.
func (p *changePrinter) Update(u waitview.Event, b *observe.Board) error {
	if !u.Target.IsSelection() {
		v := output.VerdictOf(u.Update, p.EventTime())
		v.Source = p.sources[u.Target]
		if err := p.printer.Object(v); err != nil {
			return fmt.Errorf("print: %w", err)
		}
	}
	if f, ok := p.printer.(printer.Flusher); ok && b.Synced() {
		return f.Flush(p.Now())
	}
	return nil
}

// Result prints the last line.
func (p *changePrinter) Result(b *observe.Board, e waitview.Result) error {
	return p.printer.End(tallyOf(b).Result(p.EventTime(), e.Code))
}

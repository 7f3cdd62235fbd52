package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	kubesource "kstatus.dev/kube/source"
	"kstatus.dev/observe"
)

// follow is get --watch: where the objects stand, and then each change, until
// it is interrupted.
func (g *getCommand) follow(ctx context.Context, args []string, by criteria, show printer) error {
	asked, err := g.selection.request(ctx, g.env.in, args)
	if err != nil {
		return err
	}
	began := g.env.now()
	shown := g.display()
	ctx, done := shown.untilSignal(ctx)
	defer done()
	clusters, err := g.selection.connectAll(ctx, g.env, g.connection, by.rules)
	if err != nil {
		return err
	}
	past := newDurations("", contextOf(clusters), g.env.now, g.env.print)
	told := newEventClock(began)
	look := config{
		out: g.env.out, now: g.env.now, at: told.at, began: told.first, progress: past.progress,
		brief: brief{request: g.selection.summary(asked, clusters), profile: g.profile},
	}
	follow := views{past, g.view(look, shown, show, by)}
	var all []target
	var targets []observe.Target
	for _, c := range clusters {
		some, err := g.selection.live(ctx, c, asked)
		if err != nil {
			return permitted(err)
		}
		for _, o := range some {
			all = append(all, target{o.target, o.from})
			targets = append(targets, o.target)
		}
	}
	if err := follow.start(); err != nil {
		return err
	}
	follow.know(all)
	f := &changeLoop{targets: targets, show: follow, clock: told, now: g.env.now}
	return g.tellChanges(ctx, g.watcher(clusters, by), f)
}

// display decides how the watch is shown: live only where nothing else reads it.
func (g *getCommand) display() (s display) {
	if g.output != "table" || !isTerminal(g.env.out) || g.env.liveTerminal() == nil {
		return s
	}
	s.mode, s.style, s.most = progressLive, g.env.liveStyle(g.colour), g.env.columns()
	s.screen = newScreen(g.env.liveTerminal())
	g.env.err = s.screen
	return s
}

func (g *getCommand) view(l config, s display, show printer, by criteria) view {
	switch {
	case s.mode == progressLive:
		v := newLiveView(l, s)
		v.bare = true
		return v
	case g.output == "json":
		return newJSONView(l)
	}
	return &changes{config: l, printer: show, opening: g.startLine(by.now)}
}

// watcher returns who watches the clusters. Verdicts are those of get: nothing
// has a grace, and what has not been reported is waited for without end.
func (g *getCommand) watcher(clusters []*connected, by criteria) observe.Watcher {
	evaluator := by.evaluator
	evaluator.Now = nil // time goes on
	return observe.Watcher{
		Source:    sourceOf(clusters, func(c *kubesource.Cluster) {}, func(cluster, note string) { g.env.print("note: %s", note) }),
		Evaluator: evaluator,
		Expect:    promised(clusters),
		Related:   related(clusters),
		Choose:    chosen(clusters),
		Terms:     observe.Terms{Grace: observe.NoGrace()},
		Explain:   g.detail() != detailVerdict,
	}
}

// A changeLoop is what get --watch follows, and where that stands.
type changeLoop struct {
	targets []observe.Target
	show    view
	clock   *eventClock
	now     func() time.Time
	board   observe.Board
}

// tellChanges tells all changes until ctx ends.
func (g *getCommand) tellChanges(ctx context.Context, watcher observe.Watcher, f *changeLoop) error {
	for u, err := range watcher.Updates(ctx, f.targets...) {
		f.clock.set(f.now())
		if err == nil && u.Standing == observe.Barred && u.Target.IsSelection() {
			err = barred(u)
		}
		if err != nil {
			return err
		}
		f.board.Add(u)
		if err := f.show.update(newEvent(u), &f.board); err != nil {
			return err
		}
	}
	f.clock.set(f.now())
	code := codeFor(observe.Interrupted, context.Cause(ctx))
	if len(f.targets) == 0 {
		g.noteNothing()
		code = exitOK
	}
	if g.exitCode {
		code = tallyOf(&f.board).code()
	}
	if err := finish(f.show, &f.board, result{code: code}); err != nil {
		return err
	}
	return exitWith(code)
}

// barred is the error about objects of a type that may not be looked at.
func barred(u observe.Update) error {
	code := exitUncertain
	if u.Result.Reason == "Forbidden" {
		code = exitForbidden
	}
	return &exitError{code: code, err: fmt.Errorf("%s: %s", u.Target, u.Message())}
}

// tallyOf counts what is on a board.
func tallyOf(b *observe.Board) *tally {
	t := &tally{}
	for _, u := range b.Updates() {
		if !u.Target.IsSelection() {
			t.add(verdictOn(u, time.Time{}))
		}
	}
	return t
}

// changes is the view that prints where objects stand, once all are known, and
// from then on each change, in one of the formats of get.
type changes struct {
	base
	config
	printer printer
	opening startLine
	first   []observe.Update
	started bool
	from    map[observe.Target]*source
}

func (p *changes) start() error { return p.printer.start(p.opening) }

func (p *changes) know(all []target) {
	p.from = sourcesOf(all)
}

func (p *changes) update(u event, _ *observe.Board) error {
	switch {
	case p.started:
		return p.print(u.Update)
	case u.Synced:
		p.started = true
		p.first = append(p.first, u.Update)
		slices.SortStableFunc(p.first, func(x, y observe.Update) int { return x.Target.Compare(y.Target) })
		return p.print(p.first...)
	}
	p.first = append(p.first, u.Update)
	return nil
}

// print prints updates, and what the printer holds back.
func (p *changes) print(all ...observe.Update) error {
	for _, u := range all {
		if u.Target.IsSelection() {
			continue
		}
		v := verdictOn(u, p.at())
		v.Source = p.from[u.Target]
		if err := p.printer.object(v); err != nil {
			return fmt.Errorf("print: %w", err)
		}
	}
	if f, ok := p.printer.(flusher); ok {
		return f.flush(p.now())
	}
	return nil
}

func (p *changes) result(b *observe.Board, e result) error {
	return p.printer.end(tallyOf(b).result(p.at(), e.code))
}

package main

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericclioptions"

	"kstatus.dev/internal/text"
	kubesource "kstatus.dev/kube/source"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// A waitCommand is kstatus wait with its flags.
type waitCommand struct {
	env        environment
	connection *genericclioptions.ConfigFlags
	selection
	ruleFlags
	waitFlags
	report reportFlags
	noting sync.Mutex // held while a cluster is quoted
}

func newWaitCommand(env environment, connection *genericclioptions.ConfigFlags, name string) *cobra.Command {
	w := &waitCommand{env: env, connection: connection}
	cmd := &cobra.Command{
		Use:         "wait [TYPE/NAME ... | TYPE [NAME ...] | SET/NAME ... | -f FILE | -k DIR | --all]",
		Short:       "Wait until objects are there, or say why they are not",
		Long:        waitLong,
		Example:     fmt.Sprintf(waitExample, name),
		Annotations: map[string]string{connects: "yes"},
		RunE: func(cmd *cobra.Command, args []string) error {
			w.latchSet = cmd.Flags().Changed("latch")
			w.leastSet = cmd.Flags().Changed("min")
			w.report.command = commandLine(cmd, args)
			return w.run(cmd.Context(), args)
		},
	}
	w.selection.addFlags(cmd)
	w.ruleFlags.addTo(cmd)
	w.waitFlags.addTo(cmd)
	w.report.addTo(cmd)
	completeContexts(cmd, connection)
	completeSets(cmd, env, connection)
	return cmd
}

// run waits. That it does is said before any server is asked, so that a slow
// one keeps nobody in the dark.
func (w *waitCommand) run(ctx context.Context, args []string) error {
	plan, err := w.plan()
	if err != nil {
		return err
	}
	if w.local {
		return w.replay(ctx, args)
	}
	rules, err := w.ruleFlags.read()
	if err != nil {
		return err
	}
	asked, err := w.asked(ctx, args)
	if err != nil {
		return err
	}
	wishes, err := w.report.requests(w.env, w.output)
	if err != nil {
		return err
	}
	shown, err := w.display()
	if err != nil {
		return err
	}
	told := newEventClock(w.env.now())
	life, done := shown.untilSignal(ctx)
	defer done()
	ctx, cancel := plan.within(life)
	defer cancel()
	clusters, err := w.connectAll(ctx, w.env, w.connection, rules)
	if err != nil {
		return err
	}
	past := newDurations(w.progress.historyFile(w.env), contextOf(clusters), told.at, w.note)
	look := config{
		out: wishes.logWriter(w.env), now: w.env.now, at: told.at, began: told.first, brief: w.brief(plan, w.summary(asked, clusters)),
		quiet: w.quiet, progress: past.progress,
	}
	show, err := w.views(look, wishes, shown, past)
	if err != nil {
		return err
	}
	if err := show.start(); err != nil {
		return err
	}
	all, err := w.targets(ctx, plan, clusters, asked)
	told.set(w.env.now())
	if err != nil {
		return unfound(ctx, err, show)
	}
	w.tellIdle(plan.idle(mappersOf(clusters), targetsOf(all)))
	targets := make([]target, len(all))
	for i, o := range all {
		targets[i] = target{o.target, o.from}
	}
	show.know(targets)
	watcher := w.watcher(plan, clusters, all)
	if shown.mode == progressLog {
		watcher.Every = w.every
	}
	f := &loop{plan: plan, targets: targetsOf(all), show: show, clock: told, now: w.env.now, notes: w.env.err}
	f.explain = func(board *observe.Board) *explained { return w.explanation(life, clusters, plan, board) }
	return f.run(ctx, watcher)
}

// brief returns what views show of a plan for some objects.
func (w *waitCommand) brief(p *plan, s summary) brief {
	b := brief{
		request: s, profile: w.profile, goals: p.terms.Goals, any: p.terms.Any, scoped: p.goals, ownGoals: p.ownGoals, timeout: &p.timeout,
	}
	for _, t := range p.timeouts {
		b.timeouts = append(b.timeouts, scopedTimeout{t.scope.text, t.value})
	}
	return b
}

// views returns all that follows the wait.
func (w *waitCommand) views(l config, wanted reportRequests, s display, past *durations) (view, error) {
	all := append(views{past}, w.view(l, s)...)
	rec, err := w.recordFlags.open()
	if err != nil {
		return nil, err
	}
	if rec != nil {
		all = append(all, newWaitRecord(l, rec))
	}
	return w.reporting(l, wanted, all), nil
}

// tellIdle tells which flags are about nothing.
func (w *waitCommand) tellIdle(all []rule) {
	for _, r := range all {
		w.note("%s %s: nothing that is waited for is meant by it", r.flag, r.scope.text)
	}
}

// unfound ends a wait for what could not be found out.
func unfound(ctx context.Context, err error, show view) error {
	err = cutShort(ctx, permitted(err))
	cut := unanswered(err) || ctx.Err() != nil
	return errors.Join(err, finish(show, new(observe.Board), result{code: codeOf(err), cut: cut, err: err}))
}

// asked returns what was asked for.
func (w *waitCommand) asked(ctx context.Context, args []string) (request, error) {
	asked, err := w.request(ctx, w.env.in, args)
	switch {
	case err != nil:
		return asked, err
	case w.leastSet && !asked.byType():
		return asked, usagef("--min %d: want a TYPE with it", w.least)
	case w.leastSet && w.expand:
		return asked, usagef("--min %d: want it without --expand", w.least)
	}
	return asked, nil
}

// watcher returns who watches the clusters by the plan.
func (w *waitCommand) watcher(p *plan, clusters []*connected, all []selected) observe.Watcher {
	floors := map[observe.Target]observe.Floor{}
	for _, o := range all {
		if o.floor != (observe.Floor{}) {
			floors[o.target] = o.floor
		}
	}
	return observe.Watcher{
		Source:    sourceOf(clusters, func(c *kubesource.Cluster) { c.Data, c.Endpoints = c.Data || p.looksInside(), w.endpoints }, w.said),
		Evaluator: status.Evaluator{Profile: p.profile, NoHints: w.noHints},
		Expect:    promised(clusters),
		Related:   related(clusters),
		Choose:    chosen(clusters),
		Terms:     p.terms,
		For:       p.termsFor,
		Floor:     func(t observe.Target) observe.Floor { return floors[t] },
		Min:       w.least,
		Explain:   w.output == "json" || w.report.tells || w.record != "",
	}
}

// said tells people what a cluster has to say about how it is read. It may be
// called from any goroutine.
func (w *waitCommand) said(cluster, text string) {
	w.noting.Lock()
	defer w.noting.Unlock()
	if cluster != "" {
		text = cluster + ": " + text
	}
	w.note("%s", text)
}

// note tells people something that changes nothing.
func (w *waitCommand) note(format string, args ...any) {
	fmt.Fprintln(w.env.err, text.Line("note: "+fmt.Sprintf(format, args...)))
}

// cutShort gives an error that comes of the end of ctx the exit code for that.
func cutShort(ctx context.Context, err error) error {
	cause := context.Cause(ctx)
	if s, ok := errors.AsType[*signalError](cause); ok {
		return &exitError{code: s.code, err: fmt.Errorf("%w before it was known what to wait for", s)}
	}
	if errors.Is(cause, observe.ErrTimeout) {
		return &exitError{code: exitTimeout, err: fmt.Errorf("%w before it was known what to wait for: %w", cause, err)}
	}
	return err
}

// Package wait is kstatus wait, which waits until objects meet their goals, and
// explains those that do not.
package wait

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericclioptions"

	"kstatus.dev/cmd/kstatus/internal/cli"
	"kstatus.dev/cmd/kstatus/internal/completion"
	"kstatus.dev/cmd/kstatus/internal/connection"
	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/cmd/kstatus/internal/explainer"
	"kstatus.dev/cmd/kstatus/internal/goals"
	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/cmd/kstatus/internal/record"
	"kstatus.dev/cmd/kstatus/internal/reportfile"
	"kstatus.dev/cmd/kstatus/internal/selection"
	"kstatus.dev/cmd/kstatus/internal/setsource"
	"kstatus.dev/cmd/kstatus/internal/waitview"
	"kstatus.dev/internal/directive"
	kubesource "kstatus.dev/kube/source"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// A command is kstatus wait with its flags.
type command struct {
	env               cli.Env
	connection        *genericclioptions.ConfigFlags
	objects           selection.Flags
	goals             goalFlags
	times             timeFlags
	verdicts          verdictFlags
	explain           explainFlags
	output            outputFlags
	record            record.Flags
	writesReports     bool
	local             bool       // replay a record
	unusableDocuments []string   // documents without an object, as "file:line"
	noteMu            sync.Mutex // held while a note of a cluster is printed
}

// New returns kstatus wait. name is the name of the command in examples.
func New(env cli.Env, config *genericclioptions.ConfigFlags, name string) *cobra.Command {
	w := &command{env: env, connection: config}
	cmd := &cobra.Command{
		Use:         "wait [TYPE/NAME ... | TYPE [NAME ...] | SET/NAME ... | -f FILE | -k DIR | --all]",
		Short:       "Wait until objects are ready, and explain what is not",
		Long:        waitLong + goals.GraceHelp(),
		Example:     fmt.Sprintf(waitExample, name),
		Annotations: map[string]string{cli.Connects: "yes"},
		RunE: func(cmd *cobra.Command, args []string) error {
			w.goals.latchSet = cmd.Flags().Changed("latch")
			w.goals.minObjectsSet = cmd.Flags().Changed("min")
			w.output.CommandLine = cli.CommandLine(cmd, args)
			err := w.run(cmd.Context(), args)
			env.HintAtRole(name, cmd, args, exit.CodeOf(err))
			return err
		},
	}
	w.addFlags(cmd)
	completion.Completer{Env: env, Connection: config}.AddObjects(cmd)
	return cmd
}

// run waits. It prints the start of the wait before it calls a server, so that users of a slow
// server see output.
func (w *command) run(ctx context.Context, args []string) (err error) {
	plan, err := w.plan()
	if err != nil {
		return err
	}
	if w.local {
		return w.replay(ctx, args)
	}
	rules, err := w.verdicts.rules.Read(plan.Profile)
	if err != nil {
		return err
	}
	request, err := w.request(ctx, args)
	if err = w.skipDocuments(err, len(request.Objects) > 0); err != nil {
		return err
	}
	requests, err := w.output.Reports.Requests(w.env, w.output.Format)
	if err == nil {
		err = requests.CheckInputs(w.objects.Files)
	}
	if err != nil {
		return err
	}
	w.writesReports = len(requests) > 0
	defer cli.ReportClosedPipes()()
	if w.writesReports || w.record.File != "" {
		w.env = w.env.WithoutPipeErrors()
	}
	display, err := w.output.Display(&w.env)
	if err != nil {
		return err
	}
	clock := waitview.NewEventClock(w.env.Now())
	waitCtx, done := display.UntilSignal(ctx)
	defer done()
	ctx, cancel := plan.Within(waitCtx)
	defer cancel()
	deadline, _ := ctx.Deadline()
	clusters, err := w.objects.Connect(ctx, w.env, w.connection, rules)
	if err != nil {
		return err
	}
	durations := waitview.NewDurations(w.output.Progress.HistoryFile(w.env), connection.ContextOf(clusters), clock.Now, w.note)
	summary := w.objects.Summary(request, clusters)
	summary.Revisions = request.Revisions(ctx, clusters)
	config := waitview.Config{
		Out: requests.LogWriter(w.env), Now: w.env.Now, EventTime: clock.Now, Began: clock.First, Brief: w.brief(plan, summary),
		Quiet: w.output.Quiet, Full: w.output.Progress.Full(w.env), Progress: durations.Progress,
	}
	view, err := w.views(config, requests, display, durations)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.record.Close()) }()
	if err := view.Start(); err != nil {
		return err
	}
	ctx, unreached := context.WithCancelCause(ctx)
	defer unreached(nil)
	for _, c := range clusters {
		c.Requests.OnUnreached(func(err error) { unreached(connection.InContext(c.Name, err)) })
	}
	w.objects.FollowReleases = setsource.IsFor(plan)
	found, missing, err := w.targets(ctx, plan, clusters, request)
	clock.Set(w.env.Now())
	if err != nil {
		return endWithError(ctx, err, view)
	}
	all, followed := selection.ObjectsOf(found), setsource.Follow(plan, found)
	if unused := plan.UnusedRules(connection.MappersOf(clusters), slices.Concat(selection.Targets(all), followed.Watched, followed.Ignored)); len(missing) == 0 {
		if err := w.checkUnused(unused, len(followed.Watched)); err != nil {
			return endWithError(context.WithoutCancel(ctx), err, view) // wrong usage, whatever the time
		}
	}
	targets := make([]waitview.Target, len(followed.Shown))
	for i, o := range followed.Shown {
		targets[i] = waitview.Target{Target: o.Target, Source: o.From}
	}
	view.SetTargets(targets)
	watcher, selected := w.watcher(plan, clusters, all), newSelectedObjects(found)
	selected.addTo(&watcher)
	f := &waitview.Loop{Plan: plan, Targets: followed.Watched, Show: view, Clock: clock, Now: w.env.Now, Notes: w.env.Err, ShowSecrets: w.output.showSecrets}
	if display.Mode == cli.ProgressLog {
		f.Every = w.output.Every
	}
	source := followed.Source(watcher.Source, setsource.Config{Missing: missing, Resolve: selected.resolve(&w.objects), Note: w.note, Once: plan.Policy.Once, Revision: plan.Revision})
	if source != nil {
		watcher.Source, f.Sets = source, source
	}
	former := w.formerPods(waitCtx, selected.scopes(), plan, selection.Targets(all))
	defer former.Stop()
	early := w.earlyRead(waitCtx, deadline, selected.scopes(), plan)
	defer early.Stop()
	f.Seen, f.Beat = former.Note, early.note
	f.Explain = func(board *observe.Board) *explainer.Explanation {
		source.NotePending()
		ctx, done := untilAnswer(waitCtx, deadline)
		defer done()
		w.noteMissingNamespaces(ctx, clusters, board, len(followed.Watched))
		return w.explanation(ctx, selected.scopes(), plan, board, former, early)
	}
	watcher.Heartbeat = waitview.Heartbeat(f.Every)
	f.Unread = w.unusableError()
	f.Caveats = func(board *observe.Board) []observe.Update {
		ctx, done := untilAnswer(waitCtx, deadline)
		defer done()
		some := w.caveats(ctx, clusters, plan.Profile, board)
		if source != nil {
			some = source.AddSuperseded(plan, some, board)
		}
		if !plan.Policy.Once {
			some = selected.addChangedSets(ctx, some, board)
		}
		return some
	}
	return f.Run(ctx, watcher)
}

// brief returns the parts of a plan that views show.
func (w *command) brief(p *goals.Plan, s output.Summary) waitview.Brief {
	b := waitview.Brief{
		Request: s, Profile: w.verdicts.profile, Goals: p.Terms.Goals, Any: p.Terms.Any, Scoped: p.Goals, OwnGoals: p.OwnGoals, Timeout: &p.Timeout,
	}
	for _, t := range p.Timeouts {
		b.Timeouts = append(b.Timeouts, waitview.ScopedTimeout{Sel: t.Scope.Text, Timeout: t.Value})
	}
	return b
}

// views returns all views of the wait.
func (w *command) views(l waitview.Config, wanted reportfile.Requests, s waitview.Display, durations *waitview.Durations) (waitview.View, error) {
	all := append(waitview.Multi{durations}, w.output.Views(w.env, l, s)...)
	rec, err := w.record.Open(append(slices.Clone(w.objects.Files), w.objects.Kustomize)...)
	if err != nil {
		return nil, err
	}
	if rec != nil {
		all = append(all, record.NewView(l, rec))
	}
	return w.output.WithReports(w.env, l, wanted, all), nil
}

// checkUnused returns an error for a goal that matches nothing, since nothing would wait for it, and
// for a kind that no cluster serves. It prints a note about other flags that match nothing, because
// a script may name what exists only in some clusters. A wait without objects has its own end.
func (w *command) checkUnused(all []goals.Rule, objects int) error {
	for _, r := range all {
		hint, what := "", "it matches none of the objects"
		if objects > 0 && (r.Flag == "--for" || r.Flag != "--grace" && r.Scope.IsUnserved()) {
			if r.Scope.IsUnserved() {
				what = "it matches none of the objects, and the cluster serves no such kind"
			}
			return exit.Usagef("%s %s: %s", r.Flag, r.Scope.Text, what)
		}
		if r.Flag == "--grace" && !strings.ContainsAny(r.Scope.Text, "/.*") {
			what = "it is neither a reason nor the kind of one of the objects"
		}
		if similar := goals.SimilarGraceReason(r.Scope.Text); r.Flag == "--grace" && similar != "" {
			hint = "; did you mean the reason " + similar + "?"
		}
		w.note("%s %s: %s%s", r.Flag, r.Scope.Text, what, hint)
	}
	return nil
}

// endWithError ends a wait with an error.
func endWithError(ctx context.Context, err error, show waitview.View) error {
	err = cutShort(ctx, connection.WithExitCode(err))
	cut := connection.IsUnreachable(err) || ctx.Err() != nil
	return errors.Join(err, waitview.Finish(show, new(observe.Board), waitview.Result{Code: exit.CodeOf(err), Cut: cut, Err: err}))
}

// skipDocuments prints errors about single documents if other documents remain. It returns all
// other errors.
func (w *command) skipDocuments(err error, others bool) error {
	documents := selection.DocumentErrors(err)
	if len(documents) == 0 || !others {
		return err
	}
	for _, d := range documents {
		w.env.PrintError(d)
		w.unusableDocuments = append(w.unusableDocuments, d.From.String())
	}
	return nil
}

// unusableError returns an error about the documents that could not be used, or nil if there are
// none. The wait for the other documents ends with it.
func (w *command) unusableError() error {
	const most = 10
	switch n := len(w.unusableDocuments); {
	case n == 0:
		return nil
	case n > most:
		return fmt.Errorf("not waited for: %s and %d more", strings.Join(w.unusableDocuments[:most], ", "), n-most)
	}
	return fmt.Errorf("not waited for: %s", strings.Join(w.unusableDocuments, ", "))
}

// request returns the request: all objects of the namespace if there are no arguments and no
// files.
func (w *command) request(ctx context.Context, args []string) (selection.Request, error) {
	if len(args) == 0 && len(w.objects.Files) == 0 && w.objects.Kustomize == "" {
		w.objects.All = true
	}
	request, err := w.objects.Request(ctx, w.env, args)
	switch {
	case err != nil:
		return request, err
	case w.goals.revision > 0 && request.Releases() != 1:
		return request, exit.Usagef("--revision %d requires one helm/NAME", w.goals.revision)
	case w.goals.minObjectsSet && !request.ByType():
		return request, exit.Usagef("--min %d requires a TYPE", w.goals.minObjects)
	case w.goals.minObjectsSet && w.objects.Expand:
		return request, exit.Usagef("--min %d cannot be used with --expand", w.goals.minObjects)
	}
	return request, nil
}

// watcher returns the watcher of the clusters for a plan.
func (w *command) watcher(p *goals.Plan, clusters []*connection.Cluster, all []selection.Object) observe.Watcher {
	return observe.Watcher{
		Source: connection.SourceOf(clusters, func(c *kubesource.Cluster) {
			c.ReadConfigMapData, c.WaitForEndpoints = c.ReadConfigMapData || p.ReadsAnyField(), w.verdicts.endpoints
			c.PartsFirst = p.Policy.Once
		}, w.printClusterNote),
		Evaluator:       status.Evaluator{Profile: p.Profile, NoHints: w.verdicts.noHints},
		Requirements:    p.Terms,
		RequirementsFor: w.termsFor(p, all),
		MinObjects:      w.goals.minObjects,
		Together:        together(all),
		Evidence:        w.output.Format == "json" || w.writesReports || w.record.File != "",
	}
}

// together returns the selections of each category in each cluster.
func together(all []selection.Object) [][]observe.Target {
	type category struct{ cluster, name string }
	groups := map[category][]observe.Target{}
	for _, o := range all {
		if o.Category != "" {
			key := category{o.Target.Cluster, o.Category}
			groups[key] = append(groups[key], o.Target)
		}
	}
	return slices.Collect(maps.Values(groups))
}

// termsFor returns the terms of each object, from the flags and from the annotations in files.
func (w *command) termsFor(p *goals.Plan, all []selection.Object) func(observe.Target) *observe.Requirements {
	own := map[observe.Target]*observe.Requirements{}
	var hooks []string
	for _, o := range all {
		for _, problem := range o.Problems {
			w.note("%s: %s", o.From, problem)
		}
		if o.Hook {
			hooks = append(hooks, o.Target.String())
		}
		if o.Directives == (directive.Directives{}) && !o.Hook {
			continue
		}
		terms := p.Terms
		if some := p.TermsFor(o.Target); some != nil {
			terms = *some
		}
		terms.Ignore, terms.Optional = terms.Ignore || o.Directives.Ignore, o.Hook
		terms.Timeout = cmp.Or(terms.Timeout, o.Directives.Timeout)
		if first := o.Directives.FirstStatus; first != nil {
			terms.FirstStatus = *first
		}
		own[o.Target] = &terms
	}
	if len(hooks) > 0 {
		w.note("%s: waited for only if they exist, because Helm creates hooks only when it runs them; helm template --no-hooks leaves them out", selection.Abridge(hooks))
	}
	return func(t observe.Target) *observe.Requirements {
		if terms := own[t]; terms != nil {
			return terms
		}
		if terms := setsource.Terms(p, t); terms != nil {
			return terms
		}
		return p.TermsFor(t)
	}
}

// printClusterNote prints a note of a cluster. Any goroutine may call it.
func (w *command) printClusterNote(cluster, text string) {
	w.noteMu.Lock()
	defer w.noteMu.Unlock()
	if cluster != "" {
		text = cluster + ": " + text
	}
	w.note("%s", text)
}

// note prints a note, which has no effect on the result.
func (w *command) note(format string, args ...any) {
	w.env.Print("note: "+format, args...)
}

// cutShort adds the exit code to an error if ctx has ended.
func cutShort(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); errors.Is(cause, observe.ErrTimeout) {
		return &exit.Error{Code: exit.Timeout, Err: fmt.Errorf("%w while the objects were looked up: %w", cause, err)}
	}
	return cli.CutShort(ctx, err)
}

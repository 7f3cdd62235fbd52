package move

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/client-go/rest"

	"kstatus.dev/clusterapi/move"
	"kstatus.dev/clusterapi/move/plan"
	"kstatus.dev/cmd/kstatus/internal/cli"
	"kstatus.dev/cmd/kstatus/internal/connection"
	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/cmd/kstatus/internal/reportfile"
	"kstatus.dev/internal/crash"
	"kstatus.dev/internal/text"
)

// A session is one call of the command: a move, or the continuation of one.
type session struct {
	*command
	ctx     context.Context // ends at a signal
	options move.Options
	view    view
	reports reportfile.Requests
	outcome outcome
}

// An outcome is what the command reports at its end. It is also the document of -o json.
type outcome struct {
	V        int            `json:"v"`
	Type     string         `json:"type"` // plan, move or status
	Outcome  string         `json:"outcome"`
	ExitCode int            `json:"exitCode"`
	Error    string         `json:"error,omitempty"`
	Next     []string       `json:"next,omitempty"` // command lines
	ID       string         `json:"id,omitempty"`
	Journal  string         `json:"journal,omitempty"`
	Plan     *plan.Plan     `json:"plan,omitempty"`
	Problems []plan.Problem `json:"problems,omitempty"`
	Changes  []string       `json:"changes,omitempty"` // since the plan of --plan
	Result   *move.Result   `json:"result,omitempty"`
	Status   *move.Status   `json:"status,omitempty"`

	began, ended time.Time
	timeout      time.Duration
}

// targetFlags returns the connection flags of the target. Their values are read when they are
// used.
func (c *command) targetFlags() *genericclioptions.ConfigFlags {
	flags := genericclioptions.NewConfigFlags(true)
	flags.KubeConfig, flags.Context = &c.sides.toKubeconfig, &c.sides.toContext
	flags.CacheDir = c.connection.CacheDir
	return flags
}

// start connects to the clusters and opens the view. The caller must call done.
func (c *command) start(ctx context.Context) (s *session, done func(), err error) {
	s = &session{command: c}
	s.outcome = outcome{V: 1, Type: "move", began: c.env.Now(), timeout: c.timeout}
	if s.reports, err = c.output.reports.Requests(c.env, c.textFormat()); err != nil {
		return nil, nil, err
	}
	mode, err := c.mode()
	if err != nil {
		return nil, nil, err
	}
	closePipes := cli.ReportClosedPipes()
	c.env = c.env.WithoutPipeErrors() // a move does not end because its reader has ended
	ctx, stop := cli.UntilSignal(ctx)
	s.ctx = ctx
	done = func() {
		stop()
		closePipes()
	}
	if err := s.connect(); err != nil {
		done()
		return nil, nil, err
	}
	s.view = c.view(mode)
	context.AfterFunc(ctx, crash.Guarded(func() {
		if signal, ok := errors.AsType[*cli.SignalError](context.Cause(ctx)); ok {
			c.env.Print("note: %v: the move stops after the requests in progress; the next signal ends kstatus at once", signal)
		}
	}))
	s.options.OnEvent = s.view.event
	return s, done, nil
}

// textFormat returns the format for the check of reports: wide is text.
func (c *command) textFormat() string {
	if c.output.isText() {
		return formatText
	}
	return c.output.format
}

// connect sets the options of the engine.
func (s *session) connect() (err error) {
	o := &s.options
	o.SourceFolder, o.TargetFolder = s.sides.fromFolder, s.sides.toFolder
	if o.SourceFolder == "" {
		source, err := s.config(s.command.connection)
		if err != nil {
			return fmt.Errorf("the source: %w", err)
		}
		o.Source = source.Config
		o.Scope = plan.Scope{Clusters: s.scope.clusters, Selector: s.scope.selector}
		if !s.scope.allNamespaces {
			o.Scope.Namespaces = []string{source.Namespace}
		}
	}
	if o.TargetFolder == "" {
		target, err := s.config(s.target())
		if err != nil {
			return fmt.Errorf("the target: %w", err)
		}
		o.Target = target.Config
	}
	o.ID, o.Journal, o.JournalNamespace = s.journal.id, s.journal.file, s.journal.namespace
	o.Accept, o.Strict, o.Window = s.work.accept, s.work.strict, s.work.window
	o.Timeout, o.Concurrency = s.timeout, s.work.concurrency
	o.Status, err = s.work.kinds()
	return err
}

// target returns the connection flags of the target, whose kubeconfig may be that of the source.
func (s *session) target() *genericclioptions.ConfigFlags {
	flags := s.targetFlags()
	if s.sides.toKubeconfig == "" {
		flags.KubeConfig = s.command.connection.KubeConfig
	}
	return flags
}

// config connects to a cluster. Its requests do not end at a signal: the engine stops between
// two steps.
func (s *session) config(flags *genericclioptions.ConfigFlags) (*connection.Cluster, error) {
	cluster, err := connection.Connect(s.ctx, s.env, flags)
	if err != nil {
		return nil, err
	}
	cluster.Requests.UseContext(context.WithoutCancel(s.ctx))
	cluster.Config = rest.CopyConfig(cluster.Config)
	return cluster, nil
}

// move plans a move, and carries it out unless it is a dry run.
func (c *command) move(ctx context.Context) error {
	if err := c.checkMove(); err != nil {
		return err
	}
	earlier, err := c.earlierPlan()
	if err != nil {
		return err
	}
	s, done, err := c.start(ctx)
	if err != nil {
		return err
	}
	defer done()
	if !c.dryRun {
		s.options.ID = move.NewID()
		s.options.Journal = cmp.Or(s.options.Journal, "kstatus-move-"+s.options.ID+".json")
		if err := checkNew(s.options.Journal); err != nil {
			return err
		}
		s.outcome.ID, s.outcome.Journal = s.options.ID, s.options.Journal
	}
	return s.finish(s.run(earlier))
}

// checkNew returns an error if a journal exists, since it may be that of another move.
func checkNew(journal string) error {
	if _, err := os.Stat(journal); err == nil {
		return exit.Usagef("--journal %s: want a new file; to continue a move, use kstatus capi move resume", journal)
	}
	return nil
}

// run plans the move, prints the plan, and carries it out.
func (s *session) run(earlier *plan.Plan) error {
	m, err := move.New(s.ctx, s.options)
	if err != nil {
		return err
	}
	defer m.Close()
	p, err := m.Plan(s.ctx)
	if err != nil {
		return err
	}
	s.outcome.Plan, s.outcome.Problems = p, p.Problems
	if earlier != nil {
		if s.outcome.Changes = changes(earlier, p); len(s.outcome.Changes) > 0 {
			return errPlanChanged
		}
	}
	if s.dryRun {
		s.outcome.Type = "plan"
		problems, err := m.Preflight(s.ctx, p)
		if err != nil {
			return err
		}
		s.outcome.Problems = problems
		if s.plan != "" {
			if err := writePlan(s.plan, p); err != nil {
				return err
			}
		}
		if blocking := s.blocking(problems); blocking > 0 {
			return &exit.Error{Code: exit.Findings, Err: errors.New(problemText(blocking, "would prevent the move", "would prevent the move"))}
		}
		return nil
	}
	if s.output.isText() {
		fmt.Fprintf(s.env.Out, "Move %s. Journal: %s\n\n", s.options.ID, text.Line(s.options.Journal))
		if err := s.table().write(s.env.Out, p, p.Problems); err != nil {
			return err
		}
		fmt.Fprintln(s.env.Out)
	} else {
		s.env.Print("note: move %s, journal %s", s.options.ID, s.options.Journal)
	}
	s.outcome.Result, err = m.Run(s.ctx, p)
	return err
}

// problemText returns a number of problems with the verb for one or for several.
func problemText(n int, one, several string) string {
	if n == 1 {
		return "1 problem " + one
	}
	return text.Count(n, "problem") + " " + several
}

func (c *command) table() table {
	return table{c.env.Style(c.env.Out, c.output.colour), c.output.format == formatWide}
}

// resume continues a move.
func (c *command) resume(ctx context.Context) error {
	return c.goOn(ctx, (*move.Mover).Resume)
}

// rollback undoes a move.
func (c *command) rollback(ctx context.Context) error {
	return c.goOn(ctx, (*move.Mover).Rollback)
}

// goOn continues or undoes a move.
func (c *command) goOn(ctx context.Context, do func(*move.Mover, context.Context) (*move.Result, error)) error {
	if err := c.checkJournal(); err != nil {
		return err
	}
	if err := c.sides.check(); err != nil {
		return err
	}
	s, done, err := c.start(ctx)
	if err != nil {
		return err
	}
	defer done()
	s.outcome.ID, s.outcome.Journal = c.journal.id, c.journal.file
	return s.finish(func() error {
		m, err := move.New(s.ctx, s.options)
		if err != nil {
			return err
		}
		defer m.Close()
		if s.outcome.Result, err = do(m, s.ctx); s.outcome.Result != nil {
			s.outcome.ID, s.outcome.Plan = s.outcome.Result.ID, s.outcome.Result.Plan
		}
		return err
	}())
}

// checkJournal returns an error if no flag names the journal of a move.
func (c *command) checkJournal() error {
	switch {
	case c.journal.file == "" && c.journal.namespace == "":
		return exit.Usagef("want the journal of the move: --journal FILE, or --journal-namespace and --id")
	case c.journal.file == "" && c.journal.id == "":
		return exit.Usagef("--journal-namespace requires --id, or --journal FILE")
	}
	return nil
}

var errPlanChanged = errors.New("the plan is not that of the file any more; nothing was changed")

// code returns the exit code of an error of the engine.
func (s *session) code(err error) exit.Code {
	if err == nil {
		return exit.OK
	}
	if signal, ok := errors.AsType[*cli.SignalError](context.Cause(s.ctx)); ok {
		return signal.Code
	}
	coded := connection.WithExitCode(err)
	if e, ok := errors.AsType[*exit.Error](coded); ok {
		return e.Code
	}
	_, isBlocked := errors.AsType[*move.BlockedError](err)
	_, isUnacknowledged := errors.AsType[*move.UnacknowledgedError](err)
	_, isInterrupted := errors.AsType[*move.InterruptedError](err)
	_, isIrreversible := errors.AsType[*move.IrreversibleError](err)
	switch {
	case isBlocked && !isInterrupted, errors.Is(err, errPlanChanged):
		return exit.Findings
	case isUnacknowledged, errors.Is(err, context.DeadlineExceeded):
		return exit.Timeout
	case isInterrupted, isIrreversible:
		return exit.Failed
	}
	return exit.Uncertain
}

// errorText returns the text of an error. After a signal, the requests that have ended with it are
// left out.
func (s *session) errorText(err error) string {
	signal, ok := errors.AsType[*cli.SignalError](context.Cause(s.ctx))
	interrupted, stopped := errors.AsType[*move.InterruptedError](err)
	switch {
	case ok && stopped:
		warning := ""
		if interrupted.Phase == move.Pausing {
			warning = "; Clusters of the source may still be paused"
		}
		return fmt.Sprintf("%v: move %s stopped while %s%s", signal, interrupted.ID, strings.ToLower(string(interrupted.Phase)), warning)
	case ok:
		first, _, _ := strings.Cut(err.Error(), "\n")
		return first
	}
	return err.Error()
}

// finish prints the end and writes the reports.
func (s *session) finish(err error) error {
	s.view.end()
	o := &s.outcome
	o.ended = s.env.Now()
	code := s.code(err)
	o.Outcome, o.ExitCode = code.Outcome(), int(code)
	if blocked, ok := errors.AsType[*move.BlockedError](err); ok && code == exit.Findings {
		o.Problems = blocked.Problems
		o.Error = problemText(len(blocked.Problems), "prevents the move; nothing was changed", "prevent the move; nothing was changed")
	} else if err != nil {
		o.Error = s.errorText(err)
	}
	o.Next = s.next(err)
	if _, missing := os.Stat(o.Journal); missing != nil {
		o.Journal = "" // nothing has begun, or the journal is only in the clusters
	}
	printed := s.print()
	for _, r := range s.reports {
		if werr := o.write(s.env, r, s.line); werr != nil {
			printed = errors.Join(printed, fmt.Errorf("report %s: %w", r.Format, werr))
		}
	}
	if code == exit.OK && printed != nil {
		return printed
	}
	if printed != nil {
		s.env.PrintError(printed)
	}
	if code == exit.OK {
		return nil
	}
	return &exit.Error{Code: code, Err: errors.New(strings.Join(append([]string{o.Error}, s.nextTexts()...), "\n"))}
}

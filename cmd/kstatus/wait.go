package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericclioptions"

	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// A waitCommand is kstatus wait with its flags.
type waitCommand struct {
	env        environment
	connection *genericclioptions.ConfigFlags
	selection

	goals     []string
	timeout   time.Duration
	grace     time.Duration
	graceSet  bool
	missing   string
	keepGoing bool
	profile   string
	output    string
	quiet     bool
	every     time.Duration
}

// The values of --missing and of -o.
var (
	missingPolicies = map[string]observe.MissingPolicy{
		"wait": observe.WaitForMissing, "fail": observe.FailIfMissing, "ignore": observe.IgnoreMissing,
	}
	missingNames = []string{"wait", "fail", "ignore"}
	waitFormats  = []string{"text", "json", "name"}
)

const waitExample = `  # Until what was applied is there, or one of it has failed
  kubectl apply -f shop/ && %[1]s wait -f shop/

  # One Deployment, at most ten minutes
  %[1]s wait deployment/web --timeout 10m

  # All Jobs with a label, whatever becomes of the others
  %[1]s wait job -l app=migrations --keep-going

  # What kubectl wait takes is taken as well
  %[1]s wait pod/web-0 --for=condition=Ready --for=jsonpath='{.status.phase}'=Running
  %[1]s wait -f shop/ --for=delete

  # Look once: 0 there, 3 failed, 4 not there yet
  %[1]s wait deployment/web --timeout 0`

const waitLong = `Wait until objects are there, and tell each change on the way.

It ends when all objects meet the goals at the same time; when it is certain that
one will not, be it at once or because what is wrong has lasted its grace; or when
the time is over. Then every object that is not there is listed, the worst first.

Without --grace, a failure that may heal has, by its reason:
  no time      Stalled, ProgressDeadlineExceeded, and what is Failed only once it has lasted
  30s          CrashLoop
  5m           Unschedulable
  1m           any other`

func newWaitCommand(env environment, connection *genericclioptions.ConfigFlags, name string) *cobra.Command {
	w := &waitCommand{env: env, connection: connection}
	cmd := &cobra.Command{
		Use:         "wait [TYPE/NAME ... | TYPE [NAME ...] | -f FILE | -k DIR]",
		Short:       "Wait until objects are there, or say why they are not",
		Long:        waitLong,
		Example:     fmt.Sprintf(waitExample, name),
		Annotations: map[string]string{connects: "yes"},
		RunE: func(cmd *cobra.Command, args []string) error {
			w.graceSet = cmd.Flags().Changed("grace")
			return w.run(cmd.Context(), args)
		},
	}
	w.addFlags(cmd)
	return cmd
}

func (w *waitCommand) addFlags(cmd *cobra.Command) {
	w.selection.addFlags(cmd)
	flags := cmd.Flags()
	flags.StringArrayVar(&w.goals, "for", []string{"current"}, "current, created, deleted, condition=TYPE[=VALUE] or jsonpath=EXPRESSION[=VALUE]; repeat it for several goals at the same time")
	flags.DurationVar(&w.timeout, "timeout", 5*time.Minute, "how long to wait at most; 0 looks once")
	flags.DurationVar(&w.grace, "grace", 0, "how long any failure that may heal must last before it counts (default by reason)")
	flags.StringVar(&w.missing, "missing", "wait", "what to do about objects that do not exist: "+strings.Join(missingNames, ", "))
	flags.BoolVar(&w.keepGoing, "keep-going", false, "do not stop at the first failure")
	addProfileFlag(cmd, &w.profile)
	flags.StringVarP(&w.output, "output", "o", "text", "one of "+strings.Join(waitFormats, ", ")+"; json prints one object per line, name what meets the goals")
	flags.BoolVarP(&w.quiet, "quiet", "q", false, "print the end only")
	flags.DurationVar(&w.every, "every", 30*time.Second, "how often to say what is waited for, in text output; 0: never")
	completeWords(cmd, "missing", missingNames)
	completeWords(cmd, "output", waitFormats)
	completeWords(cmd, "for", []string{"current", "created", "deleted", "condition=", "jsonpath="})
}

func (w *waitCommand) run(ctx context.Context, args []string) error {
	began := w.env.now()
	watcher, policy, err := w.plan()
	if err != nil {
		return err
	}
	ctx, done := untilSignal(ctx)
	defer done()
	if w.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, w.timeout, observe.ErrTimeout)
		defer cancel()
	}
	c, err := connect(ctx, w.env, w.connection)
	if err != nil {
		return err
	}
	all, err := w.selectLive(ctx, c, args, false)
	if err != nil {
		return cutShort(ctx, permitted(err))
	}
	cluster := c.cluster()
	cluster.Data = slices.ContainsFunc(watcher.Terms.Goals, looksInside)
	watcher.Source = cluster
	watcher.Evaluator.Expect = c.promises.Of
	show, err := w.view(c, all, began)
	if err != nil {
		return err
	}
	return w.follow(ctx, watcher, policy, all, show)
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

// plan turns the flags into what the library is asked.
func (w *waitCommand) plan() (watcher observe.Watcher, p observe.Policy, err error) {
	if err := oneOf("-o", w.output, waitFormats); err != nil {
		return watcher, p, err
	}
	if err := oneOf("--missing", w.missing, missingNames); err != nil {
		return watcher, p, err
	}
	if w.timeout < 0 || w.grace < 0 || w.every < 0 {
		return watcher, p, usagef("--timeout, --grace and --every: want 0 or more")
	}
	p = observe.Policy{Missing: missingPolicies[w.missing], KeepGoing: w.keepGoing, Once: w.timeout == 0}
	if watcher.Evaluator.Profile, err = status.ProfileNamed(w.profile); err != nil {
		return watcher, p, usageError(err)
	}
	for _, text := range w.goals {
		goal, err := goalOf(text)
		if err != nil {
			return watcher, p, usageError(err)
		}
		watcher.Terms.Goals = append(watcher.Terms.Goals, goal)
	}
	switch {
	case w.graceSet:
		watcher.Terms.Grace = observe.GraceOf(w.grace)
	case p.Once:
		watcher.Terms.Grace = observe.NoGrace()
	}
	watcher.Explain = w.output == "json"
	if w.output == "text" && !w.quiet {
		watcher.Every = w.every
	}
	return watcher, p, nil
}

// follow is the wait itself: every change goes to the board and is shown,
// until the board says that it is over.
func (w *waitCommand) follow(ctx context.Context, watcher observe.Watcher, p observe.Policy, all []selected, show view) error {
	board := new(observe.Board)
	outcome := observe.Pending
	if err := show.start(watcher.Terms.Goals); err != nil {
		return err
	}
	for u, err := range watcher.Updates(ctx, targetsOf(all)...) {
		if err != nil {
			return errors.Join(err, show.end(board, ending{code: exitUncertain, cut: true}))
		}
		board.Add(u)
		if err := show.update(u, board); err != nil {
			return err
		}
		if outcome = board.Outcome(p); outcome != observe.Pending {
			break
		}
	}
	cut := p.Once
	switch {
	case len(all) == 0:
		fmt.Fprintln(w.env.err, "No resources found.")
		outcome = nothing(watcher.Terms.Goals, p)
	case outcome == observe.Pending:
		cut, outcome = true, board.End(p, context.Cause(ctx))
	}
	end := ending{code: codeFor(outcome, context.Cause(ctx)), cut: cut}
	if err := show.end(board, end); err != nil {
		return err
	}
	return exitWith(end.code)
}

// nothing is the outcome where nothing matched, which is as it should be only
// if objects are to be gone, or may be missing.
func nothing(goals []observe.Goal, p observe.Policy) observe.Outcome {
	gone := slices.ContainsFunc(goals, func(g observe.Goal) bool { return g.Absence })
	if gone || p.Missing == observe.IgnoreMissing {
		return observe.Success
	}
	return observe.Absent
}

// codeFor returns the exit code for an outcome.
func codeFor(o observe.Outcome, cause error) exitCode {
	switch o {
	case observe.Success:
		return exitOK
	case observe.Failure:
		return exitFailed
	case observe.Timeout:
		return exitTimeout
	case observe.Absent:
		return exitMissing
	case observe.Forbidden:
		return exitForbidden
	case observe.Interrupted:
		if s, ok := errors.AsType[*signalError](cause); ok {
			return s.code
		}
		return exitInterrupted
	}
	return exitUncertain
}

// view returns the view for -o.
func (w *waitCommand) view(c *connected, all []selected, began time.Time) (view, error) {
	l := waitLook{
		out: w.env.out, now: w.env.now, began: began, timeout: w.timeout, objects: all, profile: w.profile,
		context: c.context, quiet: w.quiet,
	}
	switch w.output {
	case "json":
		return newWaitLines(l), nil
	case "name":
		said := l
		said.out, said.quiet = w.env.err, true
		return &waitNames{waitLook: l, log: &waitLog{waitLook: said}}, nil
	}
	return &waitLog{waitLook: l}, nil
}

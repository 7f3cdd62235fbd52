// Package move is kstatus capi move, which moves Clusters of Cluster API between management
// clusters, and to and from folders.
package move

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/cli-runtime/pkg/genericclioptions"

	"kstatus.dev/cmd/kstatus/internal/cli"
	"kstatus.dev/cmd/kstatus/internal/completion"
	"kstatus.dev/cmd/kstatus/internal/exit"
)

// A command is kstatus capi move, or one of its subcommands, with its flags.
type command struct {
	env        cli.Env
	connection *genericclioptions.ConfigFlags
	name       string // of kstatus in examples
	line       []string
	sides      sideFlags
	scope      scopeFlags
	journal    journalFlags
	dryRun     bool
	plan       string
	timeout    time.Duration
	work       workFlags
	output     outputFlags
}

// sideFlags name the source and the target.
type sideFlags struct {
	toKubeconfig, toContext string
	toFolder, fromFolder    string
}

// scopeFlags select what is moved.
type scopeFlags struct {
	allNamespaces bool
	clusters      []string
	selector      string
}

// journalFlags say where the journal is.
type journalFlags struct {
	file, namespace, id string
}

// workFlags say how the work is done.
type workFlags struct {
	window      time.Duration
	strict      bool
	concurrency int
	accept      []string
	status      []string
}

const long = `Move Clusters of Cluster API to another management cluster, and lose nothing.

The source is the cluster of --kubeconfig and --context. The target is that of
--to-kubeconfig and --to-context, or a folder. A move checks both sides first, and
changes nothing if it finds a problem. Then it pauses the Clusters and waits until
every controller has stopped. It copies all objects, compares the copies with their
originals, and only then deletes the originals. At the end it unpauses the target.

--dry-run prints the plan and all problems, and changes nothing. With --plan FILE it
also writes the plan. Without --dry-run, --plan FILE moves only if the plan has not
changed. -o wide lists every object.

Each step is in the journal before it begins. After a crash, an error or Ctrl-C, use
kstatus capi move resume or rollback. A rollback is possible until the first original
is deleted. --journal-namespace also keeps the journal in both clusters, so that you
can resume from another computer, and two moves exclude each other.

The exit code is 7 if problems prevent the move, 3 if it stopped, and 4 at a timeout.

Guide: https://kstatus.dev/docs/guides/move`

const example = `  # Print what a move of a namespace would do, and all problems
  %[1]s capi move -n shop --to-context new --dry-run

  # Move everything of the namespace
  %[1]s capi move -n shop --to-context new

  # Move two Clusters, and only as planned
  %[1]s capi move -n shop --cluster web,api --to-context new --dry-run --plan plan.json
  %[1]s capi move -n shop --cluster web,api --to-context new --plan plan.json

  # Keep the journal in both clusters too
  %[1]s capi move -n shop --to-kubeconfig new.yaml --journal-namespace kstatus

  # Continue after an interruption
  %[1]s capi move resume --to-context new --journal kstatus-move-1a2b3c4d.json

  # Write everything of all namespaces into a folder, and read it in another cluster
  %[1]s capi move -A --to-directory backup
  %[1]s capi move --from-directory backup --to-context new`

// New returns kstatus capi move. name is the name of the command in examples.
func New(env cli.Env, config *genericclioptions.ConfigFlags, name string) *cobra.Command {
	c := &command{env: env, connection: config, name: name}
	cmd := &cobra.Command{
		Use:         "move",
		Short:       "Move Clusters to another management cluster, and lose nothing",
		Long:        long,
		Example:     fmt.Sprintf(example, name),
		Args:        cli.UsageArgs(cli.NoSuchCommand),
		Annotations: map[string]string{cli.Connects: "yes"},
		RunE:        c.runE((*command).move),
	}
	flags := cmd.Flags()
	c.addSideFlags(cmd)
	flags.BoolVarP(&c.scope.allNamespaces, "all-namespaces", "A", false, "Move Clusters of all namespaces.")
	flags.StringSliceVar(&c.scope.clusters, "cluster", nil, "Names of Clusters to move. Without it and -l, everything of the namespace is moved. Can be repeated.")
	flags.StringVarP(&c.scope.selector, "selector", "l", "", "Move only Clusters with these labels, for example env=test.")
	flags.BoolVar(&c.dryRun, "dry-run", false, "Print the plan and all problems, and change nothing. Objects are created as a dry run in the target.")
	flags.StringVar(&c.plan, "plan", "", "With --dry-run, write the plan to this `FILE`. Otherwise move only if the plan is still that of the file.")
	flags.DurationVar(&c.work.window, "window", 0, "Time without a write after which controllers count as stopped, for kinds without the condition Paused. Zero means 15s, and longer for kinds that write rarely.")
	flags.BoolVar(&c.work.strict, "strict", false, "Require the condition Paused of every kind with a status. Then a time without a write is not enough.")
	flags.StringSliceVar(&c.work.accept, "accept", nil, "Problems that do not prevent the move, as `WORD` or WORD=NAMESPACE/NAME. The plan prints the words. Can be repeated.")
	flags.StringArrayVar(&c.work.status, "carry-status", nil, "Copy the status of the objects of this `KIND` too, as KIND.GROUP. Can be repeated.")
	c.addCommonFlags(cmd)
	// The only possible error is a flag that does not exist: it is defined above.
	_ = cmd.MarkFlagFilename("plan", "json")
	cmd.AddCommand(newResume(env, config, name), newRollback(env, config, name), newStatus(env, config, name))
	return cmd
}

const resumeLong = `Continue a move after an interruption.

Name the source, the target and the journal of the move. The journal is the file, or
that of --journal-namespace and --id, with which any computer can continue. It has the
other flags of the move. The move continues from what both clusters have now, so it
works after a crash at any time.`

func newResume(env cli.Env, config *genericclioptions.ConfigFlags, name string) *cobra.Command {
	c := &command{env: env, connection: config, name: name}
	return c.below(&cobra.Command{
		Use:     "resume",
		Short:   "Continue a move after an interruption",
		Long:    resumeLong,
		Example: fmt.Sprintf("  %[1]s capi move resume --to-context new --journal kstatus-move-1a2b3c4d.json\n\n  # From another computer\n  %[1]s capi move resume --to-context new --journal-namespace kstatus --id 1a2b3c4d", name),
		RunE:    c.runE((*command).resume),
	})
}

const rollbackLong = `Undo a move that has not deleted an original yet.

It deletes the copies from the target, without their finalizers, so that no controller
deletes infrastructure. Then it unpauses the source, and waits until its controllers
have reported. After the first deletion from the source, a move can only be resumed.`

func newRollback(env cli.Env, config *genericclioptions.ConfigFlags, name string) *cobra.Command {
	c := &command{env: env, connection: config, name: name}
	return c.below(&cobra.Command{
		Use:     "rollback",
		Short:   "Undo a move that has not deleted an original yet",
		Long:    rollbackLong,
		Example: fmt.Sprintf("  %s capi move rollback --to-context new --journal kstatus-move-1a2b3c4d.json", name),
		RunE:    c.runE((*command).rollback),
	})
}

const statusLong = `Print how far a move is, why it stopped, and the commands that may follow.

With --journal FILE, it reads only the file. With --journal-namespace and --id, it
reads the journal from both clusters.`

func newStatus(env cli.Env, config *genericclioptions.ConfigFlags, name string) *cobra.Command {
	c := &command{env: env, connection: config, name: name}
	return c.below(&cobra.Command{
		Use:     "status",
		Short:   "Print how far a move is, and the commands that may follow",
		Long:    statusLong,
		Example: fmt.Sprintf("  %s capi move status --journal kstatus-move-1a2b3c4d.json", name),
		RunE:    c.runE((*command).status),
	})
}

// below adds what all subcommands have.
func (c *command) below(cmd *cobra.Command) *cobra.Command {
	cmd.Args = cli.UsageArgs(cobra.NoArgs)
	cmd.Annotations = map[string]string{cli.Connects: "yes"}
	c.addSideFlags(cmd)
	cmd.Flags().StringVar(&c.journal.id, "id", "", "ID of the move, if its journal is only in the clusters.")
	c.addCommonFlags(cmd)
	return cmd
}

func (c *command) addSideFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&c.sides.toKubeconfig, "to-kubeconfig", "", "Kubeconfig `FILE` of the target. The default is that of the source.")
	flags.StringVar(&c.sides.toContext, "to-context", "", "`name` of the target's context in its kubeconfig. The default is the current context of --to-kubeconfig.")
	flags.StringVar(&c.sides.toFolder, "to-directory", "", "Write the objects into this new `folder` instead of a cluster. They also stay in the source.")
	flags.StringVar(&c.sides.fromFolder, "from-directory", "", "Read the objects from a `folder` of --to-directory instead of a cluster.")
	// The only possible error is a flag that does not exist: it is defined above.
	_ = cmd.MarkFlagFilename("to-kubeconfig")
	for _, flag := range []string{"to-directory", "from-directory"} {
		_ = cmd.MarkFlagDirname(flag)
	}
	completion.Completer{Env: c.env, Connection: c.targetFlags()}.AddContextFlag(cmd, "to-context")
}

func (c *command) addCommonFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&c.journal.file, "journal", "", "`FILE` of the journal. The default of a new move is kstatus-move-ID.json in the current folder.")
	flags.StringVar(&c.journal.namespace, "journal-namespace", "", "`namespace` for the journal in both clusters, and for the lock that excludes other moves. It is created if it does not exist.")
	flags.DurationVar(&c.timeout, "timeout", 10*time.Minute, "Timeout of each wait: for the pause, for deletions, and for the end of the pause.")
	flags.IntVar(&c.work.concurrency, "concurrency", 20, "Number of requests at the same time.")
	c.output.addTo(cmd)
	_ = cmd.MarkFlagFilename("journal", "json")
}

// runE returns the function that cobra calls.
func (c *command) runE(do func(*command, context.Context) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		c.line = cli.CommandLine(cmd, args)
		if err := c.check(); err != nil {
			return err
		}
		return do(c, cmd.Context())
	}
}

// check returns an error if flags contradict each other.
func (c *command) check() error {
	if err := c.output.check(); err != nil {
		return err
	}
	switch {
	case c.timeout < 0 || c.work.window < 0:
		return exit.Usagef("--timeout and --window: want a duration, have a negative one")
	case c.work.concurrency < 1:
		return exit.Usagef("--concurrency %d: want 1 or more", c.work.concurrency)
	}
	return nil
}

// check returns an error unless there is one target, and at most one source.
func (s sideFlags) check() error {
	hasTarget := s.toKubeconfig != "" || s.toContext != ""
	switch {
	case s.toFolder != "" && s.fromFolder != "":
		return exit.Usagef("--to-directory cannot be used with --from-directory")
	case s.toFolder != "" && hasTarget:
		return exit.Usagef("--to-directory cannot be used with --to-kubeconfig and --to-context")
	case s.toFolder == "" && !hasTarget:
		return exit.Usagef("want a target: --to-kubeconfig, --to-context or --to-directory")
	}
	return nil
}

// checkMove returns an error if flags of a new move contradict each other.
func (c *command) checkMove() error {
	if err := c.sides.check(); err != nil {
		return err
	}
	switch {
	case c.sides.fromFolder != "" && (c.scope.allNamespaces || len(c.scope.clusters) > 0 || c.scope.selector != ""):
		return exit.Usagef("--from-directory reads the whole folder: it cannot be used with -A, -l and --cluster")
	case len(c.scope.clusters) > 0 && (c.scope.allNamespaces || c.scope.selector != ""):
		return exit.Usagef("--cluster cannot be used with -A and -l")
	case slices.Contains(c.scope.clusters, "") || slices.Contains(c.work.accept, ""):
		return exit.Usagef("--cluster and --accept: want words, have an empty one")
	}
	if _, err := labels.Parse(c.scope.selector); err != nil {
		return exit.Usagef("-l %q: %w", c.scope.selector, err)
	}
	_, err := c.work.kinds()
	return err
}

// kinds returns the kinds of --carry-status.
func (w workFlags) kinds() (kinds []schema.GroupKind, err error) {
	for _, s := range w.status {
		kind, group, found := strings.Cut(s, ".")
		if !found || kind == "" || group == "" {
			return nil, exit.Usagef("--carry-status %q: want KIND.GROUP, for example FooMachine.infrastructure.cluster.x-k8s.io", s)
		}
		kinds = append(kinds, schema.GroupKind{Group: group, Kind: kind})
	}
	return kinds, nil
}

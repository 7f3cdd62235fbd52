// Package pause is kstatus capi pause and kstatus capi unpause. They pause Clusters of Cluster
// API, and wait until every controller has reacted.
package pause

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericclioptions"

	"kstatus.dev/clusterapi/pause"
	"kstatus.dev/cmd/kstatus/internal/cli"
	"kstatus.dev/cmd/kstatus/internal/completion"
	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/cmd/kstatus/internal/pausetarget"
	"kstatus.dev/cmd/kstatus/internal/waitoutput"
)

// A command is kstatus capi pause or kstatus capi unpause with its flags.
type command struct {
	env        cli.Env
	connection *genericclioptions.ConfigFlags
	unpause    bool
	selected   pausetarget.Selection
	output     waitoutput.Flags
	options    pause.Options
}

const pauseExample = `  # Pause a Cluster, and wait until every controller has stopped
  %[1]s capi pause east -n shop

  # Pause all Clusters of a namespace, for a backup
  %[1]s capi pause --all -n shop --report junit=pause.xml

  # Pause the Clusters with a label, also where kinds do not report Paused
  %[1]s capi pause -l env=test --window 1m

  # Pause a ClusterClass and a Machine
  %[1]s capi pause clusterclass/quick machine/east-0 -n shop

  # Wait elsewhere until a Cluster is paused
  kubectl wait cluster/east -n shop --for=jsonpath='{.metadata.annotations.kstatus\.dev/pause-state}'=Paused`

const pauseLong = `Pause Clusters of Cluster API, and wait until every controller has stopped.

It sets spec.paused of a Cluster, or the annotation cluster.x-k8s.io/paused of another
object. Then it waits for each object below: until it reports Paused=True, and its
annotation block-move is gone. An object whose kind does not report Paused counts as
paused, with a warning, after a window without a write. --strict waits for it as well.

A Cluster that is paused already stays so when it is unpaused. At the end, the
annotation kstatus.dev/pause-state of each Cluster is Paused. Other tools can read it.

After an interrupt or a timeout, Clusters stay paused. Run the command again, or unpause.

The exit code is 0, 3 if somebody else has unpaused a Cluster, 4 at the timeout, or
another of kstatus --help.

Guide: https://kstatus.dev/docs/guides/pause`

const unpauseExample = `  # Resume a Cluster, and wait until every controller works again
  %[1]s capi unpause east -n shop

  # Resume all Clusters that kstatus has paused
  %[1]s capi unpause -A

  # Resume a Cluster that somebody had paused before
  %[1]s capi unpause east -n shop --force`

const unpauseLong = `Resume Clusters of Cluster API, and wait until every controller works again.

It restores the state from before the pause: a Cluster that was paused before stays
paused. With -A, --all or -l, it leaves Clusters alone that kstatus has not paused.
--force resumes them too, and those that a move has paused.

Then it waits for each object below: until it reports Paused=False, or its status was
written again. A controller without such a sign is woken by the annotation
kstatus.dev/wake, which is removed at the end.

The exit code is 0, 3 if somebody else has paused a Cluster, 4 at the timeout, or
another of kstatus --help.

Guide: https://kstatus.dev/docs/guides/pause`

// New returns kstatus capi pause and kstatus capi unpause. name is the name of the command in
// examples.
func New(env cli.Env, config *genericclioptions.ConfigFlags, name string) []*cobra.Command {
	return []*cobra.Command{
		newCommand(env, config, &cobra.Command{
			Use: "pause CLUSTER ... [TYPE/NAME ...]", Short: "Pause Clusters, and wait until every controller has stopped",
			Long: pauseLong, Example: fmt.Sprintf(pauseExample, name),
		}, false),
		newCommand(env, config, &cobra.Command{
			Use: "unpause CLUSTER ... [TYPE/NAME ...]", Short: "Resume Clusters, and wait until every controller works again",
			Long: unpauseLong, Example: fmt.Sprintf(unpauseExample, name),
		}, true),
	}
}

// defaultTimeout is the default of --timeout.
const defaultTimeout = 10 * time.Minute

func newCommand(env cli.Env, config *genericclioptions.ConfigFlags, cmd *cobra.Command, unpause bool) *cobra.Command {
	c := &command{env: env, connection: config, unpause: unpause}
	cmd.Annotations = map[string]string{cli.Connects: "yes"}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		c.output.CommandLine = cli.CommandLine(cmd, args)
		return c.run(cmd.Context(), args)
	}
	c.selected.AddTo(cmd)
	flags := cmd.Flags()
	flags.DurationVar(&c.options.Timeout, "timeout", defaultTimeout, "Timeout of the whole wait.")
	flags.DurationVar(&c.options.Window, "window", 0, "Time without a write after which a controller counts as stopped, if its kind does not report Paused. "+
		"By default 15s, and twice the interval of the kind's writes, at most 5m.")
	flags.BoolVar(&c.options.Strict, "strict", false, "Also wait for objects that give no sign.")
	flags.DurationVar(&c.options.WakeAfter, "wake-after", 10*time.Second, "Time without an answer after which a controller is woken by an annotation.")
	if unpause {
		flags.BoolVar(&c.options.Force, "force", false, "Resume Clusters also if they were paused before, or by a move.")
	} else {
		flags.BoolVar(&c.options.Force, "force", false, "Pause Clusters also while they are being moved.")
	}
	c.output.AddTo(cmd)
	completion.Completer{Env: env, Connection: config}.AddNamesOf(cmd, pausetarget.ClusterType)
	return cmd
}

// check returns an error if flags have invalid values.
func (c *command) check() error {
	for _, d := range []struct {
		flag  string
		value time.Duration
		least time.Duration
	}{{"--timeout", c.options.Timeout, 1}, {"--window", c.options.Window, 0}, {"--wake-after", c.options.WakeAfter, 0}} {
		switch {
		case d.value >= d.least:
		case d.least > 0:
			return exit.Usagef("%s %s: want more than 0", d.flag, d.value)
		default:
			return exit.Usagef("%s %s: want 0 or more", d.flag, d.value)
		}
	}
	return c.output.Check()
}

// call calls the library.
func (c *command) call(ctx context.Context, of *run) (*pause.Result, error) {
	o := c.options
	o.RecordedOnly = c.selected.BySelector()
	o.OnChange, o.OnNote = of.change, of.note
	if c.unpause {
		return pause.Unpause(ctx, of.cluster.Config, of.targets, o)
	}
	return pause.Pause(ctx, of.cluster.Config, of.targets, o)
}

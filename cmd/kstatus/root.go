package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericclioptions"

	"kstatus.dev/internal/text"
)

// An environment is everything of the outside world that a command may touch.
type environment struct {
	in       io.Reader
	out, err io.Writer
	environ  []string
	now      func() time.Time
}

// getenv returns the value of a variable, empty if it is not set.
func (e environment) getenv(name string) string {
	for i := len(e.environ) - 1; i >= 0; i-- {
		if key, value, _ := strings.Cut(e.environ[i], "="); key == name {
			return value
		}
	}
	return ""
}

// complain tells of an error, which may repeat what a cluster or a file says: each of its
// lines as it may be shown on a terminal.
func (e environment) complain(err error) {
	for line := range strings.Lines("error: " + err.Error()) {
		fmt.Fprintln(e.err, text.Line(strings.TrimSuffix(line, "\n")))
	}
}

// print prints one line for people, beside the output, as it may be shown on a
// terminal.
func (e environment) print(format string, args ...any) {
	fmt.Fprintln(e.err, text.Line(fmt.Sprintf(format, args...)))
}

// run executes one command line and returns its exit code. Whatever went wrong
// has been said on env.err when it returns.
func run(ctx context.Context, env environment, args []string) exitCode {
	name, rest := calledAs(args)
	root := newRootCommand(env, name)
	root.SetArgs(rest)
	cmd, err := root.ExecuteContextC(ctx)
	if err == nil {
		return exitOK
	}
	var end *exitError
	if !errors.As(err, &end) {
		end = &exitError{code: exitUncertain, err: err}
	}
	if end.err == nil {
		return end.code
	}
	env.complain(end.err)
	if end.code == exitUsage {
		fmt.Fprintf(env.err, "See '%s --help'.\n", cmd.CommandPath())
	}
	return end.code
}

// calledAs returns the name to use in help texts and the arguments proper. As
// kubectl-kstatus the command is a kubectl plugin; as kubectl_complete-kstatus
// it completes that plugin's command line.
func calledAs(args []string) (name string, rest []string) {
	if len(args) == 0 {
		return "kstatus", []string{}
	}
	rest = args[1:]
	switch strings.TrimSuffix(filepath.Base(args[0]), ".exe") {
	case "kubectl-kstatus":
		return "kubectl kstatus", rest
	case "kubectl_complete-kstatus":
		return "kubectl kstatus", append([]string{cobra.ShellCompRequestCmd}, rest...)
	}
	return "kstatus", rest
}

// newRootCommand returns the command tree. Each command gets the environment
// and, if it may ask a cluster, kubectl's connection flags.
func newRootCommand(env environment, name string) *cobra.Command {
	root := &cobra.Command{
		Use:   "kstatus",
		Short: "Tell whether Kubernetes objects are there yet, and if not, why not",
		Long: `Tell whether Kubernetes objects are there yet, and if not, why not.

Every object gets one of six words: Current, InProgress, Failed, Terminating,
NotFound, Unknown. Each verdict says which field decided it and how sure it is.

Exit codes of all commands:
` + exitCodeHelp(),
		Annotations:   map[string]string{cobra.CommandDisplayNameAnnotation: name},
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          usageArgs(noSuchCommand),
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },

		SuggestionsMinimumDistance: 2,
	}
	root.SetIn(env.in)
	root.SetOut(env.out)
	root.SetErr(env.err)
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError(err) })
	root.SetUsageTemplate(usageTemplate)

	connection := genericclioptions.NewConfigFlags(true)
	connection.AddFlags(root.PersistentFlags())
	root.AddCommand(
		newGetCommand(env, connection, name),
		newWaitCommand(env, connection, name),
		newExplainCommand(env, connection, name),
		newLintCommand(env, connection, name),
		newCapiCommand(env, connection, name),
		newRBACCommand(env, connection, name),
		newAuditCommand(env, connection, name),
		newVersionCommand(env),
	)
	return root
}

// noSuchCommand refuses the arguments of the root command, which are misspelt
// commands.
func noSuchCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	err := fmt.Errorf("unknown command %q", args[0])
	if similar := cmd.SuggestionsFor(args[0]); len(similar) > 0 {
		err = fmt.Errorf("%w, did you mean %s?", err, strings.Join(similar, " or "))
	}
	return err
}

// connects is the annotation of commands that may ask a cluster: only their
// help lists the connection flags.
const connects = "connects"

// usageArgs makes the errors of a check of arguments errors of usage.
func usageArgs(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if err := check(cmd, args); err != nil {
			return usageError(err)
		}
		return nil
	}
}

const usageTemplate = `Usage:
  {{if .Runnable}}{{.UseLine}}{{else}}{{.CommandPath}} COMMAND{{end}}
{{- if .HasExample}}

Examples:
{{.Example}}
{{- end}}
{{- if .HasAvailableSubCommands}}

Commands:
{{- range .Commands}}{{if (or .IsAvailableCommand (eq .Name "help"))}}
  {{rpad .Name .NamePadding}} {{.Short}}{{end}}{{end}}
{{- end}}
{{- if .HasAvailableLocalFlags}}{{if .HasParent}}

Flags:
{{.LocalFlags.FlagUsages | trimTrailingWhitespaces}}
{{- end}}{{end}}
{{- if index .Annotations "connects"}}

Connection flags, as kubectl has them:
{{.InheritedFlags.FlagUsages | trimTrailingWhitespaces}}
{{- end}}
{{- if .HasAvailableSubCommands}}

Use "{{.CommandPath}} COMMAND --help" for more about a command.
{{- end}}
`

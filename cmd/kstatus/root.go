package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"k8s.io/cli-runtime/pkg/genericclioptions"

	"kstatus.dev/cmd/kstatus/internal/cli"
	"kstatus.dev/cmd/kstatus/internal/command/author/audit"
	"kstatus.dev/cmd/kstatus/internal/command/author/lint"
	"kstatus.dev/cmd/kstatus/internal/command/clusterapi/capi"
	"kstatus.dev/cmd/kstatus/internal/command/clusterapi/move"
	"kstatus.dev/cmd/kstatus/internal/command/clusterapi/pause"
	"kstatus.dev/cmd/kstatus/internal/command/explain"
	"kstatus.dev/cmd/kstatus/internal/command/get"
	"kstatus.dev/cmd/kstatus/internal/command/overview"
	"kstatus.dev/cmd/kstatus/internal/command/rbac"
	"kstatus.dev/cmd/kstatus/internal/command/reportverdict"
	"kstatus.dev/cmd/kstatus/internal/command/wait"
	"kstatus.dev/cmd/kstatus/internal/completion"
	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/cmd/kstatus/internal/permission"
	"kstatus.dev/internal/crash"
)

// run executes one command line and returns its exit code. It prints all errors to env.Err.
func run(ctx context.Context, env cli.Env, args []string) (code exit.Code) {
	env = env.WithGuard()
	defer func() {
		if p := recover(); p != nil {
			env.PrintPanic(crash.New(p))
			code = exit.Uncertain
		}
	}()
	name, rest := calledAs(args)
	root := newRootCommand(env, name)
	root.SetArgs(rest)
	cmd, err := root.ExecuteContextC(ctx)
	if err == nil {
		return exit.OK
	}
	if cli.IsClosedPipe(err) {
		return exit.BrokenPipe
	}
	var end *exit.Error
	if !errors.As(err, &end) {
		end = &exit.Error{Code: exit.Uncertain, Err: err}
		if signal, ok := errors.AsType[*cli.SignalError](err); ok { // it has ended a request
			end.Code = signal.Code
		}
	}
	if end.Err == nil {
		return end.Code
	}
	env.PrintError(end.Err)
	if end.Code == exit.WrongUsage {
		fmt.Fprintf(env.Err, "See '%s --help'.\n", cmd.CommandPath())
	}
	return end.Code
}

// calledAs returns the name for help texts, and the arguments. As kubectl-kstatus the command is
// a kubectl plugin. As kubectl_complete-kstatus it completes the command line of the plugin.
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

// newRootCommand returns the tree of commands. A command that may call a cluster also gets
// kubectl's connection flags.
func newRootCommand(env cli.Env, name string) *cobra.Command {
	connection := genericclioptions.NewConfigFlags(true)
	page := overview.New(env, connection, name)
	root := &cobra.Command{
		Use:   "kstatus",
		Short: "Show whether Kubernetes objects are ready, and if not, why",
		Long: `Show whether Kubernetes objects are ready, and if not, why.

Each object has one of six statuses: Current, InProgress, Failed, Terminating,
NotFound, Unknown. Without a command, kstatus shows the objects that are not
Current in the namespace of the context, with their causes.

Exit codes of all commands:
` + exit.Help(),
		Annotations:   map[string]string{cobra.CommandDisplayNameAnnotation: name},
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cli.UsageArgs(cli.NoSuchCommand),
		RunE:          func(cmd *cobra.Command, _ []string) error { return page.Run(cmd.Context()) },

		SuggestionsMinimumDistance: 2,
	}
	root.SetIn(env.In)
	root.SetOut(env.Out)
	root.SetErr(env.Err)
	root.SetFlagErrorFunc(flagError)
	root.SetUsageFunc(printUsage)

	page.AddTo(root)
	connection.AddFlags(root.PersistentFlags())
	completion.Completer{Env: env, Connection: connection}.AddConnectionFlags(root)
	root.AddCommand(
		get.New(env, connection, name),
		wait.New(env, connection, name),
		explain.New(env, connection, name),
		lint.New(env, connection, name),
		capi.New(env, connection, name, append(pause.New(env, connection, name), move.New(env, connection, name))...),
		rbac.New(env, connection, name, overview.Permissions, permissions...),
		audit.New(env, connection, name),
		reportverdict.New(env, connection, name),
		newVersionCommand(env),
	)
	refuseUnknownShells(root)
	addVersionFlag(root, env)
	return root
}

// permissions lists the commands whose permissions kstatus rbac prints, in the order of its help.
var permissions = []permission.Command{
	{Name: "get", Permissions: get.Permissions},
	{Name: "wait", Permissions: wait.Permissions},
	{Name: "explain", Permissions: explain.Permissions},
	{Name: "report-verdict", Permissions: reportverdict.Permissions},
	{Name: "audit", Permissions: audit.Permissions},
	{Name: "lint", Permissions: lint.Permissions},
	{Name: "capi check", Permissions: capi.Permissions},
	{Name: "capi pause", Permissions: pause.Permissions},
	{Name: "capi unpause", Permissions: pause.Permissions},
	{Name: "capi move", Subcommands: []string{"resume", "rollback"}, Permissions: move.Permissions},
}

// refuseUnknownShells makes the completion command return an error for unsupported shells.
func refuseUnknownShells(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		if c.Name() == "completion" {
			c.Args = cli.UsageArgs(cli.NoSuchCommand)
			c.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
		}
	}
}

// flagError returns the error for a flag that does not exist. Without a command, the error names
// the command with that flag.
func flagError(cmd *cobra.Command, err error) error {
	unknown, ok := errors.AsType[*pflag.NotExistError](err)
	if !ok {
		return exit.Usage(err)
	}
	root := cmd.Root()
	name := unknown.GetSpecifiedName()
	for _, command := range []string{"get", "wait"} {
		c, _, findErr := root.Find([]string{command})
		if findErr != nil || c == cmd {
			continue
		}
		flags := c.LocalFlags()
		flag := flags.Lookup(name)
		if flag == nil && len(name) == 1 {
			flag = flags.ShorthandLookup(name)
		}
		if flag != nil {
			return exit.Usagef("%w; %s %s has the flag --%s", err, root.DisplayName(), command, flag.Name)
		}
	}
	return exit.Usage(err)
}

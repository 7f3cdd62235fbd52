// Package audit is kstatus audit, which checks each write of controllers against
// the status contract.
package audit

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericclioptions"

	"kstatus.dev/author/audit"
	"kstatus.dev/cmd/kstatus/internal/cli"
	"kstatus.dev/cmd/kstatus/internal/completion"
	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/redact"
)

// A command is kstatus audit with its flags.
type command struct {
	env            cli.Env
	connection     *genericclioptions.ConfigFlags
	rules          auditRules
	allNamespaces  bool
	from, record   string
	duration, idle time.Duration
	progress       string
	showSecrets    bool
	output         string
	explainRule    string
}

// auditFormats are the formats of -o with their functions.
var auditFormats = []struct {
	name  string
	print func(auditResult, cli.Env) error
}{
	{"text", auditResult.text},
	{"json", auditResult.lines},
	{"github", auditResult.github},
}

func auditFormatNames() (all []string) {
	for _, f := range auditFormats {
		all = append(all, f.name)
	}
	return all
}

const auditExample = `  # Audit the writes to Lamps for ten minutes
  %[1]s audit lamps.example.com -A --for 10m

  # Audit all kinds of a group until no write has come for half a minute, and record them
  %[1]s audit '*.example.com' -n shop --until-idle 30s --record lamps.ndjson.gz

  # Audit a record
  %[1]s audit --from lamps.ndjson.gz

  # Audit the requests in an audit log of an API server
  %[1]s audit lamps.example.com --from audit.log

  # In CI, limit the writes to an object that does not change
  %[1]s audit lamps.example.com -A --for 15m --budget writes-per-idle-hour=2

  # Explain a rule
  %[1]s audit --explain W-12`

const auditLong = `Find violations of the status contract in the writes of controllers.

The audit reads each version of each object of the kinds, as a watch delivers them.
It finds, for example, an observed generation that goes back, or a condition that
changes without its time. Each finding has the writer, both versions and the evidence.

A KIND is a resource type as in kubectl, such as lamps.example.com, or *.example.com
for all kinds of a group. The audit reads no Secrets and no ConfigMaps.

With --from, the writes come from a file: a record of --record, or an audit log of an
API server (audit.k8s.io/v1, level RequestResponse). An audit log also shows requests
that change nothing or are refused.

Without --for and --until-idle, the audit runs until Ctrl-C. The exit code is 7 if
there is an error that --suppress does not accept.

Guide: https://kstatus.dev/docs/guides/audit`

// New returns kstatus audit. name is the name of the command in examples.
func New(env cli.Env, config *genericclioptions.ConfigFlags, name string) *cobra.Command {
	a := &command{env: env, connection: config}
	cmd := &cobra.Command{
		Use:         "audit KIND ... | --from FILE [KIND ...] | --explain RULE",
		Short:       "Find violations of the status contract in the writes of controllers",
		Long:        auditLong,
		Example:     fmt.Sprintf(auditExample, name),
		Annotations: map[string]string{cli.Connects: "yes"},
		RunE:        func(cmd *cobra.Command, args []string) error { return a.run(cmd.Context(), args) },
	}
	flags := cmd.Flags()
	flags.BoolVarP(&a.allNamespaces, "all-namespaces", "A", false, "Watch all namespaces.")
	flags.StringVar(&a.from, "from", "", "Read the writes from a `FILE`, or from standard input (-): a stream of --record, or an audit log.")
	flags.StringVar(&a.record, "record", "", "`FILE` for the record of all writes, compressed if its name ends in .gz. Secrets are replaced as far as they are recognized.")
	flags.BoolVar(&a.showSecrets, "show-secrets", false, "Record objects with their secrets. Findings never contain secrets.")
	flags.DurationVar(&a.duration, "for", 0, "Duration of the watch. Zero means until Ctrl-C.")
	flags.DurationVar(&a.idle, "until-idle", 0, "End after this time without a write. Zero means never.")
	a.rules.addTo(cmd)
	flags.StringVar(&a.progress, "progress", cli.ProgressAuto, "Whether to print findings on standard error during the watch. One of: auto, log, none. auto means log with text output.")
	flags.StringVarP(&a.output, "output", "o", "text", "Output format. One of: "+strings.Join(auditFormatNames(), ", ")+". json: one object per line (docs/reference/audit.schema.json). github: annotations for GitHub Actions.")
	flags.StringVar(&a.explainRule, "explain", "", "Print the requirement of a `RULE`, its reason, and the fix. list prints all names.")
	completion.Completer{Env: env, Connection: config}.AddTypes(cmd)
	cli.CompleteWords(cmd, "output", auditFormatNames())
	cli.CompleteWords(cmd, "progress", []string{cli.ProgressAuto, cli.ProgressLog, cli.ProgressNone})
	cli.CompleteWords(cmd, "explain", append(ruleNames(), "list"))
	for _, name := range []string{"from", "record"} {
		// The only possible error is a flag that does not exist: it is defined above.
		_ = cmd.MarkFlagFilename(name)
	}
	return cmd
}

func ruleNames() (all []string) {
	for _, r := range audit.Rules {
		all = append(all, r.ID)
	}
	return all
}

func (a *command) run(ctx context.Context, args []string) error {
	if a.explainRule != "" {
		return a.explain(args)
	}
	kinds, options, err := a.check(args)
	if err != nil {
		return err
	}
	s := &auditRun{command: a, kinds: kinds, auditor: audit.New(options), secrets: redact.Objects{Numbered: true}}
	if err := s.open(); err != nil {
		return err
	}
	if a.from != "" {
		err = s.replay()
	} else {
		err = s.follow(ctx)
	}
	return s.finish(err)
}

// check returns an error if flags and arguments contradict each other.
func (a *command) check(args []string) (kinds []string, options audit.Options, err error) {
	for _, arg := range args {
		kinds = append(kinds, strings.Split(arg, ",")...)
	}
	switch {
	case a.from == "" && len(kinds) == 0:
		return nil, options, exit.Usagef("want a KIND such as lamps.example.com, or --from FILE")
	case slices.Contains(kinds, ""):
		return nil, options, exit.Usagef("%s: want kinds, have an empty argument", strings.Join(args, " "))
	case a.from != "" && (a.duration != 0 || a.idle != 0):
		return nil, options, exit.Usagef("--from cannot be used with --for and --until-idle, which are for watching")
	case a.from != "" && a.allNamespaces:
		return nil, options, exit.Usagef("--from cannot be used with -A, which is for watching")
	case a.duration < 0 || a.idle < 0:
		return nil, options, exit.Usagef("--for and --until-idle: want a duration, have a negative one")
	}
	if err := cli.CheckOneOf("-o", a.output, auditFormatNames()); err != nil {
		return nil, options, err
	}
	if err := cli.CheckOneOf("--progress", a.progress, []string{cli.ProgressAuto, cli.ProgressLog, cli.ProgressNone}); err != nil {
		return nil, options, err
	}
	options, err = a.rules.options()
	if a.progress == cli.ProgressLog || a.progress == cli.ProgressAuto && a.output == "text" && a.from == "" {
		options.OnFinding = func(f audit.Finding) { a.env.Print("%s %s", output.FormatTime(f.First), findingText(f)) }
	}
	return kinds, options, err
}

// explain prints the requirement of a rule.
func (a *command) explain(args []string) error {
	if len(args) > 0 {
		return exit.Usagef("%s: want --explain without a KIND", args[0])
	}
	for _, r := range audit.Rules {
		first, _, _ := strings.Cut(r.Doc, "\n")
		switch {
		case a.explainRule == "list":
			fmt.Fprintf(a.env.Out, "%s %-24s %-8s %s\n", r.ID, r.Name, r.Severity, first)
		case strings.EqualFold(a.explainRule, r.ID) || a.explainRule == r.Name:
			_, err := fmt.Fprintf(a.env.Out, "%s %s (%s)\n\n%s\n", r.ID, r.Name, r.Severity, strings.TrimSpace(r.Doc))
			return err
		}
	}
	if a.explainRule == "list" {
		return nil
	}
	return exit.Usagef("--explain %q: want a rule such as W-12, or list", a.explainRule)
}

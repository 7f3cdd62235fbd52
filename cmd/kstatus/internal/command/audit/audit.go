// Package audit is kstatus audit: what controllers write, checked write by write
// against the status contract.
package audit

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericclioptions"

	"kstatus.dev/audit"
	"kstatus.dev/cmd/kstatus/internal/cli"
	"kstatus.dev/cmd/kstatus/internal/completion"
	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/redact"
)

// An command is kstatus audit with its flags.
type command struct {
	env           cli.Env
	connection    *genericclioptions.ConfigFlags
	rules         auditRules
	allNamespaces bool
	from, record  string
	lasts, idle   time.Duration
	progress      string
	showSecrets   bool
	output        string
	explained     string
}

// The formats of -o, and what prints each.
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

const auditExample = `  # Watch what controllers write to Lamps for ten minutes, then tell what breaches the status contract
  %[1]s audit lamps.example.com -A --for 10m

  # All kinds of a group, until nothing has been written for half a minute; keep the stream
  %[1]s audit '*.example.com' -n shop --until-idle 30s --record lamps.ndjson.gz

  # The same findings again, from what was kept
  %[1]s audit --from lamps.ndjson.gz

  # The requests in an audit log of an API server: also those that change nothing or are refused
  %[1]s audit lamps.example.com --from audit.log

  # In CI: no more than two writes an hour to an object with which nothing happens
  %[1]s audit lamps.example.com -A --for 15m --budget writes-per-idle-hour=2

  # What a rule demands, why, and how to repair
  %[1]s audit --explain W-12`

const auditLong = `Find breaches of the status contract in what controllers write.

Every version of every object of the kinds is looked at, as a watch delivers
them: whether the observed generation goes back, a condition changes without its
time, Ready is claimed for an old spec, an update changes nothing but a message,
and more. Each finding has the writer, the two versions and the evidence.

KIND is what kubectl takes, such as lamps.example.com, or *.example.com for all
kinds of a group. Secrets and ConfigMaps are not read.

With --from the writes come from a file: one of --record, or an audit log of an
API server (audit.k8s.io/v1, level RequestResponse). An audit log, of which KIND
selects lamps.example.com or *.example.com, also tells of requests that change
nothing or are refused, which a watch does not see.

Without --for and --until-idle it goes on until Ctrl-C. It exits with 7 if there
is an error that no suppression accepts.`

// New returns kstatus audit. name is how examples call the command.
func New(env cli.Env, config *genericclioptions.ConfigFlags, name string) *cobra.Command {
	a := &command{env: env, connection: config}
	cmd := &cobra.Command{
		Use:         "audit KIND ... | --from FILE [KIND ...] | --explain RULE",
		Short:       "Find breaches of the status contract in what controllers write",
		Long:        auditLong,
		Example:     fmt.Sprintf(auditExample, name),
		Annotations: map[string]string{cli.Connects: "yes"},
		RunE:        func(cmd *cobra.Command, args []string) error { return a.run(cmd.Context(), args) },
	}
	flags := cmd.Flags()
	flags.BoolVarP(&a.allNamespaces, "all-namespaces", "A", false, "watch all namespaces")
	flags.StringVar(&a.from, "from", "", "read the writes from a `FILE`, - for standard input: a stream that --record has written, or an audit log")
	flags.StringVar(&a.record, "record", "", "`FILE` to record the writes in, compressed if its name ends in .gz; what looks like a secret is replaced, as far as it can be told")
	flags.BoolVar(&a.showSecrets, "show-secrets", false, "record the objects as they are, with what looks like a secret; findings tell none in any case")
	flags.DurationVar(&a.lasts, "for", 0, "how long to watch; 0: until Ctrl-C")
	flags.DurationVar(&a.idle, "until-idle", 0, "watch until nothing has been written for so long; 0: do not end by that")
	a.rules.addTo(cmd)
	flags.StringVar(&a.progress, "progress", cli.ProgressAuto, "whether to tell of findings on standard error as they are made, one of auto, log, none; auto is log in text output")
	flags.StringVarP(&a.output, "output", "o", "text", "one of "+strings.Join(auditFormatNames(), ", ")+"; json prints one object per line: docs/audit.schema.json; github prints annotations for GitHub Actions")
	flags.StringVar(&a.explained, "explain", "", "print what a `RULE` demands, why, and how to repair; list names them")
	completion.Completer{Env: env, Connection: config}.AddTypes(cmd)
	cli.CompleteWords(cmd, "output", auditFormatNames())
	cli.CompleteWords(cmd, "progress", []string{cli.ProgressAuto, cli.ProgressLog, cli.ProgressNone})
	cli.CompleteWords(cmd, "explain", append(ruleNames(), "list"))
	for _, name := range []string{"from", "record"} {
		// An error would mean that the flag does not exist: it is above.
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
	if a.explained != "" {
		return a.explain(args)
	}
	kinds, options, err := a.check(args)
	if err != nil {
		return err
	}
	s := &auditing{command: a, kinds: kinds, auditor: audit.New(options), secrets: redact.Objects{Numbered: true}}
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
		return nil, options, exit.Usagef("%s: want kinds, have an empty one", strings.Join(args, " "))
	case a.from != "" && (a.lasts != 0 || a.idle != 0):
		return nil, options, exit.Usagef("--from: want it without --for and --until-idle, which are for watching")
	case a.from != "" && a.allNamespaces:
		return nil, options, exit.Usagef("--from: want it without -A, which is for watching")
	case a.lasts < 0 || a.idle < 0:
		return nil, options, exit.Usagef("--for and --until-idle: want a time, have less than none")
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

// explain prints what a rule demands.
func (a *command) explain(args []string) error {
	if len(args) > 0 {
		return exit.Usagef("%s: want --explain without a KIND", args[0])
	}
	for _, r := range audit.Rules {
		first, _, _ := strings.Cut(r.Doc, "\n")
		switch {
		case a.explained == "list":
			fmt.Fprintf(a.env.Out, "%s %-24s %-8s %s\n", r.ID, r.Name, r.Severity, first)
		case strings.EqualFold(a.explained, r.ID) || a.explained == r.Name:
			_, err := fmt.Fprintf(a.env.Out, "%s %s (%s)\n\n%s\n", r.ID, r.Name, r.Severity, strings.TrimSpace(r.Doc))
			return err
		}
	}
	if a.explained == "list" {
		return nil
	}
	return exit.Usagef("--explain %q: want a rule such as W-12, or list", a.explained)
}

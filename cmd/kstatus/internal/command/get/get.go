// Package get is kstatus get, which prints the status of objects, and with --watch
// their changes.
package get

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericclioptions"

	"kstatus.dev/cmd/kstatus/internal/cli"
	"kstatus.dev/cmd/kstatus/internal/completion"
	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/cmd/kstatus/internal/fields"
	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/cmd/kstatus/internal/printer"
	"kstatus.dev/cmd/kstatus/internal/record"
	"kstatus.dev/cmd/kstatus/internal/selection"
	"kstatus.dev/cmd/kstatus/internal/snapshot"
)

// A command is kstatus get with its flags.
type command struct {
	snapshot.Flags
	recordFlags record.Flags

	output       string
	noHeaders    bool
	labels       bool
	labelColumns []string
	sortBy       string
	notCurrent   bool
	ruleArg      string // the value of --explain-rule
	watch        bool
	pods         bool
	tree         bool
	firstStatus  time.Duration // the value of --first-status
	deep         bool

	fields *fields.Printer // of -o jsonpath and similar formats
	hidden int             // objects that --not-current leaves out
	events bool            // a table has rows for Events
}

const getExample = `  # Print the objects of a Helm release
  %[1]s get helm/web -n shop

  # Print all objects of a namespace that have a status
  %[1]s get -n shop

  # Print only objects that are not Current, in all namespaces
  %[1]s get -A --not-current

  # Print saved objects, without a cluster
  kubectl get all -A -o yaml > saved.yaml
  %[1]s get --local -f saved.yaml -o wide

  # Print saved custom resources with their definitions
  %[1]s get --local -R -f saved/ --crds crds/ -o json

  # Use rules of your own, and print the rule of a kind
  %[1]s get -f shop/ --rules rules.yaml
  %[1]s get --explain-rule certificate --rules rules.yaml

  # Print a Kustomization of Flux and the objects that it has applied
  %[1]s get kustomization/apps -n flux-system --expand

  # Print Pods and each change until Ctrl-C
  %[1]s get pod -l app=web -w

  # Print a Deployment with its ReplicaSets and Pods
  %[1]s get deployment/web -n shop --tree

  # Print fields of objects, as kubectl
  %[1]s get deployment/web -n shop -o jsonpath='{.status.readyReplicas}'
  %[1]s get pods -n shop -o custom-columns=NAME:.metadata.name,NODE:.spec.nodeName --sort-by=.spec.nodeName

  # In scripts: exit 3 if an object has failed, 4 if one is not Current
  %[1]s get --local -f saved.yaml --exit-code`

// New returns kstatus get. name is the name of the command in examples.
func New(env cli.Env, config *genericclioptions.ConfigFlags, name string) *cobra.Command {
	g := &command{Flags: snapshot.Flags{Env: env, Connection: config}}
	cmd := &cobra.Command{
		Use:   "get [TYPE/NAME ... | TYPE [NAME ...] | SET/NAME ... | -f FILE | -k DIR | --all]",
		Short: "Print the status of objects",
		Long: `Print the status of objects.

Without arguments, it prints the objects of --all: all objects of the namespace that
have a status. Objects that another of them has created are left out, such as Pods.
` + selection.SetsHelp + `

The newest Pods of workloads that are not Current count too, unless --pods=false.
In a table, "Current (assumed)" means that no field contradicts it, and Failing that
the failure may recover.

An object that you name and that does not exist makes the exit code 5, and one that
you may not read 6. With --exit-code, the status of all objects decides.

With --local, kstatus judges the objects in the files, as of the newest time in the
files. --watch prints each change until Ctrl-C. --tree prints the objects that each
object has created or owns. jsonpath and custom-columns print fields of the objects.

Guide: https://kstatus.dev/docs/guides/explain`,
		Example:     fmt.Sprintf(getExample, name),
		Annotations: map[string]string{cli.Connects: "yes"},
		RunE: func(cmd *cobra.Command, args []string) error {
			return errors.Join(g.run(cmd.Context(), args), g.recordFlags.Close())
		},
	}
	g.Flags.AddTo(cmd)
	g.recordFlags.AddTo(cmd)
	flags := cmd.Flags()
	flags.StringVarP(&g.output, "output", "o", "table", "Output format. One of: "+strings.Join(printer.FormatNames(), ", ")+". json: one object per line. As for kubectl: "+strings.Join(fields.FormatNames, "=…, ")+"=…")
	flags.StringVar(&g.sortBy, "sort-by", "", "Sort by this field of the objects, for example .metadata.creationTimestamp.")
	flags.BoolVar(&g.labels, "show-labels", false, "Add a column with all labels.")
	flags.StringSliceVarP(&g.labelColumns, "label-columns", "L", nil, "Add a column for each of these labels.")
	flags.BoolVar(&g.notCurrent, "not-current", false, "Print only objects that are not Current.")
	flags.BoolVar(&g.IgnoreNotFound, "ignore-not-found", false, "Leave out named objects that do not exist. They do not change the exit code.")
	g.Selection.AddChunkSize(cmd)
	flags.BoolVarP(&g.watch, "watch", "w", false, "After printing the objects, print each change. On a terminal, the table changes in place.")
	flags.BoolVar(&g.noHeaders, "no-headers", false, "Do not print headers.")
	flags.BoolVar(&g.pods, "pods", true, "Read the newest Pods of workloads that are not Current, as wait does. This takes two more lists per namespace.")
	flags.DurationVar(&g.firstStatus, "first-status", snapshot.DefaultFirstStatus, "Time for the first report of a custom resource's controller, from the last change of the object. After it, the rest of the object decides and Current is assumed, unless other objects of its kind have a report. Zero means forever.")
	flags.BoolVar(&g.tree, "tree", false, "Print the objects that each object has created or owns. Without -o wide, parts that are Current are only counted.")
	flags.BoolVar(&g.deep, "deep", false, "With --tree, search all kinds for parts, not only the likely ones.")
	flags.StringVar(&g.ruleArg, "explain-rule", "", "Print the rule for a `KIND`, as kind, kind.group or plural, with or without a cluster.")
	cli.CompleteWords(cmd, "output", append(printer.FormatNames(), fields.FormatNames...))
	completion.Completer{Env: env, Connection: config}.AddTypeFlag(cmd, "explain-rule")
	return cmd
}

func (g *command) run(ctx context.Context, args []string) error {
	by, err := g.Criteria()
	if err != nil {
		return err
	}
	if g.firstStatus < 0 {
		return exit.Usagef("--first-status %s: want a time that is not negative", g.firstStatus)
	}
	if err := g.checkFields(); err != nil {
		return err
	}
	by.Labels = g.labels || len(g.labelColumns) > 0
	if g.Local && g.watch {
		return exit.Usagef("--watch cannot be used with --local, whose objects do not change")
	}
	if g.ruleArg != "" {
		return g.explainRule(ctx, args, by)
	}
	if err := g.CheckOrigin(); err != nil {
		return err
	}
	g.SelectAll(args)
	g.events = !g.Local || len(args) > 0
	if g.recordFlags.File != "" && (g.watch || g.tree) {
		return exit.Usagef("--record cannot be used with --watch and --tree")
	}
	if g.Local {
		return g.runLocal(ctx, args, by)
	}
	show, err := g.printer(by.Now)
	if err != nil {
		return err
	}
	switch {
	case !g.pods && (g.watch || g.tree):
		return exit.Usagef("--pods=false cannot be used with --watch and --tree, which always read Pods")
	case g.watch && g.tree:
		return exit.Usagef("--watch cannot be used with --tree")
	case g.watch:
		return g.follow(ctx, args, by, show)
	case g.tree:
		return g.treeLive(ctx, args, by, show)
	case g.deep:
		return exit.Usagef("--deep requires --tree")
	}
	return g.getLive(ctx, args, by, show)
}

// runLocal prints objects of files, or of a record.
func (g *command) runLocal(ctx context.Context, args []string, by output.Criteria) error {
	inputs, err := g.ReadFiles(ctx)
	if err != nil {
		return err
	}
	rec, err := g.recordFlags.Replay(inputs)
	if err != nil {
		return err
	}
	if rec != nil {
		if err := g.CheckReplay(); err != nil {
			return err
		}
		by.Now = rec.EndTime()
	} else {
		g.AsOf(&by, inputs)
	}
	show, err := g.printer(by.Now)
	if err != nil {
		return err
	}
	switch {
	case rec != nil && g.tree:
		return g.treeReplay(rec, args, by, show)
	case rec != nil:
		return g.replay(rec, args, show)
	case g.tree:
		return g.treeLocal(ctx, args, by, inputs, show)
	case g.deep:
		return exit.Usagef("--deep requires --tree")
	}
	return g.getLocal(ctx, args, by, inputs, show)
}

// printer returns the printer for -o.
func (g *command) printer(now time.Time) (printer.Printer, error) {
	if err := cli.CheckOneOf("--color", g.Colour, cli.ColourModes); err != nil {
		return nil, err
	}
	l := printer.Options{
		Style:   g.Env.Style(g.Env.Out, g.Colour),
		Now:     now,
		Headers: !g.noHeaders,
		Labels:  g.labels, LabelColumns: g.labelColumns,
	}
	show := printer.FormatOf(g.output).New(g.Env.Out, l)
	switch {
	case g.tree && !g.evidence() && g.output != "name":
		show = &printer.Tree{Out: g.Env.Out, Options: l, Whole: g.output == "wide"}
	case fields.IsFormat(g.output):
		var err error
		if g.fields, err = fields.New(g.Env.Out, g.output, !g.noHeaders); err != nil {
			return nil, exit.Usage(err)
		}
		g.fields.Screen = cli.IsTerminal(g.Env.Out)
		show = g.fields
	}
	show = printer.Filter{Printer: show, Keep: g.shouldPrint}
	r, err := g.recordFlags.Open(g.InputFiles()...)
	if err != nil || r == nil {
		return show, err
	}
	return printer.Multi{show, &record.Printer{Writer: r, Of: "get"}}, nil
}

// evidence reports whether -o prints the fields that decided the status.
func (g *command) evidence() bool { return printer.FormatOf(g.output).Evidence }

// detail returns which details verdicts keep.
func (g *command) detail() output.Detail {
	if g.readsFields() || !g.Local && g.showsCaveats() {
		return output.DetailObject
	}
	if g.evidence() || g.recordFlags.File != "" {
		return output.DetailEvidence
	}
	return output.DetailVerdict
}

// Package get is kstatus get: a snapshot of objects, and what changes after it.
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
	explained    string // the value of --explain-rule
	watch        bool
	pods         bool
	tree         bool
	first        time.Duration // the value of --first-status
	deep         bool

	fields *fields.Printer // of -o jsonpath and the like
	hidden int             // objects that --not-current leaves out
	events bool            // Events are rows of a table
}

const getExample = `  # Where the objects of a release stand in the cluster
  helm get manifest web | %[1]s get -f -

  # What was saved earlier stands for the cluster: no server is asked
  kubectl get all -A -o yaml > saved.yaml
  %[1]s get --local -f saved.yaml -o wide

  # Custom resources, judged with what their definitions promise
  %[1]s get --local -R -f saved/ --crds crds/ -o json

  # Kinds judged by rules of your own, and what judges a kind
  %[1]s get -f shop/ --rules rules.yaml
  %[1]s get --explain-rule certificate --rules rules.yaml

  # What Helm has installed, and everything in a namespace that has a status
  %[1]s get helm/web -n shop
  %[1]s get --all -n shop

  # A Kustomization of Flux, and all that it has applied
  %[1]s get kustomization/apps -n flux-system --expand

  # Where Pods stand, and what becomes of them, until interrupted
  %[1]s get pod -l app=web -w

  # All that has been made for a Deployment, and where each part stands
  %[1]s get deployment/web -n shop --tree

  # Only what is not Current, in all namespaces
  %[1]s get --all -A --not-current

  # Fields of the objects, as kubectl prints them
  %[1]s get deployment/web -n shop -o jsonpath='{.status.readyReplicas}'
  %[1]s get pods -n shop -o custom-columns=NAME:.metadata.name,NODE:.spec.nodeName --sort-by=.spec.nodeName

  # For scripts: exit 3 if something failed, 4 if something is not there yet
  %[1]s get --local -f saved.yaml --exit-code`

// New returns kstatus get. name is how examples call the command.
func New(env cli.Env, config *genericclioptions.ConfigFlags, name string) *cobra.Command {
	g := &command{Flags: snapshot.Flags{Env: env, Connection: config}}
	cmd := &cobra.Command{
		Use:   "get [TYPE/NAME ... | TYPE [NAME ...] | SET/NAME ... | -f FILE | -k DIR | --all]",
		Short: "Print where objects stand",
		Long: `Print where objects stand, now.

Without arguments everything in the namespace is meant that has a status, as with --all.

With --local the objects given are taken as the state that was observed, as of
the newest time in the files, and no server is asked. What cannot be read is
reported with its file and line, all else is judged, and the exit code is 1.

` + selection.SetsHelp + `

The newest Pods of workloads that are not Current count, as they do for a wait, unless
--pods=false: that takes two more lists per namespace, and none where all is Current.

Objects that are named, by arguments or in files, and do not exist make the exit code
5, unless --ignore-not-found; those that may not be read make it 6. A TYPE without
objects is no error. With --exit-code the status of all objects decides.

jsonpath and custom-columns print fields of the objects, not of verdicts, as kubectl
does: of several objects those of a List. NotFound objects have none.

In a table, Current (assumed) means that nothing spoke for or against it, and
Failing that something is wrong which may still heal.

With --watch it goes on until it is interrupted. What is added to a TYPE is told
as well, and what is gone is NotFound. With -o json each line is a change.

With --tree, what objects have made stands below them, found by owner references,
and what sets have, as with --expand; what is there with all below it is folded
into one line. Of custom resources, parts are looked for among the kinds of their
project and those that controllers make most often.`,
		Example:     fmt.Sprintf(getExample, name),
		Annotations: map[string]string{cli.Connects: "yes"},
		RunE: func(cmd *cobra.Command, args []string) error {
			return errors.Join(g.run(cmd.Context(), args), g.recordFlags.Close())
		},
	}
	g.Flags.AddTo(cmd)
	g.recordFlags.AddTo(cmd)
	flags := cmd.Flags()
	flags.StringVarP(&g.output, "output", "o", "table", "one of "+strings.Join(printer.FormatNames(), ", ")+"; json prints one object per line; or as kubectl "+strings.Join(fields.FormatNames, "=…, ")+"=…")
	flags.StringVar(&g.sortBy, "sort-by", "", "sort by this field of the objects, such as .metadata.creationTimestamp")
	flags.BoolVar(&g.labels, "show-labels", false, "add a column with all labels")
	flags.StringSliceVarP(&g.labelColumns, "label-columns", "L", nil, "add a column for each of these labels")
	flags.BoolVar(&g.notCurrent, "not-current", false, "print only objects that are not Current")
	flags.BoolVar(&g.IgnoreNotFound, "ignore-not-found", false, "leave out named objects that do not exist; they do not change the exit code")
	g.Selection.AddChunkSize(cmd)
	flags.BoolVarP(&g.watch, "watch", "w", false, "go on after that, and tell each change: in place if standard output and standard error are a terminal, in lines elsewhere")
	flags.BoolVar(&g.noHeaders, "no-headers", false, "leave out the line with the names of the columns")
	flags.BoolVar(&g.pods, "pods", true, "let the newest Pods of workloads that are not Current count, as wait does: two more lists per namespace")
	flags.DurationVar(&g.first, "first-status", snapshot.DefaultFirstStatus, "how long after the last change of an object in a cluster its controller has for its first report; after that the object is Current (assumed), as for wait. Zero: forever")
	flags.BoolVar(&g.tree, "tree", false, "show what each object has made or owns, and where that stands; with -o wide nothing is folded")
	flags.BoolVar(&g.deep, "deep", false, "with --tree, look for parts among all kinds there are, not only where they are likely")
	flags.StringVar(&g.explained, "explain-rule", "", "tell what judges a `KIND`, instead of judging objects: kind, kind.group or plural, with a cluster or without")
	cli.CompleteWords(cmd, "output", append(printer.FormatNames(), fields.FormatNames...))
	completion.Completer{Env: env, Connection: config}.AddTypeFlag(cmd, "explain-rule")
	return cmd
}

func (g *command) run(ctx context.Context, args []string) error {
	by, err := g.Criteria()
	if err != nil {
		return err
	}
	if g.first < 0 {
		return exit.Usagef("--first-status %s: want a time that is not negative", g.first)
	}
	if err := g.checkFields(); err != nil {
		return err
	}
	by.Labels = g.labels || len(g.labelColumns) > 0
	if g.Local && g.watch {
		return exit.Usagef("--watch: want it without --local, where nothing changes")
	}
	if g.explained != "" {
		return g.explainRule(ctx, args, by)
	}
	if err := g.CheckOrigin(); err != nil {
		return err
	}
	g.SelectAll(args)
	g.events = !g.Local || len(args) > 0
	if g.recordFlags.File != "" && (g.watch || g.tree) {
		return exit.Usagef("--record: want it without --watch and --tree")
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
		return exit.Usagef("--pods=false: want it without --watch and --tree, which look at Pods anyway")
	case g.watch && g.tree:
		return exit.Usagef("--watch: want it without --tree")
	case g.watch:
		return g.follow(ctx, args, by, show)
	case g.tree:
		return g.treeLive(ctx, args, by, show)
	case g.deep:
		return exit.Usagef("--deep: want --tree with it")
	}
	return g.getLive(ctx, args, by, show)
}

// runLocal shows what files hold, or a record.
func (g *command) runLocal(ctx context.Context, args []string, by output.Criteria) error {
	inputs, err := g.ReadFiles(ctx)
	if err != nil {
		return err
	}
	rec, err := g.recordFlags.Replayed(inputs)
	if err != nil {
		return err
	}
	if rec != nil {
		if err := g.CheckReplay(); err != nil {
			return err
		}
		by.Now = rec.Ended()
	} else {
		g.AsOf(&by, inputs)
	}
	show, err := g.printer(by.Now)
	if err != nil {
		return err
	}
	switch {
	case rec != nil && g.tree:
		return g.treeAgain(rec, args, by, show)
	case rec != nil:
		return g.replay(rec, args, show)
	case g.tree:
		return g.treeLocal(ctx, args, by, inputs, show)
	case g.deep:
		return exit.Usagef("--deep: want --tree with it")
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
		show = &printer.Tree{Out: g.Env.Out, Look: l, Whole: g.output == "wide"}
	case fields.IsFormat(g.output):
		var err error
		if g.fields, err = fields.New(g.Env.Out, g.output, !g.noHeaders); err != nil {
			return nil, exit.Usage(err)
		}
		show = g.fields
	}
	show = printer.Filter{Printer: show, Keep: g.keeps}
	r, err := g.recordFlags.Open(g.InputFiles()...)
	if err != nil || r == nil {
		return show, err
	}
	return printer.Multi{show, &record.Printer{Writer: r, Of: "get"}}, nil
}

// evidence reports whether -o prints the fields that decided.
func (g *command) evidence() bool { return printer.FormatOf(g.output).Evidence }

// detail returns what verdicts are to keep.
func (g *command) detail() output.Detail {
	if g.readsFields() || !g.Local && g.showsCaveats() {
		return output.DetailObject
	}
	if g.evidence() || g.recordFlags.File != "" {
		return output.DetailEvidence
	}
	return output.DetailVerdict
}

package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericclioptions"

	"kstatus.dev/status"
)

// A getCommand is kstatus get with its flags.
type getCommand struct {
	snapshotFlags
	recordFlags recordFlags

	output    string
	noHeaders bool
	explained string // the value of --explain-rule
	watch     bool
	tree      bool
	deep      bool
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

  # For scripts: exit 3 if something failed, 4 if something is not there yet
  %[1]s get --local -f saved.yaml --exit-code`

func newGetCommand(env environment, connection *genericclioptions.ConfigFlags, name string) *cobra.Command {
	g := &getCommand{snapshotFlags: snapshotFlags{env: env, connection: connection}}
	cmd := &cobra.Command{
		Use:   "get [TYPE/NAME ... | TYPE [NAME ...] | SET/NAME ... | -f FILE | -k DIR | --all]",
		Short: "Print where objects stand",
		Long: `Print where objects stand, now.

With --local the objects given are taken as the state that was observed, and no
server is asked. What cannot be read is reported with its file and line, all
else is judged, and the exit code is 1.

` + setsLong + `

In a table, Current (assumed) means that nothing spoke for or against it, and
Failing that something is wrong which may still heal.

With --watch it goes on until it is interrupted. What is added to a TYPE is told
as well, and what is gone is NotFound. With -o json each line is a change.

With --tree, what objects have made stands below them, found by owner references,
and what sets have, as with --expand; what is there with all below it is folded
into one line. Of custom resources, parts are looked for among the kinds of their
project and those that controllers make most often.`,
		Example:     fmt.Sprintf(getExample, name),
		Annotations: map[string]string{connects: "yes"},
		RunE:        func(cmd *cobra.Command, args []string) error { return g.run(cmd.Context(), args) },
	}
	g.snapshotFlags.addTo(cmd)
	g.recordFlags.addTo(cmd)
	flags := cmd.Flags()
	flags.StringVarP(&g.output, "output", "o", "table", "one of "+strings.Join(formatNames(), ", ")+"; json prints one object per line")
	flags.BoolVarP(&g.watch, "watch", "w", false, "go on after that, and tell each change: in place if standard output and standard error are a terminal, in lines elsewhere")
	flags.BoolVar(&g.noHeaders, "no-headers", false, "leave out the line with the names of the columns")
	flags.BoolVar(&g.tree, "tree", false, "show what each object has made or owns, and where that stands; with -o wide nothing is folded")
	flags.BoolVar(&g.deep, "deep", false, "with --tree, look for parts among all kinds there are, not only where they are likely")
	flags.StringVar(&g.explained, "explain-rule", "", "tell what judges a `KIND`, instead of judging objects: kind, kind.group or plural, with a cluster or without")
	completeWords(cmd, "output", formatNames())
	return cmd
}

// addProfileFlag adds --profile, which get and wait share.
func addProfileFlag(cmd *cobra.Command, value *string) {
	var help strings.Builder
	var names []string
	for _, p := range status.Profiles() {
		fmt.Fprintf(&help, "\n%s: %s", p.Name(), p.Doc())
		names = append(names, p.Name())
	}
	cmd.Flags().StringVar(value, "profile", status.Default().Name(), "how to read the objects:"+help.String())
	completeWords(cmd, "profile", names)
}

// addHintsFlag adds --no-hints, which get and wait share.
func addHintsFlag(cmd *cobra.Command, value *bool) {
	cmd.Flags().BoolVar(value, "no-hints", false, "judge kinds without a rule by the words and the structure of their status alone, not by what is known of the kind")
}

// completeWords offers the words as values of a flag.
func completeWords(cmd *cobra.Command, flag string, words []string) {
	// An error would mean that the flag does not exist: its own line is above each call.
	_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}

func (g *getCommand) run(ctx context.Context, args []string) error {
	by, err := g.criteria()
	if err != nil {
		return err
	}
	if g.local && g.watch {
		return usagef("--watch: want it without --local, where nothing changes")
	}
	if g.explained != "" {
		return g.explainRule(ctx, args, by)
	}
	if err := g.checkOrigin(); err != nil {
		return err
	}
	if g.recordFlags.record != "" && (g.watch || g.tree) {
		return usagef("--record: want it without --watch and --tree")
	}
	if g.local {
		return g.runLocal(ctx, args, by)
	}
	show, err := g.printer(by.now)
	if err != nil {
		return err
	}
	switch {
	case g.watch && g.tree:
		return usagef("--watch: want it without --tree")
	case g.watch:
		return g.follow(ctx, args, by, show)
	case g.tree:
		return g.treeLive(ctx, args, by, show)
	case g.deep:
		return usagef("--deep: want --tree with it")
	}
	return g.getLive(ctx, args, by, show)
}

// runLocal shows what files hold, or a record.
func (g *getCommand) runLocal(ctx context.Context, args []string, by criteria) error {
	inputs, err := g.readFiles(ctx)
	if err != nil {
		return err
	}
	rec, err := g.recordFlags.replayed(inputs)
	if err != nil {
		return err
	}
	if rec != nil {
		if err := g.checkReplay(); err != nil {
			return err
		}
		by.now = rec.ended()
	}
	show, err := g.printer(by.now)
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
		return usagef("--deep: want --tree with it")
	}
	return g.getLocal(ctx, args, by, inputs, show)
}

// printer returns the printer for -o.
func (g *getCommand) printer(now time.Time) (printer, error) {
	if err := oneOf("-o", g.output, formatNames()); err != nil {
		return nil, err
	}
	if err := oneOf("--color", g.colour, colourModes); err != nil {
		return nil, err
	}
	l := look{
		style:   g.env.style(g.env.out, g.colour),
		now:     now,
		headers: !g.noHeaders,
	}
	show := formats[formatIndex(g.output)].open(g.env.out, l)
	if g.tree && !g.evidence() && g.output != "name" {
		show = &treeTable{out: g.env.out, look: l, whole: g.output == "wide"}
	}
	r, err := g.recordFlags.open()
	if err != nil || r == nil {
		return show, err
	}
	return printers{show, &printRecord{record: r, of: "get"}}, nil
}

// evidence reports whether -o prints the fields that decided.
func (g *getCommand) evidence() bool { return formats[formatIndex(g.output)].evidence }

// detail returns what verdicts are to keep.
func (g *getCommand) detail() detail {
	if g.evidence() || g.recordFlags.record != "" {
		return detailEvidence
	}
	return detailVerdict
}

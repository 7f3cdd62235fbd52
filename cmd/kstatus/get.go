package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericclioptions"

	"kstatus.dev/internal/text"
	"kstatus.dev/status"
)

// A getCommand is kstatus get with its flags.
type getCommand struct {
	env        environment
	connection *genericclioptions.ConfigFlags
	selection
	ruleFlags
	recordFlags

	local     bool
	crds      []string
	at        string // the value of --now
	profile   string
	noHints   bool
	output    string
	colour    string
	noHeaders bool
	exitCode  bool
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
	g := &getCommand{env: env, connection: connection}
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
	g.addFlags(cmd)
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

// addFlags adds the flags that get and explain share.
func (g *getCommand) addFlags(cmd *cobra.Command) {
	g.selection.addFlags(cmd)
	g.ruleFlags.addTo(cmd)
	g.recordFlags.addTo(cmd)
	flags := cmd.Flags()
	flags.BoolVar(&g.local, "local", false, "take the objects given as the observed state; no server is asked")
	flags.StringArrayVar(&g.crds, "crds", nil, "with --local, file or directory with CustomResourceDefinitions that say what their kinds promise; repeatable")
	flags.StringVar(&g.at, "now", "", "with --local, judge as of this time (RFC 3339), not as of now")
	addProfileFlag(cmd, &g.profile)
	addHintsFlag(cmd, &g.noHints)
	flags.StringVar(&g.colour, "color", "auto", "one of "+strings.Join(colourModes, ", "))
	flags.BoolVar(&g.exitCode, "exit-code", false, "exit as a wait that may not last would: 3 failed, 4 not there yet, 5 nothing matched")
	completeWords(cmd, "color", colourModes)
	completeContexts(cmd, g.connection)
	completeSets(cmd, g.env, g.connection)
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
	j, err := g.judge()
	if err != nil {
		return err
	}
	if g.explained != "" {
		return g.explainRule(ctx, args, j)
	}
	if g.record != "" && (g.watch || g.tree) {
		return usagef("--record: want it without --watch and --tree")
	}
	rec, err := g.recording()
	if err != nil {
		return err
	}
	if rec != nil {
		j.now = rec.ended()
	}
	show, err := g.printer(&j)
	if err != nil {
		return err
	}
	switch {
	case rec != nil && g.tree:
		return g.treeAgain(rec, args, j, show)
	case rec != nil:
		return g.replay(rec, args, show)
	case g.watch && g.tree:
		return usagef("--watch: want it without --tree")
	case g.watch:
		return g.follow(ctx, args, j, show)
	case g.tree && g.local:
		return g.treeLocal(ctx, args, j, show)
	case g.tree:
		return g.treeLive(ctx, args, j, show)
	case g.deep:
		return usagef("--deep: want --tree with it")
	case g.local:
		return g.getLocal(ctx, args, j, show)
	}
	return g.getLive(ctx, args, j, show)
}

// judge returns by what is judged, as the flags say.
func (g *getCommand) judge() (j judge, err error) {
	if err := g.selection.check(); err != nil {
		return j, err
	}
	profile, err := status.ProfileNamed(g.profile)
	if err != nil {
		return j, usageError(err)
	}
	j = judge{evaluator: status.Evaluator{Profile: profile, NoHints: g.noHints}, now: g.env.now()}
	if g.at != "" {
		if j.now, err = time.Parse(time.RFC3339, g.at); err != nil {
			return j, usagef("--now %q: want a time such as 2026-11-20T16:00:00Z", g.at)
		}
	}
	now := j.now
	j.evaluator.Now = func() time.Time { return now }
	switch {
	case g.local && len(g.contexts) > 0:
		return j, usagef("--contexts: want it without --local, which asks no server")
	case g.local && g.watch:
		return j, usagef("--watch: want it without --local, where nothing changes")
	case g.local && (g.all || g.expand):
		return j, usagef("--all and --expand: want them without --local, which asks no server")
	case !g.local && g.explained == "" && (len(g.crds) > 0 || g.at != ""):
		return j, usagef("--crds and --now: want --local with them")
	}
	j.rules, err = g.rules()
	return j, err
}

// printer returns the printer for -o, and has the judge collect what it shows.
func (g *getCommand) printer(j *judge) (printer, error) {
	if err := oneOf("-o", g.output, formatNames()); err != nil {
		return nil, err
	}
	if err := oneOf("--color", g.colour, colourModes); err != nil {
		return nil, err
	}
	l := look{
		now:     j.now,
		colour:  g.env.coloursOn(g.env.out, g.colour),
		width:   g.env.width(g.env.out),
		headers: !g.noHeaders,
	}
	i := formatIndex(g.output)
	j.explain = formats[i].evidence || g.record != ""
	show := formats[i].open(g.env.out, l)
	if g.tree && !formats[i].evidence && g.output != "name" {
		show = g.treePrinter(g.env.out, l, g.output == "wide")
	}
	r, err := g.recordFlags.open()
	if err != nil || r == nil {
		return show, err
	}
	return printers{show, &printRecord{record: r, of: "get"}}, nil
}

// finish prints the end and turns the tally into the exit code: what could not
// be read as an object always tells, the rest only with --exit-code.
func (g *getCommand) finish(show printer, t *tally, now time.Time) error {
	if t.objects == 0 {
		g.say("No resources found%s.", g.scope())
	}
	code := exitOK
	switch {
	case g.exitCode:
		code = t.code()
	case t.unread > 0:
		code = exitUncertain
	}
	if err := show.end(t.result(now, code)); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	return exitWith(code)
}

// scope names the namespace that was asked for, for a message.
func (g *getCommand) scope() string {
	if ns := g.namespace(); ns != "" {
		return " in " + ns + " namespace"
	}
	return ""
}

// namespace returns the namespace that was asked for by flag, empty for all.
func (g *getCommand) namespace() string {
	if g.allNamespaces || g.connection.Namespace == nil {
		return ""
	}
	return *g.connection.Namespace
}

// say prints one line for people.
func (g *getCommand) say(format string, args ...any) {
	fmt.Fprintln(g.env.err, text.Line(fmt.Sprintf(format, args...)))
}

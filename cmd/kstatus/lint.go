package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericclioptions"

	"kstatus.dev/kube/crd"
	"kstatus.dev/lint"
)

// A lintCommand is kstatus lint with its flags.
type lintCommand struct {
	called     string // the command, as programs are told where findings come from
	env        environment
	connection *genericclioptions.ConfigFlags

	files     []string
	recursive bool
	live      bool
	selector  string
	groups    []string

	profile    string
	only, skip []string
	conditions []string
	foreign    bool

	fix, diff, unsafe bool
	patch             string
	tools             bool
	explained         string
	output            string
	colour            string
}

const lintExample = `  # What readers of the status of these kinds will get wrong, and what to write instead
  %[1]s lint config/crd/

  # Mend what can be mended safely, keeping comments and the order of fields
  %[1]s lint config/crd/ --diff
  %[1]s lint config/crd/ --fix

  # What kubectl wait, Helm, Flux, Argo CD and others will make of each kind
  %[1]s lint config/crd/ --tools

  # A provider of Cluster API, with all that is installed with it
  %[1]s lint infrastructure-components.yaml metadata.yaml --profile capi

  # Definitions of a cluster that belong to somebody else: patches for them
  %[1]s lint crd/certificates.cert-manager.io --patch kustomize

  # For CI: annotations of GitHub, or SARIF for code scanning
  %[1]s lint config/crd/ -o github
  %[1]s lint config/crd/ -o sarif > kstatus.sarif

  # What a check demands, and why
  %[1]s lint --explain creation-race`

const lintLong = `Find what makes the objects of CustomResourceDefinitions hard to judge, and mend it.

Arguments and -f name files, directories or - for standard input. All of them
together are what is installed together: besides definitions that may be roles,
metadata.yaml and examples, which some checks look at.

Of a cluster, crd/NAME is a definition, and --live all of them. Their objects are
then held to what --patch with --unsafe would demand of them, and it is told how
many would no longer be valid.

--fix writes files in place and changes no line that has nothing to mend. What
users of an API would see, or what may make stored objects invalid, is only
mended with --unsafe. What belongs to somebody else is not to be written but to be
patched where it is installed: --patch.

A comment above or beside a field has a check ignore it and all below it, and so
does a line of the annotation ` + crd.IgnoreAnnotation + ` for a whole definition,
without the words before NAME. The reason is needed:

  # kstatus-lint: ignore NAME reason

The exit code is 7 if there are errors, whatever warnings and hints there are.`

func newLintCommand(env environment, connection *genericclioptions.ConfigFlags, name string) *cobra.Command {
	l := &lintCommand{called: "lint", env: env, connection: connection}
	cmd := &cobra.Command{
		Use:         "lint [FILE | DIR | - | crd/NAME ...]",
		Short:       "Find and mend what makes the status of custom resources hard to judge",
		Long:        lintLong,
		Example:     fmt.Sprintf(lintExample, name),
		Annotations: map[string]string{connects: "yes"},
		RunE:        func(cmd *cobra.Command, args []string) error { return l.run(cmd.Context(), args) },
	}
	flags := cmd.Flags()
	flags.StringArrayVarP(&l.files, "filename", "f", nil, "file, directory, or - for standard input, as the arguments; repeatable")
	flags.BoolVarP(&l.recursive, "recursive", "R", false, "look into subdirectories too")
	flags.BoolVar(&l.live, "live", false, "all definitions of the cluster")
	flags.StringVarP(&l.selector, "selector", "l", "", "with --live, only definitions with these labels")
	flags.StringSliceVar(&l.groups, "group", nil, "with --live, only definitions of these `groups`; *.example.com for all that end so")
	flags.StringVar(&l.profile, "profile", "", "for whom findings are weighed:\n"+
		"kstatus: kinds whose readers wait with kstatus, as Helm and Flux do\n"+
		"capi: kinds of providers for Cluster API\n"+
		"strict: a warning is an error, a hint a warning")
	flags.StringSliceVar(&l.only, "only", nil, "run only these checks, by name or id")
	flags.StringSliceVar(&l.skip, "skip", nil, "do not run these checks, by name or id")
	flags.StringArrayVar(&l.conditions, "conditions", nil, "the conditions that the controller of a kind writes, as `KIND.GROUP=TYPE,...`; repeatable")
	flags.BoolVar(&l.foreign, "foreign", false, "the definitions belong to somebody else: what needs a change of their controllers is mended with --unsafe only; --patch implies it")
	flags.BoolVar(&l.fix, "fix", false, "mend the files, in place")
	flags.BoolVar(&l.diff, "diff", false, "print what --fix would change")
	flags.BoolVar(&l.unsafe, "unsafe", false, "mend also what users of the API see, or what may make stored objects invalid")
	flags.StringVar(&l.patch, "patch", "", "print what to change as patches, one of "+strings.Join(patchFormats, ", "))
	flags.BoolVar(&l.tools, "tools", false, "print what each tool will make of the kinds, instead of findings")
	flags.StringVar(&l.explained, "explain", "", "print what the check of this `NAME` demands, and why; list names them")
	flags.StringVarP(&l.output, "output", "o", "text", "one of "+strings.Join(lintFormats, ", "))
	flags.StringVar(&l.colour, "color", "auto", "one of "+strings.Join(colourModes, ", "))
	l.complete(cmd)
	return cmd
}

// complete offers words for the values of flags.
func (l *lintCommand) complete(cmd *cobra.Command) {
	var names, profiles []string
	for _, c := range lintChecks() {
		names = append(names, c.Name)
	}
	for _, p := range lint.Profiles() {
		profiles = append(profiles, string(p))
	}
	completeWords(cmd, "only", names)
	completeWords(cmd, "skip", names)
	completeWords(cmd, "explain", append(names, "list"))
	completeWords(cmd, "profile", profiles)
	completeWords(cmd, "patch", patchFormats)
	completeWords(cmd, "output", lintFormats)
	completeWords(cmd, "color", colourModes)
	// An error would mean that the flag does not exist.
	_ = cmd.MarkFlagFilename("filename")
}

// check refuses what cannot be meant.
func (l *lintCommand) check(args []string) error {
	if err := oneOf("-o", l.output, lintFormats); err != nil {
		return err
	}
	if err := oneOf("--color", l.colour, colourModes); err != nil {
		return err
	}
	if l.patch != "" {
		if err := oneOf("--patch", l.patch, patchFormats); err != nil {
			return err
		}
	}
	if l.profile != "" {
		var names []string
		for _, p := range lint.Profiles() {
			names = append(names, string(p))
		}
		if err := oneOf("--profile", l.profile, names); err != nil {
			return err
		}
	}
	named := append(slices.Clone(l.files), args...)
	switch {
	case len(named) == 0 && !l.live:
		return usagef("want FILE, DIR, -, crd/NAME or --live")
	case l.live && len(named) > 0:
		return usagef("%s: want either names or --live, have both", named[0])
	case !l.live && (l.selector != "" || len(l.groups) > 0):
		return usagef("-l and --group: want --live with them")
	case boolsSet(l.fix, l.diff, l.patch != "", l.tools) > 1:
		return usagef("--fix, --diff, --patch and --tools: want one of them")
	case l.fix && slices.Contains(named, "-"):
		return usagef("--fix: want files, have standard input; --diff and --patch print what they would change")
	case slices.Index(named, "-") != lastIndex(named, "-"):
		return usagef("-: want it once")
	case (l.diff || l.patch != "") && l.output != "text":
		return usagef("-o %s: want it without --diff and --patch", l.output)
	case l.tools && l.output != "text" && l.output != "json":
		return usagef("-o %s: want text or json with --tools", l.output)
	case l.unsafe && !l.fix && !l.diff && l.patch == "":
		return usagef("--unsafe: want --fix, --diff or --patch with it")
	}
	return nil
}

func boolsSet(all ...bool) (n int) {
	for _, b := range all {
		if b {
			n++
		}
	}
	return n
}

func lastIndex(all []string, s string) int {
	last := -1
	for i, one := range all {
		if one == s {
			last = i
		}
	}
	return last
}

func (l *lintCommand) run(ctx context.Context, args []string) error {
	if l.explained != "" {
		return l.explain(args)
	}
	if err := l.check(args); err != nil {
		return err
	}
	options, err := l.options()
	if err != nil {
		return err
	}
	r := &lintRun{options: options, env: l.env}
	if err := l.read(ctx, r, args); err != nil {
		return err
	}
	for _, err := range r.unread {
		l.env.complain(err)
	}
	if len(r.bundle.CRDs()) == 0 && len(r.unread) == 0 {
		fmt.Fprintln(l.env.err, "No CustomResourceDefinitions found.")
		return exitWith(exitMissing)
	}
	r.look()
	return l.tell(ctx, r)
}

// tell prints what was asked for, and returns how the command ends.
func (l *lintCommand) tell(ctx context.Context, r *lintRun) error {
	var err error
	switch {
	case l.tools:
		return l.toolTable(r)
	case l.fix, l.diff, l.patch != "":
		err = l.mend(ctx, r)
	default:
		err = l.print(r)
	}
	if err != nil {
		return err
	}
	return exitWith(r.code())
}

// Package lint is kstatus lint, which finds and fixes properties of
// CustomResourceDefinitions that make a status hard to read.
package lint

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericclioptions"

	"kstatus.dev/author/crd"
	"kstatus.dev/author/lint"
	"kstatus.dev/cmd/kstatus/internal/cli"
	"kstatus.dev/cmd/kstatus/internal/completion"
	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/cmd/kstatus/internal/findings"
	"kstatus.dev/kube/celrule"
)

// A command is kstatus lint with its flags.
type command struct {
	env          cli.Env
	connection   *genericclioptions.ConfigFlags
	flags        findings.Flags
	cluster      lintCluster
	profileFlags lintProfileFlags
	fix          lintFix
	tools        bool // print the verdicts of tools instead of findings
}

// A lintCluster holds the flags that select the definitions of a cluster.
type lintCluster struct {
	all      bool
	selector string
	groups   []string
}

// A lintProfileFlags holds the flags that set the severity of findings.
type lintProfileFlags struct {
	profile    string
	conditions []string
	foreign    bool
}

// A lintFix holds the flags for fixes.
type lintFix struct {
	write, diff bool
	patch       string
	unsafe      bool
}

// modes returns the number of requested ways to fix.
func (f lintFix) modes() (n int) {
	for _, requested := range []bool{f.write, f.diff, f.patch != ""} {
		if requested {
			n++
		}
	}
	return n
}

const lintExample = `  # Find problems in definitions
  %[1]s lint config/crd/

  # Show and make the safe fixes
  %[1]s lint config/crd/ --diff
  %[1]s lint config/crd/ --fix

  # Compare how kubectl wait, Helm, Flux, Argo CD and others read each kind
  %[1]s lint config/crd/ --tools

  # Check a Cluster API provider with all that is installed with it
  %[1]s lint infrastructure-components.yaml metadata.yaml --profile capi

  # Print patches for a definition of another project
  %[1]s lint crd/certificates.cert-manager.io --patch kustomize

  # In CI, print annotations of GitHub, or SARIF for code scanning
  %[1]s lint config/crd/ -o github
  %[1]s lint config/crd/ -o sarif > kstatus.sarif

  # Explain a check
  %[1]s lint --explain creation-race`

const lintLong = `Find what makes the status of custom resources hard to read, and fix it.

Arguments and -f are files, directories or - for standard input. All of them count as
installed together: definitions, roles, examples and metadata.yaml of Cluster API.
crd/NAME is a definition of the cluster, and --live selects all of them.

--fix changes files in place and keeps their comments and format. Fixes that users
of the API see, or that may make stored objects invalid, need --unsafe. Use --patch
for definitions that another project installs.

To ignore a finding, write a comment above or beside the field, with a reason. For a
whole definition, use a line "NAME reason" of the annotation ` + crd.IgnoreAnnotation + `:

  # kstatus-lint: ignore NAME reason

The exit code is 7 if there are errors, and 0 if there are only warnings and infos.

Guide: https://kstatus.dev/docs/guides/lint`

// New returns kstatus lint. name is the name of the command in examples.
func New(env cli.Env, config *genericclioptions.ConfigFlags, name string) *cobra.Command {
	l := &command{env: env, connection: config}
	cmd := &cobra.Command{
		Use:         "lint [FILE | DIR | - | crd/NAME ...]",
		Short:       "Find and fix what makes the status of custom resources hard to read",
		Long:        lintLong,
		Example:     fmt.Sprintf(lintExample, name),
		Annotations: map[string]string{cli.Connects: "yes"},
		RunE:        func(cmd *cobra.Command, args []string) error { return l.run(cmd.Context(), args) },
	}
	l.flags.AddTo(cmd, findings.LintChecks())
	completion.Completer{Env: env, Connection: config}.AddDefinitions(cmd)
	flags := cmd.Flags()
	flags.BoolVar(&l.cluster.all, "live", false, "Check all definitions of the cluster.")
	flags.StringVarP(&l.cluster.selector, "selector", "l", "", "With --live, check only definitions with these labels.")
	flags.StringSliceVar(&l.cluster.groups, "group", nil, "With --live, check only definitions of these `groups`, for example *.example.com.")
	flags.StringVar(&l.profileFlags.profile, "profile", "", "Severities of findings:\n"+
		"kstatus: for kinds that cli-utils reads, as Helm 4 and Flux do\n"+
		"capi: for kinds of Cluster API providers\n"+
		"strict: warnings are errors, and infos are warnings")
	flags.StringArrayVar(&l.profileFlags.conditions, "conditions", nil, "Conditions that the controller of a kind writes, as `KIND.GROUP=TYPE,...`. Can be repeated.")
	flags.BoolVar(&l.profileFlags.foreign, "foreign", false, "The definitions are from another project: fixes that need a change of the controller need --unsafe. Implied by --patch.")
	flags.BoolVar(&l.fix.write, "fix", false, "Fix the files in place.")
	flags.BoolVar(&l.fix.diff, "diff", false, "Print the changes of --fix as a diff.")
	flags.BoolVar(&l.fix.unsafe, "unsafe", false, "Also make fixes that users of the API see, or that may make stored objects invalid.")
	flags.StringVar(&l.fix.patch, "patch", "", "Print the fixes as patches. One of: "+strings.Join(patchFormats, ", "))
	flags.BoolVar(&l.tools, "tools", false, "Print how each tool reads the kinds, instead of findings.")
	cli.CompleteWords(cmd, "profile", profileNames())
	cli.CompleteWords(cmd, "patch", patchFormats)
	return cmd
}

func profileNames() (names []string) {
	for _, p := range lint.Profiles() {
		names = append(names, string(p))
	}
	return names
}

// check returns an error if flags and arguments contradict each other.
func (l *command) check(args []string) error {
	if err := l.flags.CheckWords(); err != nil {
		return err
	}
	if l.fix.patch != "" {
		if err := cli.CheckOneOf("--patch", l.fix.patch, patchFormats); err != nil {
			return err
		}
	}
	if l.profileFlags.profile != "" {
		if err := cli.CheckOneOf("--profile", l.profileFlags.profile, profileNames()); err != nil {
			return err
		}
	}
	names, ways := l.flags.Names(args), l.fix.modes()
	switch {
	case len(names) == 0 && !l.cluster.all:
		return exit.Usagef("want FILE, DIR, -, crd/NAME or --live")
	case l.cluster.all && len(names) > 0:
		return exit.Usagef("%s: want either names or --live, have both", names[0])
	case !l.cluster.all && (l.cluster.selector != "" || len(l.cluster.groups) > 0):
		return exit.Usagef("-l and --group require --live")
	case ways > 1, ways > 0 && l.tools:
		return exit.Usagef("--fix, --diff, --patch and --tools: want one of them")
	case l.fix.write && slices.Contains(names, "-"):
		return exit.Usagef("--fix: want files, have standard input; --diff and --patch print what they would change")
	case findings.IsRepeated(names, "-"):
		return exit.Usagef("- can be given only once")
	case (l.fix.diff || l.fix.patch != "") && l.flags.Output != "text":
		return exit.Usagef("-o %s cannot be used with --diff and --patch", l.flags.Output)
	case l.tools && l.flags.Output != "text" && l.flags.Output != "json":
		return exit.Usagef("-o %s: want text or json with --tools", l.flags.Output)
	case l.fix.unsafe && ways == 0:
		return exit.Usagef("--unsafe requires --fix, --diff or --patch")
	}
	return nil
}

// options returns the options of the checks.
func (l *command) options() (lint.Options, error) {
	checks, err := l.flags.SelectChecks(findings.LintChecks())
	o := lint.Options{Profile: lint.Profile(l.profileFlags.profile), Checks: checks, Validator: &crd.Validator{}, RuleProblems: celrule.Problems, Plural: crd.Plural,
		Foreign: l.profileFlags.foreign || l.fix.patch != "", Conditions: map[string][]string{}}
	for _, text := range l.profileFlags.conditions {
		kind, types, ok := strings.Cut(text, "=")
		if !ok || !strings.Contains(kind, ".") {
			return o, exit.Usagef("--conditions %q: want KIND.GROUP=TYPE,...", text)
		}
		o.Conditions[kind] = strings.Split(types, ",")
	}
	return o, err
}

func (l *command) run(ctx context.Context, args []string) error {
	if l.flags.ExplainedCheck != "" {
		catalog := findings.Catalog{Checks: findings.LintChecks(), Row: "%-7s %-32s %-8s %s\n", Profiles: lint.Profiles()}
		if l.profileFlags.profile != string(lint.ProfileCapi) {
			catalog.Listed, catalog.More = lint.Checks, "for Cluster API providers: --explain list --profile capi"
		}
		return catalog.Explain(l.env.Out, l.flags.ExplainedCheck, args)
	}
	if err := l.check(args); err != nil {
		return err
	}
	options, err := l.options()
	if err != nil {
		return err
	}
	r := &findings.Run{Options: options, Env: l.env, Form: lintForm}
	objects, err := l.read(ctx, r, args)
	if err != nil {
		return err
	}
	for _, err := range r.Unread {
		l.env.PrintError(err)
	}
	if len(r.Bundle.CRDs()) == 0 && len(r.Unread) == 0 {
		l.env.Print("No CustomResourceDefinitions found.")
		return exit.With(exit.Missing)
	}
	r.Check()
	if l.tools {
		return l.printTools(r)
	}
	printed := false
	if l.fix.modes() > 0 {
		f := fixer{flags: l.fix, run: r, objects: objects}
		if r, printed, err = f.fix(ctx); err != nil {
			return err
		}
	}
	if !printed {
		if err := r.Print(l.flags); err != nil {
			return err
		}
	}
	return exit.With(r.Code())
}

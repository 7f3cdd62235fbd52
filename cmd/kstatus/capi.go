package main

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericclioptions"

	"kstatus.dev/capi"
	"kstatus.dev/lint"
)

func newCapiCommand(env environment, connection *genericclioptions.ConfigFlags, name string) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "capi",
		Short: "Check providers of Cluster API",
		Args:  usageArgs(noSuchCommand),
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newCapiCheckCommand(env, connection, name))
	return cmd
}

// A capiCheck is kstatus capi check with its flags.
type capiCheck struct {
	lintCommand // reads files, and prints findings

	roles         []string
	contract      string
	release       string
	strict        bool
	allNamespaces bool
	scenarios     []string
	patience      time.Duration
	machineEdit   string
	clusterEdit   string
}

const capiCheckExample = `  # All that a release installs, and its metadata
  %[1]s capi check infrastructure-components.yaml metadata.yaml --release v0.3.0

  # Definitions before kustomize adds the labels of contracts
  %[1]s capi check config/crd/bases/ --contract v1beta2

  # A kind whose name does not say what it is
  %[1]s capi check config/ --role FooBox=InfraMachine

  # The definitions of a management cluster, and the objects of all namespaces
  %[1]s capi check --live -A

  # How a running provider behaves: cluster, machine and template as users write them
  %[1]s capi check --scenarios templates/cluster.yaml

  # For CI
  %[1]s capi check out/components.yaml -o github
  %[1]s capi check out/components.yaml -o sarif > capi.sarif

  # What a check demands, and why
  %[1]s capi check --explain initialization`

const capiCheckLong = `Check a provider of Cluster API by the contract between it and Cluster API's core.

Arguments and -f name files, directories or - for standard input. All of them
together are what is installed together: definitions, roles, metadata.yaml.
Objects among them are checked beside the Clusters and Machines that refer to them.

--live checks the definitions of a cluster and the objects of a namespace, or with
-A of all. Of Secrets only the metadata is read.

What core takes a kind for follows from the label cluster.x-k8s.io/provider, or
from its group and the end of its name; --role says it for kinds with other names.
Which contract a kind follows is told by its labels, as for core.

--scenarios plays Cluster API's part with a provider that runs in the cluster: it
makes objects in a namespace of its own, or in that of -n, looks at what the provider
does, and deletes them. --only and --skip take names of scenarios too. The files hold an infrastructure
cluster, a machine and a machine template as users write them, and what these need
besides. Do not point it at a provider whose cloud costs you something.

The exit code is 7 if there are errors, whatever warnings and hints there are.`

func newCapiCheckCommand(env environment, connection *genericclioptions.ConfigFlags, name string) *cobra.Command {
	c := &capiCheck{lintCommand: lintCommand{called: "capi check", env: env, connection: connection}}
	cmd := &cobra.Command{
		Use:         "check [FILE | DIR | - ...]",
		Short:       "Check a provider of Cluster API by its contract",
		Long:        capiCheckLong,
		Example:     fmt.Sprintf(capiCheckExample, name),
		Annotations: map[string]string{connects: "yes"},
		RunE:        func(cmd *cobra.Command, args []string) error { return c.run(cmd.Context(), args) },
	}
	flags := cmd.Flags()
	flags.StringArrayVarP(&c.files, "filename", "f", nil, "file, directory, or - for standard input, as the arguments; repeatable")
	flags.BoolVarP(&c.recursive, "recursive", "R", false, "look into subdirectories too")
	flags.BoolVar(&c.live, "live", false, "definitions and objects of the cluster")
	flags.BoolVarP(&c.allNamespaces, "all-namespaces", "A", false, "with --live, objects of all namespaces")
	flags.StringArrayVar(&c.roles, "role", nil, "what core takes a kind for, as `KIND=ROLE`; repeatable; none for a kind without a role")
	flags.StringVar(&c.contract, "contract", "", "judge by this contract, v1beta1 or v1beta2, whatever labels say")
	flags.StringVar(&c.release, "release", "", "the `version` of the provider, whose series metadata.yaml has to have; the newest if it is not said")
	flags.BoolVar(&c.strict, "strict", false, "a warning is an error, a hint a warning")
	flags.StringSliceVar(&c.only, "only", nil, "run only these checks, by name or id")
	flags.StringSliceVar(&c.skip, "skip", nil, "do not run these checks, by name or id")
	flags.StringArrayVar(&c.scenarios, "scenarios", nil, "play the scenarios of the contract with the objects of this `file`, on a running provider; repeatable")
	flags.DurationVar(&c.patience, "patience", 0, "how long a provider may take for anything in a scenario (default 2m)")
	flags.StringVar(&c.clusterEdit, "cluster-edit", "", "a merge patch in `JSON` of what users may change of the infrastructure cluster, for scenarios")
	flags.StringVar(&c.machineEdit, "machine-edit", "", "the same of the infrastructure machine")
	flags.StringVar(&c.explained, "explain", "", "print what the check of this `NAME` demands, and why; list names them")
	flags.StringVarP(&c.output, "output", "o", "text", "one of "+strings.Join(lintFormats, ", "))
	flags.StringVar(&c.colour, "color", "auto", "one of "+strings.Join(colourModes, ", "))
	c.completeFlags(cmd)
	return cmd
}

// completeFlags offers words for the values of flags.
func (c *capiCheck) completeFlags(cmd *cobra.Command) {
	var names []string
	for _, check := range c.all(capi.Options{}) {
		names = append(names, check.Name)
	}
	completeWords(cmd, "only", names)
	completeWords(cmd, "skip", names)
	completeWords(cmd, "explain", append(names, "list"))
	completeWords(cmd, "contract", contractNames())
	completeWords(cmd, "output", lintFormats)
	completeWords(cmd, "color", colourModes)
	// An error would mean that the flag does not exist.
	_ = cmd.MarkFlagFilename("filename")
	_ = cmd.MarkFlagFilename("scenarios")
}

var releaseName = regexp.MustCompile(`^v?[0-9]+\.[0-9]+(\.[0-9].*)?$`)

func contractNames() (names []string) {
	for _, contract := range capi.Contracts() {
		names = append(names, string(contract))
	}
	return names
}

// all lists the checks: of definitions, and of objects.
func (c *capiCheck) all(o capi.Options) []*lint.Check {
	return slices.Concat(capi.Checks(o), capi.ObjectChecks(o))
}

// check refuses what cannot be meant.
func (c *capiCheck) check(args []string) error {
	if err := oneOf("-o", c.output, lintFormats); err != nil {
		return err
	}
	if err := oneOf("--color", c.colour, colourModes); err != nil {
		return err
	}
	if c.contract != "" {
		if err := oneOf("--contract", c.contract, contractNames()); err != nil {
			return err
		}
	}
	if c.release != "" && !releaseName.MatchString(c.release) {
		return usagef("--release %q: want a version such as v0.3.0", c.release)
	}
	named := append(slices.Clone(c.files), args...)
	switch {
	case len(named) == 0 && !c.live && len(c.scenarios) == 0:
		return usagef("want FILE, DIR, -, --live or --scenarios")
	case c.live && len(named) > 0:
		return usagef("%s: want either names or --live, have both", named[0])
	case c.allNamespaces && !c.live:
		return usagef("-A: want --live with it")
	case len(c.scenarios) == 0 && (c.patience != 0 || c.clusterEdit != "" || c.machineEdit != ""):
		return usagef("--patience, --cluster-edit and --machine-edit: want --scenarios with them")
	case slices.Index(named, "-") != lastIndex(named, "-"):
		return usagef("-: want it once")
	}
	return nil
}

// contractOptions returns what the flags say of kinds.
func (c *capiCheck) contractOptions() (capi.Options, error) {
	o := capi.Options{Roles: map[string]capi.Role{}, Contract: capi.Contract(c.contract), Release: c.release}
	for _, setting := range c.roles {
		kind, role, err := capi.ParseRole(setting)
		if err != nil {
			return o, usageError(err)
		}
		o.Roles[kind] = role
	}
	return o, nil
}

func (c *capiCheck) run(ctx context.Context, args []string) error {
	if c.explained != "" {
		return c.explain(args)
	}
	if err := c.check(args); err != nil {
		return err
	}
	return c.look(ctx, args)
}

// Package capi is kstatus capi: the contract of Cluster API with its providers.
package capi

import (
	"fmt"
	"regexp"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericclioptions"

	"kstatus.dev/capi"
	"kstatus.dev/cmd/kstatus/internal/cli"
	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/cmd/kstatus/internal/findings"
	"kstatus.dev/lint"
)

// New returns kstatus capi. name is how examples call the command.
func New(env cli.Env, config *genericclioptions.ConfigFlags, name string) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "capi",
		Short: "Check providers of Cluster API",
		Args:  cli.UsageArgs(cli.NoSuchCommand),
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newCapiCheckCommand(env, config, name))
	return cmd
}

// A capiCheck is kstatus capi check with its flags.
type capiCheck struct {
	env           cli.Env
	connection    *genericclioptions.ConfigFlags
	flags         findings.Flags
	live          bool
	allNamespaces bool
	contract      contractFlags
	strict        bool
	scenarios     scenarioFlags
}

// contractFlags say how to judge kinds by the contract.
type contractFlags struct {
	roles   []string
	version string
	release string
}

// scenarioFlags say which scenarios to play with which objects.
type scenarioFlags struct {
	files       []string
	patience    time.Duration
	machineEdit string
	clusterEdit string
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

The exit code is 7 if there are errors, whatever warnings and infos there are.`

func newCapiCheckCommand(env cli.Env, config *genericclioptions.ConfigFlags, name string) *cobra.Command {
	c := &capiCheck{env: env, connection: config}
	cmd := &cobra.Command{
		Use:         "check [FILE | DIR | - ...]",
		Short:       "Check a provider of Cluster API by its contract",
		Long:        capiCheckLong,
		Example:     fmt.Sprintf(capiCheckExample, name),
		Annotations: map[string]string{cli.Connects: "yes"},
		RunE:        func(cmd *cobra.Command, args []string) error { return c.run(cmd.Context(), args) },
	}
	c.flags.AddTo(cmd, contractChecks(capi.Options{}))
	flags := cmd.Flags()
	flags.BoolVar(&c.live, "live", false, "definitions and objects of the cluster")
	flags.BoolVarP(&c.allNamespaces, "all-namespaces", "A", false, "with --live, objects of all namespaces")
	flags.StringArrayVar(&c.contract.roles, "role", nil, "what core takes a kind for, as `KIND=ROLE`; repeatable; none for a kind without a role")
	flags.StringVar(&c.contract.version, "contract", "", "judge by this contract, v1beta1 or v1beta2, whatever labels say")
	flags.StringVar(&c.contract.release, "release", "", "the `version` of the provider, whose series metadata.yaml has to have; the newest if it is not said")
	flags.BoolVar(&c.strict, "strict", false, "a warning is an error, and info a warning")
	flags.StringArrayVar(&c.scenarios.files, "scenarios", nil, "play the scenarios of the contract with the objects of this `file`, on a running provider; repeatable")
	flags.DurationVar(&c.scenarios.patience, "patience", 0, "how long a provider may take for anything in a scenario (default 2m)")
	flags.StringVar(&c.scenarios.clusterEdit, "cluster-edit", "", "a merge patch in `JSON` of what users may change of the infrastructure cluster, for scenarios")
	flags.StringVar(&c.scenarios.machineEdit, "machine-edit", "", "the same of the infrastructure machine")
	cli.CompleteWords(cmd, "contract", contractNames())
	// An error would mean that the flag does not exist.
	_ = cmd.MarkFlagFilename("scenarios")
	return cmd
}

var releaseName = regexp.MustCompile(`^v?[0-9]+\.[0-9]+(\.[0-9].*)?$`)

func contractNames() (names []string) {
	for _, contract := range capi.Contracts() {
		names = append(names, string(contract))
	}
	return names
}

// contractChecks returns the checks: of definitions, and of objects.
func contractChecks(o capi.Options) []*lint.Check {
	return slices.Concat(capi.Checks(o), capi.ObjectChecks(o))
}

// check returns an error if flags and arguments contradict each other.
func (c *capiCheck) check(args []string) error {
	if err := c.flags.CheckWords(); err != nil {
		return err
	}
	if c.contract.version != "" {
		if err := cli.CheckOneOf("--contract", c.contract.version, contractNames()); err != nil {
			return err
		}
	}
	if c.contract.release != "" && !releaseName.MatchString(c.contract.release) {
		return exit.Usagef("--release %q: want a version such as v0.3.0", c.contract.release)
	}
	names, play := c.flags.Names(args), len(c.scenarios.files) > 0
	switch {
	case len(names) == 0 && !c.live && !play:
		return exit.Usagef("want FILE, DIR, -, --live or --scenarios")
	case c.live && len(names) > 0:
		return exit.Usagef("%s: want either names or --live, have both", names[0])
	case c.allNamespaces && !c.live:
		return exit.Usagef("-A: want --live with it")
	case !play && (c.scenarios.patience != 0 || c.scenarios.clusterEdit != "" || c.scenarios.machineEdit != ""):
		return exit.Usagef("--patience, --cluster-edit and --machine-edit: want --scenarios with them")
	case findings.IsRepeated(names, "-"):
		return exit.Usagef("-: want it once")
	}
	return nil
}

// options returns what the flags say about kinds.
func (f contractFlags) options() (capi.Options, error) {
	o := capi.Options{Roles: map[string]capi.Role{}, Contract: capi.Contract(f.version), Release: f.release}
	for _, setting := range f.roles {
		kind, role, err := parseRole(setting)
		if err != nil {
			return o, exit.Usage(err)
		}
		o.Roles[kind] = role
	}
	return o, nil
}

// Package capi is kstatus capi, which checks providers against the contract of
// Cluster API, and has the commands for the Clusters of a management cluster.
package capi

import (
	"fmt"
	"regexp"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericclioptions"

	"kstatus.dev/author/lint"
	"kstatus.dev/author/roles"
	"kstatus.dev/clusterapi/check"
	"kstatus.dev/cmd/kstatus/internal/cli"
	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/cmd/kstatus/internal/findings"
)

// New returns kstatus capi with its subcommand check and others. name is the name of the command
// in examples.
func New(env cli.Env, config *genericclioptions.ConfigFlags, name string, others ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "capi",
		Short: "Check Cluster API providers, and pause and move Clusters",
		Args:  cli.UsageArgs(cli.NoSuchCommand),
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newCapiCheckCommand(env, config, name))
	cmd.AddCommand(others...)
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

// contractFlags are the flags that set how the contract applies to kinds.
type contractFlags struct {
	roles   []string
	version string
	release string
}

// scenarioFlags are the flags that select the scenarios and their objects.
type scenarioFlags struct {
	files       []string
	timeout     time.Duration
	machineEdit string
	clusterEdit string
}

const capiCheckExample = `  # Check the files of a release
  %[1]s capi check infrastructure-components.yaml metadata.yaml --release v0.3.0

  # Check definitions before kustomize adds the labels of contracts
  %[1]s capi check config/crd/bases/ --contract v1beta2

  # Set the role of a kind
  %[1]s capi check config/ --role FooBox=InfraMachine

  # Check the definitions of a management cluster and the objects of all namespaces
  %[1]s capi check --live -A

  # Run the scenarios on a running provider
  %[1]s capi check --scenarios templates/cluster.yaml

  # In CI, print annotations of GitHub, or SARIF for code scanning
  %[1]s capi check out/components.yaml -o github
  %[1]s capi check out/components.yaml -o sarif > capi.sarif

  # Explain a check
  %[1]s capi check --explain initialization`

const capiCheckLong = `Check a Cluster API provider against its contract with the core.

Arguments and -f are files, directories or - for standard input. All of them count as
installed together: definitions, roles, metadata.yaml. Objects are checked with the
Clusters and Machines that refer to them. --live checks the definitions of a cluster,
and the objects of the namespace or of all namespaces (-A).

The label cluster.x-k8s.io/provider, or the group and the suffix of its name, show the
role of a kind in the contract. --role sets it for other kinds. Labels of a definition
show which version of the contract it follows.

--scenarios runs the contract's scenarios on a running provider. It creates objects in
a new namespace or in -n, checks what the provider does, and deletes them. The files
contain an infrastructure cluster, a machine, a machine template, and what they need.
Use a provider whose cloud costs nothing.

The exit code is 7 if there are errors, and 0 if there are only warnings and infos.

Guide: https://kstatus.dev/docs/guides/cluster-api`

func newCapiCheckCommand(env cli.Env, config *genericclioptions.ConfigFlags, name string) *cobra.Command {
	c := &capiCheck{env: env, connection: config}
	cmd := &cobra.Command{
		Use:         "check [FILE | DIR | - ...]",
		Short:       "Check a Cluster API provider against its contract",
		Long:        capiCheckLong,
		Example:     fmt.Sprintf(capiCheckExample, name),
		Annotations: map[string]string{cli.Connects: "yes"},
		RunE:        func(cmd *cobra.Command, args []string) error { return c.run(cmd.Context(), args) },
	}
	c.flags.AddTo(cmd, contractChecks(check.Options{}))
	flags := cmd.Flags()
	flags.BoolVar(&c.live, "live", false, "Check definitions and objects of the cluster.")
	flags.BoolVarP(&c.allNamespaces, "all-namespaces", "A", false, "With --live, check objects of all namespaces.")
	flags.StringArrayVar(&c.contract.roles, "role", nil, "Role of a kind in the contract as `KIND=ROLE`, or KIND=none. Can be repeated.")
	flags.StringVar(&c.contract.version, "contract", "", "Version of the contract, v1beta1 or v1beta2. It overrides labels.")
	flags.StringVar(&c.contract.release, "release", "", "`version` of the provider that metadata.yaml must contain. The default is the newest in metadata.yaml.")
	flags.BoolVar(&c.strict, "strict", false, "Report warnings as errors, and infos as warnings.")
	flags.StringArrayVar(&c.scenarios.files, "scenarios", nil, "Run the scenarios of the contract with the objects of this `file` on a running provider. Can be repeated.")
	flags.DurationVar(&c.scenarios.timeout, "patience", defaultPatience, "Timeout of each step of a scenario.")
	flags.StringVar(&c.scenarios.clusterEdit, "cluster-edit", "", "Merge patch in `JSON` with a change that users may make to the infrastructure cluster, for scenarios.")
	flags.StringVar(&c.scenarios.machineEdit, "machine-edit", "", "Merge patch in `JSON` with a change that users may make to the infrastructure machine, for scenarios.")
	cli.CompleteWords(cmd, "contract", contractNames())
	// The only possible error is a flag that does not exist: it is defined above.
	_ = cmd.MarkFlagFilename("scenarios")
	return cmd
}

// defaultPatience is the default timeout of a step of a scenario.
const defaultPatience = 2 * time.Minute

var releaseName = regexp.MustCompile(`^v?[0-9]+\.[0-9]+(\.[0-9].*)?$`)

func contractNames() (names []string) {
	for _, contract := range check.Contracts() {
		names = append(names, string(contract))
	}
	return names
}

// contractChecks returns the checks of definitions and of objects.
func contractChecks(o check.Options) []*lint.Check {
	return slices.Concat(check.Checks(o), check.ObjectChecks(o))
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
		return exit.Usagef("-A requires --live")
	case !play && (c.scenarios.timeout != defaultPatience || c.scenarios.clusterEdit != "" || c.scenarios.machineEdit != ""):
		return exit.Usagef("--patience, --cluster-edit and --machine-edit require --scenarios")
	case findings.IsRepeated(names, "-"):
		return exit.Usagef("- can be given only once")
	}
	return nil
}

// options returns the options about kinds.
func (f contractFlags) options() (check.Options, error) {
	o := check.Options{Roles: map[string]roles.Role{}, Contract: check.Contract(f.version), Release: f.release}
	for _, setting := range f.roles {
		kind, role, err := parseRole(setting)
		if err != nil {
			return o, exit.Usage(err)
		}
		o.Roles[kind] = role
	}
	return o, nil
}

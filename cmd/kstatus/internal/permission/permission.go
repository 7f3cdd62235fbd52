// Package permission describes what a command line reads and writes, so that kstatus rbac can print the
// permissions for it. Each command has a function Permissions, beside its flags.
package permission

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"kstatus.dev/cmd/kstatus/internal/cli"
	"kstatus.dev/cmd/kstatus/internal/connection"
	kubesource "kstatus.dev/kube/source"
)

// A Command is a command whose command lines have permissions.
type Command struct {
	Name        string   // such as "capi check"
	Subcommands []string // those with the same permissions
	Permissions func(Line) (Need, error)
}

// A Line is a parsed command line.
type Line struct {
	*cobra.Command // with its flags and arguments
	Env            cli.Env
}

// Args returns the arguments of the command line.
func (l Line) Args() []string { return l.Flags().Args() }

// A Need is what a command line reads and writes. The zero Need reads and judges the objects that the
// arguments and the flags of package selection select, with their Pods.
type Need struct {
	Args    []string // the arguments that select objects
	Compute Compute  // the permissions of a command that does not judge selected objects; else nil

	IgnoresSelection bool // the flags of package selection do not select objects
	NamesRoles       bool // the names of the roles depend on the flags of the command

	Explanation     Explanation
	Tree            bool // the parts of objects
	Deep            bool // with Tree, parts of all kinds
	WithoutPods     bool // no Pods of workloads
	Caveats         bool // the warnings about Current objects
	OnlyDefinitions bool // nothing but the definitions of kinds
	Stuck           bool // objects of any kind whose deletion does not end

	InAllNamespaces []kubesource.Permission // what is read in addition with -A
}

// An Explanation says whether a command line explains objects.
type Explanation string

// The values of Explanation.
const (
	ExplanationNone     Explanation = ""
	ExplanationOptional Explanation = "optional" // the command works without it
	ExplanationRequired Explanation = "required"
)

// Compute returns permissions, and a note about what they lack. allNamespaces means -A.
type Compute func(ctx context.Context, c *connection.Cluster, args []string, allNamespaces bool) (needs []kubesource.Permission, lacks string, err error)

// The purposes of permissions that only some commands need.
const (
	PurposeChecks kubesource.Purpose = "checks" // of Secrets
	PurposeMove   kubesource.Purpose = "move"
)

// Names of API groups and resources.
const (
	DefinitionsGroup    = "apiextensions.k8s.io"
	DefinitionsResource = "customresourcedefinitions"
	SecretsResource     = "secrets"
)

// OfChecks returns the permissions for checks of files and of a cluster, with one permission for all
// names of a resource. It prints a note if there are none.
func OfChecks(env cli.Env, needs []kubesource.Permission) (merged []kubesource.Permission) {
	if len(needs) == 0 {
		env.Print("note: this command line needs no permissions: it reads only files")
	}
	for _, n := range needs {
		i := slices.IndexFunc(merged, func(m kubesource.Permission) bool {
			return len(m.Names) > 0 && len(n.Names) > 0 && m.Group == n.Group && m.Resource == n.Resource
		})
		if i < 0 {
			merged = append(merged, n)
			continue
		}
		merged[i].Names = append(merged[i].Names, n.Names...)
	}
	return merged
}

// ToRead returns the permission for a verb on a resource, or on the named objects of it.
func ToRead(group, resource, namespace, verb string, names ...string) kubesource.Permission {
	return kubesource.Permission{Purpose: kubesource.PurposeObjects, Group: group, Resource: resource, Namespace: namespace, Names: names, Verbs: []string{verb}}
}

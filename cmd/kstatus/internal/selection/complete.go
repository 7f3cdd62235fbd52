package selection

import (
	"context"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericclioptions"

	"kstatus.dev/cmd/kstatus/internal/cli"
	"kstatus.dev/cmd/kstatus/internal/connection"
	"kstatus.dev/kube/sets"
)

// How long a shell waits for the names of sets.
const completionLimit = 5 * time.Second

// CompleteSets offers the types of sets as arguments, and after a type the names
// of the sets that there are.
func CompleteSets(cmd *cobra.Command, env cli.Env, flags *genericclioptions.ConfigFlags) {
	cmd.ValidArgsFunction = func(cmd *cobra.Command, _ []string, word string) (offered []string, _ cobra.ShellCompDirective) {
		what, _, named := strings.Cut(word, "/")
		for _, t := range sets.Types() {
			if !named && strings.HasPrefix(string(t), word) {
				offered = append(offered, string(t)+"/")
			}
			if named && what == string(t) {
				offered = setNames(cmd.Context(), env, flags, t)
			}
		}
		if named {
			return offered, cobra.ShellCompDirectiveNoFileComp
		}
		return offered, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
}

// setNames returns the sets of a type in the namespace that is meant; none if
// they cannot be read, since a shell has no use for the reason.
func setNames(ctx context.Context, env cli.Env, flags *genericclioptions.ConfigFlags, t sets.Type) (all []string) {
	ctx, cancel := context.WithTimeout(ctx, completionLimit)
	defer cancel()
	c, err := connection.Connect(ctx, env, flags)
	if err != nil {
		return nil
	}
	names, err := c.Sets().Names(ctx, t, c.Namespace)
	if err != nil {
		return nil
	}
	for _, name := range names {
		all = append(all, string(t)+"/"+name)
	}
	return all
}

package main

import (
	"context"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericclioptions"

	"kstatus.dev/kube/sets"
)

// How long a shell waits for the names of sets.
const completionLimit = 5 * time.Second

// completeSets offers the types of sets as arguments, and after a type the names
// of the sets that there are.
func completeSets(cmd *cobra.Command, env environment, flags *genericclioptions.ConfigFlags) {
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
func setNames(ctx context.Context, env environment, flags *genericclioptions.ConfigFlags, t sets.Type) (all []string) {
	ctx, cancel := context.WithTimeout(ctx, completionLimit)
	defer cancel()
	c, err := connect(ctx, env, flags)
	if err != nil {
		return nil
	}
	names, err := c.sets().Names(ctx, t, c.namespace)
	if err != nil {
		return nil
	}
	for _, name := range names {
		all = append(all, string(t)+"/"+name)
	}
	return all
}

package main

import (
	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericclioptions"
)

// A getCommand is kstatus get with its flags.
type getCommand struct {
	env        environment
	connection *genericclioptions.ConfigFlags
	local      bool
}

func newGetCommand(env environment, connection *genericclioptions.ConfigFlags) *cobra.Command {
	g := &getCommand{env: env, connection: connection}
	cmd := &cobra.Command{
		Use:         "get",
		Short:       "Print where objects stand",
		Annotations: map[string]string{connects: "yes"},
		RunE:        func(cmd *cobra.Command, args []string) error { return usagef("nothing is asked for") },
	}
	cmd.Flags().BoolVar(&g.local, "local", false, "take the objects given as the observed state; no server is asked")
	return cmd
}

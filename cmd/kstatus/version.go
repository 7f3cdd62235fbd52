package main

import (
	"fmt"
	"runtime/debug"

	"github.com/spf13/cobra"

	"kstatus.dev/cmd/kstatus/internal/cli"
)

func newVersionCommand(env cli.Env) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  cli.UsageArgs(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintln(env.Out, cli.VersionText(debug.ReadBuildInfo))
			return err
		},
	}
}

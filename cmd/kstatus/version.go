package main

import (
	"encoding/json"
	"fmt"
	"io"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
	"sigs.k8s.io/yaml"

	"kstatus.dev/cmd/kstatus/internal/cli"
)

var versionFormats = []string{"text", "json", "yaml"}

func newVersionCommand(env cli.Env) *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  cli.UsageArgs(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error {
			if err := cli.CheckOneOf("-o", format, versionFormats); err != nil {
				return err
			}
			return printVersion(env.Out, format)
		},
	}
	cmd.Flags().StringVarP(&format, "output", "o", "text", "Output format. One of: "+strings.Join(versionFormats, ", "))
	cli.CompleteWords(cmd, "output", versionFormats)
	return cmd
}

// addVersionFlag adds --version to the root command, as cobra does for commands with a version.
// Package template, which cobra prints it with, calls methods by name. The linker then keeps every
// exported method, and the command is a fifth larger.
func addVersionFlag(root *cobra.Command, env cli.Env) {
	version := root.Flags().BoolP("version", "v", false, "version for "+root.DisplayName())
	_ = root.Flags().SetAnnotation("version", cobra.FlagSetByCobraAnnotation, []string{"true"}) // the flag exists
	args, run := root.Args, root.RunE
	root.Args = func(cmd *cobra.Command, words []string) error {
		if *version {
			return nil
		}
		return args(cmd, words)
	}
	root.RunE = func(cmd *cobra.Command, words []string) error {
		if *version {
			return printVersion(env.Out, "text")
		}
		return run(cmd, words)
	}
}

// printVersion prints the version as text, JSON or YAML.
func printVersion(out io.Writer, format string) error {
	var err error
	switch v := cli.VersionOf(debug.ReadBuildInfo); format {
	case "json":
		encode := json.NewEncoder(out)
		encode.SetIndent("", "  ")
		err = encode.Encode(v)
	case "yaml":
		var text []byte
		if text, err = yaml.Marshal(v); err == nil {
			_, err = out.Write(text)
		}
	default:
		_, err = fmt.Fprintln(out, v)
	}
	return err
}

package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"kstatus.dev/cmd/kstatus/internal/exit"
)

// HintAtRole prints the command line with which an administrator gets a role, if a command failed
// because a permission is missing. name is the name of kstatus in examples.
func (e Env) HintAtRole(name string, cmd *cobra.Command, args []string, code exit.Code) {
	if code != exit.Forbidden {
		return
	}
	secrets := ""
	if slices.ContainsFunc(args, func(arg string) bool { return strings.HasPrefix(arg, "helm/") }) {
		secrets = " --secrets" // Helm keeps its releases in Secrets
	}
	words := slices.DeleteFunc(CommandLine(cmd, args), func(word string) bool {
		flag, _, _ := strings.Cut(word, "=")
		return isSecretFlag(strings.TrimPrefix(flag, "--"))
	})
	line := CommandText(words[len(strings.Fields(cmd.CommandPath()))-1:])
	e.Print("note: an administrator can print the role for this command line with: %s rbac%s -- %s", name, secrets, line)
}

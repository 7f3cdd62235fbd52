package cli

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kstatus.dev/cmd/kstatus/internal/exit"
)

// HintAtRole prints the command line with which an administrator gets a role, if a command failed
// because a permission is missing. name is the name of kstatus in examples.
func (e Env) HintAtRole(name string, cmd *cobra.Command, args []string, code exit.Code) {
	if code != exit.Forbidden {
		return
	}
	words, secrets := []string{cmd.Name()}, ""
	for _, arg := range args {
		if strings.HasPrefix(arg, "helm/") {
			secrets = " --secrets" // Helm keeps its releases in Secrets
		}
		words = append(words, shellWord(arg))
	}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if f.Name == "token" || f.Name == "password" {
			return
		}
		values := []string{f.Value.String()}
		if many, ok := f.Value.(pflag.SliceValue); ok {
			values = many.GetSlice()
		}
		for _, value := range values {
			words = append(words, shellWord("--"+f.Name+"="+value))
		}
	})
	e.Print("note: an administrator can print the role for this command line with: %s rbac%s -- %s", name, secrets, strings.Join(words, " "))
}

// shellWord returns a word as a POSIX shell reads it.
func shellWord(word string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./:=,@%+", r)
	}
	if word != "" && strings.TrimLeftFunc(word, plain) == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

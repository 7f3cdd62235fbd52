package cli

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kstatus.dev/cmd/kstatus/internal/terminal"
)

// CommandLine returns the command line, with the flags in order and without secrets.
func CommandLine(cmd *cobra.Command, args []string) []string {
	all := strings.Fields(cmd.CommandPath())
	for _, arg := range args {
		all = append(all, terminal.RedactURL(arg))
	}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		values := []string{f.Value.String()}
		if many, ok := f.Value.(pflag.SliceValue); ok {
			values = many.GetSlice()
		}
		for _, value := range values {
			if isSecretFlag(f.Name) {
				value = terminal.Redaction
			}
			if f.NoOptDefVal != "" && f.NoOptDefVal == value {
				all = append(all, "--"+f.Name)
				continue
			}
			all = append(all, "--"+f.Name+"="+terminal.RedactURL(value))
		}
	})
	return all
}

// isSecretFlag reports whether the value of a flag is a secret.
func isSecretFlag(name string) bool { return name == "token" || name == "password" }

// CommandText returns a command line for a shell.
func CommandText(words []string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		if quoted[i] = word; strings.ContainsFunc(word, isSpecial) {
			quoted[i] = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
		}
	}
	return strings.Join(quoted, " ")
}

// isSpecial reports whether a character may have a meaning for a shell.
func isSpecial(r rune) bool {
	isLetter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
	return !isLetter && !strings.ContainsRune("-_./=,:@%+", r)
}

package main

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kstatus.dev/cmd/kstatus/internal/cli"
	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/internal/markdown"
)

// TestReference compares docs/reference/commands.md with the flags. -update rewrites the page.
func TestReference(t *testing.T) {
	const file = "../../docs/reference/commands.md"
	want := markdown.Wrap(reference(t))
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(have) != want {
		t.Errorf("docs/reference/commands.md is not what the flags say; go test ./cmd/kstatus -run TestReference -update rewrites it")
	}
}

// referenceText returns a handwritten text of the page.
func referenceText(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile("testdata/reference/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// reference returns the page about the commands, with their help and flags.
func reference(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString(referenceText(t, "head.md"))
	for _, row := range exit.Table {
		fmt.Fprintf(&b, "| %d | `%s` | %s |\n", row.Code, row.Outcome, row.Meaning)
	}
	b.WriteString(referenceText(t, "codes.md"))
	b.WriteString(tasksSection())
	root := newRootCommand(cli.Env{Now: func() time.Time { return time.Time{} }}, "kstatus")
	for _, cmd := range root.Commands() {
		if cmd.IsAvailableCommand() {
			describe(&b, cmd)
		}
	}
	b.WriteString("\n## Connection flags\n\nCommands that use a cluster have kubectl's flags:\n")
	var names []string
	root.PersistentFlags().VisitAll(func(f *pflag.Flag) { names = append(names, "`"+flagName(f)+"`") })
	fmt.Fprintf(&b, "%s.\n", strings.Join(names, ", "))
	return b.String()
}

// describe adds the help and the flags of a command and of those below it.
func describe(b *strings.Builder, cmd *cobra.Command) {
	long := cmd.Long
	if long == "" {
		long = cmd.Short + "."
	}
	long = strings.ReplaceAll(strings.TrimSpace(long), ":\n  ", ":\n\n  ")
	long = strings.ReplaceAll(long, "\n  ", "\n- ")
	fmt.Fprintf(b, "\n## %s\n\n```\n%s\n```\n\n%s\n", cmd.CommandPath(), cmd.UseLine(), long)
	if cmd.Example != "" {
		fmt.Fprintf(b, "\n```sh\n%s\n```\n", strings.ReplaceAll(strings.TrimPrefix(cmd.Example, "  "), "\n  ", "\n"))
	}
	var rows strings.Builder
	cmd.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
		if f.Name == "help" || f.Hidden {
			return
		}
		usage := strings.NewReplacer(":\n", ":<br>", ".\n", ".<br>", "\n", ".<br>", "|", "\\|").Replace(f.Usage)
		fmt.Fprintf(&rows, "| `%s` | %s | %s |\n", flagName(f), defaultOf(f), usage)
	})
	if rows.Len() > 0 {
		fmt.Fprintf(b, "\n| Flag | Default | Meaning |\n|---|---|---|\n%s", rows.String())
	}
	for _, below := range cmd.Commands() {
		describe(b, below)
	}
}

func flagName(f *pflag.Flag) string {
	if f.Shorthand != "" {
		return "-" + f.Shorthand + ", --" + f.Name
	}
	return "--" + f.Name
}

func defaultOf(f *pflag.Flag) string {
	switch f.DefValue {
	case "", "[]", "false":
		return ""
	}
	return "`" + strings.Trim(f.DefValue, "[]") + "`"
}

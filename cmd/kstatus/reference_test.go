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
)

// TestReference holds docs/cli.md to the flags; with -update it is rewritten.
func TestReference(t *testing.T) {
	const file = "../../docs/cli.md"
	want := reference()
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
		t.Errorf("docs/cli.md is not what the flags say; go test ./cmd/kstatus -run TestReference -update rewrites it")
	}
}

const referenceHead = `# The command

kstatus tells whether Kubernetes objects are there yet, and if not, why not. Linked as
` + "`kubectl-kstatus`" + ` it is the kubectl plugin ` + "`kubectl kstatus`" + `; linked as
` + "`kubectl_complete-kstatus`" + ` too, kubectl completes its command line.

` + "`kstatus completion bash`" + ` prints the completion for a shell; its help says how to load it. It offers types, names,
sets, namespaces, and the contexts, clusters and users of the kubeconfig. A server that does not answer within two
seconds adds nothing. Only the metadata of objects is read.

What was asked for goes to standard output, everything else to standard error: of a wait on a terminal, only the
` + "`RESULT`" + ` line goes to standard output, and so to the file of ` + "`kstatus wait ... | tee log`" + `; with
` + "`--progress=log`" + ` the file has the whole log. Text may
change between releases; flags, exit codes and the lines of ` + "`-o json`" + `
([output.schema.json](output.schema.json)) and of ` + "`--record`" + ` ([record.schema.json](record.schema.json)) do not.

## Without a command

` + "`kstatus`" + ` shows what is not Current in the namespace of the context, ` + "`kstatus -n shop`" + ` in another one, and
` + "`kstatus -A`" + ` in all: the worst first, objects with the same cause together, each cause with a command that tells
more, and in one line how many other objects are Current. The objects are those of ` + "`get --all`" + `. The exit code is 0
if that could be printed, and 5 if the namespace does not exist; with ` + "`--exit-code`" + ` it is that of
` + "`get --exit-code`" + `.

With ` + "`-A`" + ` the Namespaces, Nodes, PersistentVolumes, APIServices and CustomResourceDefinitions of the cluster are
looked at too; one line names those that you may not list. Of a definition that is served and not being deleted only
the metadata is read: it is Current. A namespace that is being deleted comes first. For 1,000 objects ` + "`kstatus -A`" + `
makes 30 requests and takes 84 MB, of which 7 requests and 8 MB are for objects without a namespace.

` + "`kstatus rbac -n shop --`" + ` prints the permissions that it needs. ` + "`kstatus explain`" + ` explains single objects in full.

## Exit codes

They are the same for all commands. Where several apply, the first of
3, 7, 6, 1, 5, 4 is taken.

- A document that cannot be read, has no name, or has a kind that the cluster can never serve, does not stop a command:
  it is reported with its file and line, the other objects are handled, and the exit code is 1, or one of those before 1.
- A TYPE that is probably a typo of another, or a name without a TYPE, is wrong usage (2). TYPE/NAME of any other TYPE
  that the server does not serve is missing (5); ` + "`kstatus wait`" + ` waits for it, as its definition may follow.

| Code | Outcome in ` + "`-o json`" + ` | Meaning |
|---|---|---|
`

const referenceCodes = `
kstatus get and explain exit with 0 whatever the status of objects, unless --exit-code is set. Without it, they
exit with 6 if an object that an argument or a file names may not be read, and with 1 if one cannot be read for
another reason. If one does not exist, get exits with 5, unless --ignore-not-found leaves it out; explain tells why. A
TYPE without objects is 0. In the lines of both commands, the outcome for 4 is ` + "`pending`" + `, since they wait for nothing.

A panic is a bug of kstatus, with exit code %d. A command whose output nobody reads any more ends by SIGPIPE; a wait
ends with %d instead, or goes on for its record and its reports.
`

// reference returns the reference of the command, from what it says of itself.
func reference() string {
	var b strings.Builder
	b.WriteString(referenceHead)
	for _, row := range exit.Table {
		fmt.Fprintf(&b, "| %d | `%s` | %s |\n", row.Code, row.Outcome, row.Meaning)
	}
	fmt.Fprintf(&b, referenceCodes, exit.Uncertain, exit.BrokenPipe)
	b.WriteString(tasksSection())
	root := newRootCommand(cli.Env{Now: func() time.Time { return time.Time{} }}, "kstatus")
	for _, cmd := range root.Commands() {
		if cmd.IsAvailableCommand() {
			describe(&b, cmd)
			for _, below := range cmd.Commands() {
				describe(&b, below)
			}
		}
	}
	b.WriteString("\n## Connection flags\n\nCommands that may ask a cluster take kubectl's:\n")
	var names []string
	root.PersistentFlags().VisitAll(func(f *pflag.Flag) { names = append(names, "`"+flagName(f)+"`") })
	fmt.Fprintf(&b, "%s.\n", strings.Join(names, ", "))
	return b.String()
}

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
		usage := strings.NewReplacer("\n", "<br>", "|", "\\|").Replace(f.Usage)
		fmt.Fprintf(&rows, "| `%s` | %s | %s |\n", flagName(f), defaultOf(f), usage)
	})
	if rows.Len() > 0 {
		fmt.Fprintf(b, "\n| Flag | Default | Meaning |\n|---|---|---|\n%s", rows.String())
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

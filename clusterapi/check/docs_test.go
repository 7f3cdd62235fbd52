package check

import (
	"bytes"
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"

	"kstatus.dev/author/lint"
	"kstatus.dev/author/lint/linttest"
	"kstatus.dev/internal/markdown"
)

var update = flag.Bool("update", false, "write docs/reference/checks-capi.md instead of comparing it")

func TestPageIsUpToDate(t *testing.T) {
	linttest.CompareFile(t, "../../docs/reference/checks-capi.md", markdown.Wrap(page(t)), *update)
}

func page(t *testing.T) string {
	t.Helper()
	var b bytes.Buffer
	fmt.Fprint(&b, `<!-- Written by make generate from the checks in clusterapi/check/ and their cases. -->
# Checks of the contract of Cluster API

The checks of kstatus capi check, with their reasons. [cluster-api.md](../guides/cluster-api.md) describes how to run them. Each
check has examples: a change of a correct provider that it reports, and a similar one that it does not.

| check | requirement | severity |
|---|---|---|
`)
	for _, c := range allChecks(Options{}) {
		first, _, _ := strings.Cut(c.Doc, "\n")
		fmt.Fprintf(&b, "| [%s](#%s) %s | %s | %s |\n", c.Name, c.Name, c.ID, first, c.Severity)
	}
	pageOfContract(&b)
	fmt.Fprint(&b, "\n# Definitions and the objects installed with them\n")
	for _, c := range Checks(Options{}) {
		pageOfCheck(t, &b, c)
	}
	fmt.Fprint(&b, "\n# Objects\n\nThese read objects of a cluster, with the Clusters and Machines that refer to them.\n")
	for _, c := range ObjectChecks(Options{}) {
		pageOfCheck(t, &b, c)
	}
	return b.String()
}

func pageOfContract(b *bytes.Buffer) {
	fmt.Fprint(b, "\n# The contract in one table\n\n| role | field | type | contract | rule |\n|---|---|---|---|---|\n")
	for _, f := range contractFields {
		contract := string(f.Contract)
		if contract == "" {
			contract = "both"
		}
		fmt.Fprintf(b, "| %s | `%s` | %s | %s | %s |\n", f.Role, f.Path, f.Type, contract, f.Rule)
	}
	fmt.Fprint(b, "\n# Contradictions and decisions\n\n| | contradiction | decision |\n|---|---|---|\n")
	for _, d := range decisions {
		fmt.Fprintf(b, "| %s | %s | %s |\n", d.id, d.contradiction, d.decision)
	}
}

func pageOfCheck(t *testing.T, b *bytes.Buffer, c *lint.Check) {
	t.Helper()
	first, rest, _ := strings.Cut(c.Doc, "\n\n")
	fmt.Fprintf(b, "\n## %s\n\n**%s**: %s (%s)\n\n%s\n\n```\n", c.Name, c.ID, first, c.Severity, rest)
	cases := readCases(t, c.Name)
	for _, bad := range []bool{true, false} {
		m := cases[slices.IndexFunc(cases, func(m mutation) bool { return m.bad == bad })]
		word := "found:     "
		if !bad {
			word = "not found: "
		}
		fmt.Fprintf(b, "%s%s\n", word, m.title)
		for _, change := range m.changes {
			fmt.Fprintf(b, "             %s\n", change)
		}
	}
	fmt.Fprint(b, "```\n")
}

package main

import (
	"fmt"
	"strconv"
	"strings"
)

const sizesHead = `
## Changes of go.mod and sizes

` + "`go run ./test/dropin/suites -sizes`" + ` builds each program with the original and with the replacement. It uses
` + "`-trimpath`" + `, ` + "`-ldflags=\"-s -w\"`" + ` and ` + "`CGO_ENABLED=0`" + `. The module of the program is tidied before and
after. For a library, the program is a main function that imports the packages of its suite. The
linked modules are those that the program names in ` + "`go version -m`" + `.

`

// sizesSection returns the section of the page on sizes; nothing if no program has been built.
func sizesSection(root string) (string, error) {
	var rows, changes strings.Builder
	for _, s := range suites {
		kept, ok, err := readSize(root, s.name)
		if err != nil {
			return "", err
		}
		if ok {
			rows.WriteString(kept.row(s.name))
			changes.WriteString(kept.changes(s.name))
		}
	}
	if rows.Len() == 0 {
		return "", nil
	}
	return sizesHead + "| program | replace lines | our modules | raised | lowered | added | removed | linked before | linked after | MB before | MB after |\n" +
		"|---|---|---|---|---|---|---|---|---|---|---|\n" + rows.String() + changes.String(), nil
}

func (s size) row(name string) string {
	d := s.difference()
	what := "library `" + s.Module + "`"
	if s.Program != importing {
		what = "`" + strings.TrimSuffix(s.Module+"/"+s.Program, "/.") + "`"
	}
	return fmt.Sprintf("| %s: %s %s | %d | %d | %d | %d | %d | %d | %s | %s | %s | %s |\n",
		name, what, s.Version, len(d.replace), len(d.own), len(d.raised), len(d.lowered), len(d.added), len(d.removed),
		count(s.Before), count(s.After), megabytes(s.Before.Bytes), megabytes(s.After.Bytes))
}

// count returns the number of linked modules as text.
func count(b build) string {
	if b.Bytes == 0 {
		return "not built"
	}
	return strconv.Itoa(len(b.Modules))
}

// changes lists the changed versions and the linked modules that differ.
func (s size) changes(name string) string {
	d := s.difference()
	added, removed, changed := s.linked()
	var b strings.Builder
	for _, kind := range []struct {
		text  string
		items []string
	}{
		{"raised in go.mod", d.raised},
		{"lowered in go.mod", d.lowered},
		{"added to go.mod", d.added},
		{"removed from go.mod", d.removed},
		{"linked in another version", changed},
		{"newly linked", added},
		{"no longer linked", removed},
	} {
		if len(kind.items) > 0 {
			fmt.Fprintf(&b, "- %s: `%s`\n", kind.text, strings.Join(kind.items, "`, `"))
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return "\n### Modules of " + name + "\n\n" + b.String()
}

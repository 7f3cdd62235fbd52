package check

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"kstatus.dev/author/lint"
	"kstatus.dev/author/lint/linttest"
	"kstatus.dev/internal/decoded"
)

// A mutation is a case of a check: changes of the base, and whether this check,
// and no other, then has a finding.
type mutation struct {
	bad     bool
	title   string
	changes []string
}

// readCases reads testdata/checks/<name>.cases. A case is a line with "bad:" or
// "good:" and a title, then indented changes, one per line.
func readCases(t testing.TB, name string) (all []mutation) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "checks", name+".cases"))
	if err != nil {
		t.Fatal(err)
	}
	for n, line := range strings.Split(string(data), "\n") {
		kind, title, _ := strings.Cut(line, ": ")
		switch {
		case strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "  ") && all != nil:
			last := &all[len(all)-1]
			last.changes = append(last.changes, strings.TrimSpace(line))
		case kind == "bad" || kind == "good":
			all = append(all, mutation{bad: kind == "bad", title: title})
		default:
			t.Fatalf("%s.cases:%d: found %q; want bad:, good: or an indented change", name, n+1, line)
		}
	}
	return all
}

// apply makes the changes on a fresh base. These change a definition:
//
//	FooMachine schema spec.providerID remove
//	FooMachine schema status.ready set {"type":"boolean"}
//	FooMachine schema spec:required set ["size"]
//	FooMachine set spec.scope "Cluster"
//
// These change an object, the definitions, the other objects and the options:
//
//	FooMachine/m-0 remove spec.providerID
//	FooMachine drop
//	add {"kind":"Namespace"}
//	option release v0.2.0
func (c mutation) apply(t testing.TB) (lint.Bundle, Options) {
	t.Helper()
	b, o := base(), Options{Complete: true, Secrets: true}
	for _, change := range c.changes {
		if err := applyChange(&b, &o, change); err != nil {
			t.Fatalf("%s: %s: %v", c.title, change, err)
		}
	}
	return b, o
}

func applyChange(b *lint.Bundle, o *Options, change string) error {
	word, rest, _ := strings.Cut(change, " ")
	switch word {
	case "add":
		var made map[string]any
		if err := json.Unmarshal([]byte(rest), &made); err != nil {
			return err
		}
		b.Objects = append(b.Objects, made)
		return nil
	case "option":
		return applyOption(o, rest)
	}
	i := slices.IndexFunc(b.Objects, func(x map[string]any) bool {
		if decoded.Text(x, "kind") == "CustomResourceDefinition" {
			return decoded.Text(x, "spec", "names", "kind") == word
		}
		return decoded.Text(x, "kind")+"/"+decoded.Text(x, "metadata", "name") == word
	})
	if i < 0 {
		return fmt.Errorf("no object %s", word)
	}
	op, rest, _ := strings.Cut(rest, " ")
	if op == "drop" {
		b.Objects = slices.Delete(b.Objects, i, i+1)
		return nil
	}
	edit, err := parseEdit(op, rest)
	if err != nil {
		return err
	}
	b.Objects[i], err = lint.Apply(b.Objects[i], edit)
	return err
}

func applyOption(o *Options, rest string) error {
	name, value, _ := strings.Cut(rest, " ")
	switch name {
	case "release":
		o.Release = value
	case "contract":
		o.Contract = Contract(value)
	case "incomplete":
		o.Complete, o.Secrets = false, false
	default:
		return fmt.Errorf("no option %s", name)
	}
	return nil
}

func parseEdit(op, rest string) (lint.Edit, error) {
	var at lint.Path
	if op == "schema" {
		at = lint.Path{"spec", "versions", 0, "schema", "openAPIV3Schema"}
		names, after, _ := strings.Cut(rest, " ")
		for _, step := range steps(names) {
			name, key, isKey := strings.Cut(step, ":")
			switch name {
			case "[]":
				at = at.With("items")
			case "{}":
				at = at.With("additionalProperties")
			default:
				at = at.With("properties", name)
			}
			if isKey {
				at = at.With(key)
			}
		}
		op, rest, _ = strings.Cut(after, " ")
	} else {
		names, after, _ := strings.Cut(rest, " ")
		at, rest = parsePath(names), after
	}
	if op == "remove" {
		return lint.Edit{Op: lint.OpRemove, Path: at}, nil
	}
	if op != "set" {
		return lint.Edit{}, fmt.Errorf("no operation %s", op)
	}
	edit := lint.Edit{Op: lint.OpAdd, Path: at}
	if _, isIndex := at[len(at)-1].(int); isIndex {
		edit.Op = lint.OpReplace
	}
	err := json.Unmarshal([]byte(rest), &edit.Value)
	return edit, err
}

// parsePath reads metadata.labels["a.b/c"].x[0]; "[-]" is behind the last item.
func parsePath(s string) lint.Path {
	p := lint.Path{}
	for s != "" {
		switch {
		case s[0] == '.':
			s = s[1:]
		case strings.HasPrefix(s, `["`):
			end := strings.Index(s, `"]`)
			p, s = p.With(s[2:end]), s[end+2:]
		case s[0] == '[':
			end := strings.Index(s, "]")
			if n, err := strconv.Atoi(s[1:end]); err == nil {
				p = p.With(n)
			} else {
				p = p.With(s[1:end])
			}
			s = s[end+1:]
		default:
			end := strings.IndexAny(s+".", ".[")
			p, s = p.With(s[:end]), s[end:]
		}
	}
	return p
}

func allChecks(o Options) []*lint.Check { return append(Checks(o), ObjectChecks(o)...) }

// lintOptions returns the options that every case runs with.
func lintOptions(o Options) lint.Options {
	return lint.Options{Profile: lint.ProfileStrict, Checks: allChecks(o), Plural: pluralOf}
}

func runChecks(b lint.Bundle, o Options) []lint.Finding { return lint.Run(b, lintOptions(o)) }

func TestBaseHasNoFindings(t *testing.T) {
	linttest.Run(t, base(), lintOptions(Options{Complete: true, Secrets: true}), nil)
}

// Only its own check finds a bad case. No check finds a good one. If the check
// has a fix, the fix removes the finding.
func TestCases(t *testing.T) {
	fixed := 0
	for _, c := range allChecks(Options{}) {
		cases := readCases(t, c.Name)
		if !slices.ContainsFunc(cases, func(m mutation) bool { return m.bad }) || !slices.ContainsFunc(cases, func(m mutation) bool { return !m.bad }) {
			t.Errorf("%s has no bad or no good case", c.Name)
		}
		for _, m := range cases {
			t.Run(c.Name+"/"+m.title, func(t *testing.T) {
				var want []string
				if m.bad {
					want = []string{c.Name}
				}
				b, o := m.apply(t)
				for _, f := range linttest.Run(t, b, lintOptions(o), want) {
					if f.Fix != nil {
						fixed++
					}
				}
			})
		}
	}
	if fixed < 20 {
		t.Errorf("%d findings had a fix; the cases should show more", fixed)
	}
}

package census

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"

	"kstatus.dev/author/lint"
	"kstatus.dev/clusterapi/check"
)

// byHand lists the findings that were checked by hand.
//
//go:embed byhand.md
var byHand string

// Page returns the text of docs/contributing/census.md.
func Page(results []Result) string {
	var b strings.Builder
	b.WriteString("# A census of definitions\n\nThis page lists the findings of `kstatus lint` in the CustomResourceDefinitions of " + fmt.Sprint(len(results)) +
		"\nprojects, and the result of `--fix`. Numbers count definitions with at least one finding, unless the\n" +
		"text says otherwise. `make census` writes this page: [test/author/census](../test/author/census).\n")
	sources(&b, results)
	counts(&b, results)
	writeComparison(&b, results)
	writeFixes(&b, results)
	writeUnfixed(&b, results)
	b.WriteString("\n" + byHand)
	return b.String()
}

func sources(b *strings.Builder, results []Result) {
	b.WriteString("\n## Definitions\n\n| project | from | definitions | with a status in a served version |\n|---|---|---|---|\n")
	definitions, withStatus := 0, 0
	for _, r := range results {
		from := r.Said
		if r.Module != "" {
			from = "`" + r.Module + "`"
		}
		fmt.Fprintf(b, "| %s | %s | %d | %d |\n", r.Name, from, r.Definitions, r.WithStatus)
		definitions, withStatus = definitions+r.Definitions, withStatus+r.WithStatus
	}
	fmt.Fprintf(b, "| all | | %d | %d |\n", definitions, withStatus)
}

// counts writes a row for each check with findings.
func counts(b *strings.Builder, results []Result) {
	b.WriteString("\n## Findings\n\n| check |")
	for _, r := range results {
		b.WriteString(" " + r.Name + " |")
	}
	b.WriteString(" all |\n|---|" + strings.Repeat("---|", len(results)+1) + "\n")
	for _, c := range slices.Concat(lint.Checks, check.ExtraChecks(check.Options{})) {
		key, all := c.ID+" "+c.Name, 0
		var cells strings.Builder
		for _, r := range results {
			n := len(r.Kinds[key])
			all += n
			fmt.Fprintf(&cells, " %s |", numberText(n))
		}
		if all > 0 {
			fmt.Fprintf(b, "| %s |%s %d |\n", key, cells.String(), all)
		}
	}
}

func numberText(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}

// counted contains the numbers of definitions by project, as counted by a separate script in
// the same folders. The script is older than the checks and shares no code with them.
var counted = []struct {
	what, check string
	numbers     map[string]int
}{
	{"a new object reads Current", "L-06 creation-race", map[string]int{"capi": 12, "capd": 4, "capo": 5, "crossplane": 17, "flux": 1}},
	{"no observedGeneration", "L-03 observed-generation", map[string]int{"capi": 2, "capd": 3, "capo": 5, "crossplane": 17, "flux": 0}},
	{"a minimum forbids -1", "L-05 observed-generation-minimum", map[string]int{"capi": 10, "capd": 0, "capo": 0, "crossplane": 0, "flux": 0}},
	{"no conditions", "L-11 conditions", map[string]int{"capi": 0, "capd": 1, "capo": 0, "crossplane": 0, "flux": 0}},
	{"the conditions are not a map by type", "L-13 conditions-list-map", map[string]int{"capi": 0, "capd": 0, "capo": 2, "crossplane": 0, "flux": 2}},
	{"any number of conditions", "L-14 conditions-max-items", map[string]int{"capi": 0, "capd": 0, "capo": 5, "crossplane": 17, "flux": 2}},
	{"the reason is optional or may be empty", "L-17 condition-reason", map[string]int{"capi": 0, "capd": 0, "capo": 0, "crossplane": 17, "flux": 0}},
	{"the status of a condition may be any word", "L-18 condition-status", map[string]int{"capi": 0, "capd": 0, "capo": 0, "crossplane": 17, "flux": 0}},
	{"a condition has a severity", "L-20 condition-severity", map[string]int{"capi": 0, "capd": 0, "capo": 0, "crossplane": 0, "flux": 0}},
	{"a time that each reconcile changes", "L-21 heartbeat", map[string]int{"capi": 1, "capd": 0, "capo": 0, "crossplane": 0, "flux": 0}},
	{"no column shows a condition", "L-22 condition-column", map[string]int{"capi": 1, "capd": 2, "capo": 5, "crossplane": 3, "flux": 1}},
	{"the status has required fields", "L-26 required-status", map[string]int{"capi": 0, "capd": 0, "capo": 1, "crossplane": 0, "flux": 0}},
	{"no status subresource", "L-01 status-subresource", map[string]int{"capi": 0, "capd": 0, "capo": 0, "crossplane": 0, "flux": 0}},
}

// writeComparison compares the findings with the numbers of the script.
func writeComparison(b *strings.Builder, results []Result) {
	folders := []string{"capi", "capd", "capo", "crossplane", "flux"}
	by := map[string]Result{}
	for _, r := range results {
		by[r.Dir[strings.LastIndex(r.Dir, "/")+1:]] = r
	}
	b.WriteString("\n## Comparison with another count\n\n" +
		"A script that shares no code with the checks counted the five folders of August 2026 before. Each\n" +
		"cell has the number of the check for the stored version. If the script counted another number, it\n" +
		"follows in parentheses. The table above is about all served versions.\n\n| what | check |")
	for _, f := range folders {
		if _, there := by[f]; there {
			b.WriteString(" " + by[f].Name + " |")
		}
	}
	b.WriteString("\n|---|---|" + strings.Repeat("---|", len(by)) + "\n")
	for _, row := range counted {
		fmt.Fprintf(b, "| %s | %s |", row.what, row.check)
		for _, f := range folders {
			r, there := by[f]
			if !there {
				continue
			}
			n := len(r.Stored[row.check])
			if n == row.numbers[f] {
				fmt.Fprintf(b, " %d |", n)
			} else {
				fmt.Fprintf(b, " %d (%d) |", n, row.numbers[f])
			}
		}
		b.WriteString("\n")
	}
}

// statusCounts counts the versions at a level by the status of their new objects.
func (r Result) statusCounts(level string) (counts map[string]int) {
	counts = map[string]int{}
	for _, p := range r.Proofs {
		if p.Level == level {
			for _, word := range p.Fresh {
				counts[word]++
			}
		}
	}
	return counts
}

func (r Result) refusedNames(level string) (names []string) {
	for _, p := range r.Proofs {
		if p.Level == level && p.Refused != "" {
			names = append(names, p.Name)
		}
	}
	return names
}

// writeFixes writes the results of --fix.
func writeFixes(b *strings.Builder, results []Result) {
	b.WriteString("\n## Results of `--fix`\n\n" +
		"Each definition was installed on a real API server in three states: before, after `--fix`, and after\n" +
		"`--fix --unsafe`. Columns with three numbers have one for each state. Then an object with only a\n" +
		"name was created and read in each served version, and the kstatus of fluxcd/cli-utils v1.3.0 judged\n" +
		"it.\n" +
		"To make such an object valid, a copy of the definition has no schema of the spec. It has no\n" +
		"conversion webhooks either, because these do not run.\n\n" +
		"| project | lines added and removed by `--fix` | refused by the API server | versions that read Current | InProgress | a second `--fix` |\n|---|---|---|---|---|---|\n")
	var current, progress [3]int
	for _, r := range results {
		again := "changes nothing"
		if r.Again {
			again = "**changes something**"
		}
		var refused, cur, prog []string
		for i, level := range []string{Before, Safe, Unsafe} {
			n := r.statusCounts(level)
			refused = append(refused, fmt.Sprint(len(r.refusedNames(level))))
			cur, prog = append(cur, fmt.Sprint(n["Current"])), append(prog, fmt.Sprint(n["InProgress"]))
			current[i], progress[i] = current[i]+n["Current"], progress[i]+n["InProgress"]
		}
		fmt.Fprintf(b, "| %s | +%d −%d | %s | %s | %s | %s |\n", r.Name, r.Changed, r.Removed, strings.Join(refused, ", "), strings.Join(cur, ", "), strings.Join(prog, ", "), again)
	}
	fmt.Fprintf(b, "| all | | | %d, %d, %d | %d, %d, %d | |\n", current[0], current[1], current[2], progress[0], progress[1], progress[2])
}

// reasons explain why a version stays Current after --fix, by the remaining finding about it.
// The first match counts.
var reasons = []struct{ check, why string }{
	{"status-schema", "The status is opaque or is not in the schema, so none of its fields can have a default"},
	{"observed-generation-minimum", "A minimum forbids the default -1. Only `--unsafe` lowers it: generated clients may refuse -1"},
	{"required-status", "Required fields of the status forbid the default `{}`. Only `--unsafe` makes them optional"},
	{"served-versions", "The race cannot be closed in another served version. It is closed in all versions or in none"},
	{"", "The race stays open in another served version, or the status requires at least one field"},
}

func (r Result) why(name, version string) int {
	for i, reason := range reasons {
		for _, f := range r.left {
			if f.Name == name && (f.Version == version || f.Version == "") && f.Check == reason.check {
				return i
			}
		}
	}
	return len(reasons) - 1
}

// writeUnfixed lists the versions that stay Current after --fix, and the definitions that were
// not fixed.
func writeUnfixed(b *strings.Builder, results []Result) {
	b.WriteString("\n### Versions that stay Current after `--fix`\n\nVersions in *italics* stay Current also after `--fix --unsafe`.\n")
	lines := make([]string, len(reasons))
	for _, r := range results {
		unsafe := map[string]bool{}
		for _, p := range r.Proofs {
			for version, reads := range p.Fresh {
				unsafe[p.Name+" "+version] = unsafe[p.Name+" "+version] || p.Level == Unsafe && reads == "Current"
			}
		}
		names := make([][]string, len(reasons))
		for _, p := range r.Proofs {
			for _, version := range slices.Sorted(maps.Keys(p.Fresh)) {
				if p.Level != Safe || p.Fresh[version] != "Current" {
					continue
				}
				short, _, _ := strings.Cut(p.Name, ".")
				if short += "/" + version; unsafe[p.Name+" "+version] {
					short = "*" + short + "*"
				}
				i := r.why(p.Name, version)
				names[i] = append(names[i], short)
			}
		}
		for i, all := range names {
			if len(all) > 0 {
				lines[i] += "| " + r.Name + " | " + strings.Join(all, ", ") + " |\n"
			}
		}
	}
	for i, text := range lines {
		if text != "" {
			b.WriteString("\n" + reasons[i].why + ":\n\n| project | versions |\n|---|---|\n" + text)
		}
	}
	var notes []string
	for _, r := range results {
		for _, n := range r.Notes {
			notes = append(notes, "- "+n)
		}
		if names := r.refusedNames(Before); len(names) > 0 {
			notes = append(notes, "- "+r.Name+": the API server refuses these also without `--fix`:\n  "+strings.Join(names, ", "))
		}
	}
	if len(notes) > 0 {
		b.WriteString("\n### Definitions that were not fixed\n\n" + strings.Join(notes, "\n") + "\n")
	}
}

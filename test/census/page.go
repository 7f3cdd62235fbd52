package census

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"

	"kstatus.dev/capi"
	"kstatus.dev/lint"
)

// byHand is what has been looked at by hand.
//
//go:embed byhand.md
var byHand string

// Page writes docs/census.md.
func Page(results []Result) string {
	var b strings.Builder
	b.WriteString("# A census of definitions\n\nWhat `kstatus lint` finds in the CustomResourceDefinitions of " + fmt.Sprint(len(results)) +
		" projects, and what `--fix` makes of them.\n`make census` writes this page: [test/census](../test/census). Numbers are of definitions with at least one finding, unless said otherwise.\n")
	sources(&b, results)
	counts(&b, results)
	beside(&b, results)
	mended(&b, results)
	stay(&b, results)
	b.WriteString("\n" + byHand)
	return b.String()
}

func sources(b *strings.Builder, results []Result) {
	b.WriteString("\n## What was looked at\n\n| project | from | definitions | with a status in a served version |\n|---|---|---|---|\n")
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

// counts writes a row per check that has found something.
func counts(b *strings.Builder, results []Result) {
	b.WriteString("\n## What was found\n\n| check |")
	for _, r := range results {
		b.WriteString(" " + r.Name + " |")
	}
	b.WriteString(" all |\n|---|" + strings.Repeat("---|", len(results)+1) + "\n")
	for _, c := range slices.Concat(lint.Checks, capi.ExtraChecks(capi.Options{})) {
		key, all := c.ID+" "+c.Name, 0
		var cells strings.Builder
		for _, r := range results {
			n := len(r.Kinds[key])
			all += n
			fmt.Fprintf(&cells, " %s |", figure(n))
		}
		if all > 0 {
			fmt.Fprintf(b, "| %s |%s %d |\n", key, cells.String(), all)
		}
	}
}

func figure(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}

// counted are numbers that a script of its own, written before the checks and
// without them, has counted in the same folders: of definitions, by project.
var counted = []struct {
	what, check string
	numbers     map[string]int
}{
	{"a new object reads Current", "L-06 creation-race", map[string]int{"capi": 12, "capd": 4, "capo": 5, "crossplane": 17, "flux": 1}},
	{"no observedGeneration", "L-03 observed-generation", map[string]int{"capi": 2, "capd": 3, "capo": 5, "crossplane": 17, "flux": 0}},
	{"a minimum forbids -1", "L-05 observed-generation-minimum", map[string]int{"capi": 10, "capd": 0, "capo": 0, "crossplane": 0, "flux": 0}},
	{"no conditions", "L-11 conditions", map[string]int{"capi": 0, "capd": 1, "capo": 0, "crossplane": 0, "flux": 0}},
	{"conditions are no map by type", "L-13 conditions-list-map", map[string]int{"capi": 0, "capd": 0, "capo": 2, "crossplane": 0, "flux": 2}},
	{"any number of conditions", "L-14 conditions-max-items", map[string]int{"capi": 0, "capd": 0, "capo": 5, "crossplane": 17, "flux": 2}},
	{"the reason is optional or may be empty", "L-17 condition-reason", map[string]int{"capi": 0, "capd": 0, "capo": 0, "crossplane": 17, "flux": 0}},
	{"the status of a condition may be any word", "L-18 condition-status", map[string]int{"capi": 0, "capd": 0, "capo": 0, "crossplane": 17, "flux": 0}},
	{"a condition has a severity", "L-20 condition-severity", map[string]int{"capi": 0, "capd": 0, "capo": 0, "crossplane": 0, "flux": 0}},
	{"times that each look moves", "L-21 heartbeat", map[string]int{"capi": 1, "capd": 0, "capo": 0, "crossplane": 0, "flux": 0}},
	{"no column shows a condition", "L-22 condition-column", map[string]int{"capi": 1, "capd": 2, "capo": 5, "crossplane": 3, "flux": 1}},
	{"the status has required fields", "L-26 required-status", map[string]int{"capi": 0, "capd": 0, "capo": 1, "crossplane": 0, "flux": 0}},
	{"no status subresource", "L-01 status-subresource", map[string]int{"capi": 0, "capd": 0, "capo": 0, "crossplane": 0, "flux": 0}},
}

// beside sets what was found beside what was counted in another way.
func beside(b *strings.Builder, results []Result) {
	folders := []string{"capi", "capd", "capo", "crossplane", "flux"}
	by := map[string]Result{}
	for _, r := range results {
		by[r.Dir[strings.LastIndex(r.Dir, "/")+1:]] = r
	}
	b.WriteString("\n## Beside another count\n\nThe five folders of August 2026 were counted before by a script that shares no code with the checks. " +
		"Each cell is what the check finds in the version that is stored, then what the script had counted where that differs. The table above is about all versions that are served.\n\n| what | check |")
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

// reads counts at a level the versions whose new objects read something.
func (r Result) reads(level string) (counts map[string]int) {
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

func (r Result) refused(level string) (names []string) {
	for _, p := range r.Proofs {
		if p.Level == level && p.Refused != "" {
			names = append(names, p.Name)
		}
	}
	return names
}

// mended writes what --fix makes of the definitions.
func mended(b *strings.Builder, results []Result) {
	b.WriteString("\n## What mending does\n\nEach definition was given to a real API server before, after `--fix`, and after `--fix --unsafe`; " +
		"then an object with nothing but a name was created, read in each served version, and judged by the kstatus of fluxcd/cli-utils v1.3.0. " +
		"So that such an object is valid, the spec was taken out of the schema of a copy, and conversion webhooks, which do not run, were left out. " +
		"Columns with three numbers tell of those three states.\n\n" +
		"| project | lines that come and go with `--fix` | refused by the API server | versions that read Current | InProgress | a second `--fix` |\n|---|---|---|---|---|---|\n")
	var current, progress [3]int
	for _, r := range results {
		again := "changes nothing"
		if r.Again {
			again = "**changes something**"
		}
		var refused, cur, prog []string
		for i, level := range []string{Before, Safe, Unsafe} {
			n := r.reads(level)
			refused = append(refused, fmt.Sprint(len(r.refused(level))))
			cur, prog = append(cur, fmt.Sprint(n["Current"])), append(prog, fmt.Sprint(n["InProgress"]))
			current[i], progress[i] = current[i]+n["Current"], progress[i]+n["InProgress"]
		}
		fmt.Fprintf(b, "| %s | +%d −%d | %s | %s | %s | %s |\n", r.Name, r.Changed, r.Removed, strings.Join(refused, ", "), strings.Join(cur, ", "), strings.Join(prog, ", "), again)
	}
	fmt.Fprintf(b, "| all | | | %d, %d, %d | %d, %d, %d | |\n", current[0], current[1], current[2], progress[0], progress[1], progress[2])
}

// reasons say why a version still reads Current after --fix, by the finding about
// it that is left. The first that fits counts.
var reasons = []struct{ check, why string }{
	{"status-schema", "The status is opaque or is not in the schema, so that nothing in it can have a default"},
	{"observed-generation-minimum", "A minimum forbids the default -1; only `--unsafe` relaxes it, since clients that were generated from the schema may refuse -1"},
	{"required-status", "Required fields of the status forbid the default `{}`; only `--unsafe` makes them optional"},
	{"served-versions", "Another served version cannot be closed; it is closed in all of them or in none"},
	{"", "Another served version cannot be closed safely, or the status must have a field at least"},
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

// stay tells what reads Current even when it is mended, and what was not mended.
func stay(b *strings.Builder, results []Result) {
	b.WriteString("\n### What stays Current after `--fix`, and why\n\nVersions in *italics* still do after `--fix --unsafe`.\n\n")
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
				if short += " " + version; unsafe[p.Name+" "+version] {
					short = "*" + short + "*"
				}
				i := r.why(p.Name, version)
				names[i] = append(names[i], short)
			}
		}
		for i, all := range names {
			if len(all) > 0 {
				lines[i] += "  - " + r.Name + ": " + strings.Join(all, ", ") + "\n"
			}
		}
	}
	for i, text := range lines {
		if text != "" {
			b.WriteString("- " + reasons[i].why + ":\n" + text)
		}
	}
	var notes []string
	for _, r := range results {
		for _, n := range r.Notes {
			notes = append(notes, "- "+n)
		}
		if names := r.refused(Before); len(names) > 0 {
			notes = append(notes, "- "+r.Name+": the API server refuses these already as they are: "+strings.Join(names, ", "))
		}
	}
	if len(notes) > 0 {
		b.WriteString("\n### What was left alone\n\n" + strings.Join(notes, "\n") + "\n")
	}
}

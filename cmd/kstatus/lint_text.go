package main

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"kstatus.dev/internal/text"
	"kstatus.dev/lint"
	"kstatus.dev/status"
)

// The formats of -o.
var lintFormats = []string{"text", "json", "sarif", "github"}

// print prints the findings.
func (l *lintCommand) print(r *lintRun) error {
	out := bufio.NewWriter(l.env.out)
	var err error
	switch l.output {
	case "json":
		err = l.printJSON(out, r)
	case "sarif":
		err = l.printSARIF(out, r)
	case "github":
		err = l.printGitHub(out, r)
	default:
		l.printText(out, r)
	}
	if err == nil {
		err = out.Flush()
	}
	if err != nil {
		return fmt.Errorf("print: %w", err)
	}
	return nil
}

// printText prints a line per finding, as compilers do, and what to write instead.
func (l *lintCommand) printText(out *bufio.Writer, r *lintRun) {
	colour := l.env.coloursOn(l.env.out, l.colour)
	for _, f := range r.inOrder() {
		where := f.at.String()
		if where == "" {
			where = "crd/" + f.Name + ": " + f.Path.String()
		}
		fmt.Fprintf(out, "%s: %s: %s%s [%s %s]\n", text.Line(where), severityWord(f.Severity, colour), text.Line(aboutOf(f.Finding)), text.Line(f.Message), f.ID, f.Check)
		if f.Repair != "" {
			fmt.Fprintf(out, "    %s: %s\n", mendable(f.Finding), text.Line(f.Repair))
		}
	}
	for _, v := range r.verdicts() {
		if v.before.Peer != v.after.Peer || v.before.Peer == string(status.CurrentStatus) {
			fmt.Fprintln(out, text.Line(v.String()))
		}
	}
	fmt.Fprintln(out, r.summary())
}

// aboutOf returns what a finding is about, for a line that does not show it.
func aboutOf(f lint.Finding) string {
	switch {
	case f.Name == "":
		return ""
	case f.Version == "":
		return f.Name + ": "
	}
	return f.Name + " " + f.Version + ": "
}

func severityWord(s lint.Severity, colour bool) string {
	if !colour {
		return s.String()
	}
	return ansi.NewStyle().ForegroundColor(severityColours[s]).Styled(s.String())
}

var severityColours = map[lint.Severity]ansi.BasicColor{lint.Error: ansi.Red, lint.Warning: ansi.Yellow, lint.Hint: ansi.Cyan}

// counts says how many findings of each severity there are.
func (r *lintRun) counts() string {
	var parts []string
	for _, s := range []lint.Severity{lint.Error, lint.Warning, lint.Hint} {
		if n := r.count(s); n > 0 {
			parts = append(parts, text.Count(n, s.String()))
		}
	}
	if len(parts) == 0 {
		return "nothing found"
	}
	return strings.Join(parts, ", ")
}

// summary counts what was found, and what can be mended.
func (r *lintRun) summary() string {
	text := r.counts() + " in " + text.Count(len(r.bundle.CRDs()), "definition")
	if n := len(r.ignored); n > 0 {
		text += fmt.Sprintf(", %d ignored with a reason", n)
	}
	safe, unsafe := 0, 0
	for _, f := range r.findings {
		switch mendable(f) {
		case "--fix":
			safe++
		case "--fix --unsafe":
			unsafe++
		}
	}
	if safe > 0 {
		text += fmt.Sprintf("; --fix mends %d", safe)
	}
	if unsafe > 0 {
		text += fmt.Sprintf("; --fix --unsafe %d more", unsafe)
	}
	return text
}

// A freshVerdict is what two readers make of an object that has just been created.
type freshVerdict struct {
	Peer string // today's kstatus
	Ours string
}

// A lintVerdict is what a fresh object of a version reads, as it is and mended.
type lintVerdict struct {
	object        int
	name, version string
	before, after freshVerdict
}

// String says it in a line.
func (v lintVerdict) String() string {
	text := fmt.Sprintf("%s %s: a new object reads %s with today's kstatus, %s with this one", v.name, v.version, v.before.Peer, v.before.Ours)
	if v.after != v.before {
		text += fmt.Sprintf("; after --fix %s, %s", v.after.Peer, v.after.Ours)
	}
	return text
}

// verdicts judges a new object of each version with a status, before the safe
// fixes and after them.
func (r *lintRun) verdicts() (all []lintVerdict) {
	if r.contract {
		return nil
	}
	for _, c := range r.bundle.CRDs() {
		_, mended, _ := lint.Repair(r.bundle, c.Index, false, r.options) // what cannot be mended, --fix tells
		after := crdAt(mended, c.Index)
		for i, v := range c.Versions {
			if v.Served && v.HasStatus() && after != nil && i < len(after.Versions) {
				all = append(all, lintVerdict{c.Index, c.Name, v.Name, fresh(v), fresh(after.Versions[i])})
			}
		}
	}
	return all
}

func crdAt(b lint.Bundle, index int) *lint.CRD {
	for _, c := range b.CRDs() {
		if c.Index == index {
			return &c
		}
	}
	return nil
}

// fresh judges a new object of a version.
func fresh(v lint.Version) freshVerdict {
	object := status.Map(v.Fresh())
	return freshVerdict{strings.TrimSuffix(judged(status.Evaluator{Profile: status.Compat()}, object), " (assumed)"), judged(status.Evaluator{Expect: promisesOf(v)}, object)}
}

// promisesOf returns what the definition of a version promises.
func promisesOf(v lint.Version) status.Expectations {
	expect, err := status.ExpectationsFromCRDs(status.Map(v.CRD.Raw))
	if err != nil {
		return nil // what is wrong with it, checks tell
	}
	return expect
}

func judged(e status.Evaluator, o status.Map) string {
	res, err := e.Compute(o)
	switch {
	case err != nil:
		return string(status.UnknownStatus)
	case res.Status == status.CurrentStatus && res.Confidence == status.Assumed:
		return "Current (assumed)"
	}
	return string(res.Status)
}

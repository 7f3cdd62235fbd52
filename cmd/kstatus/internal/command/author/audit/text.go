package audit

import (
	"bufio"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"kstatus.dev/author/audit"
	"kstatus.dev/author/severity"
	"kstatus.dev/cmd/kstatus/internal/cli"
	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/internal/text"
	"kstatus.dev/status"
)

// An auditResult is the result of an audit.
type auditResult struct {
	report *audit.Report
	kinds  []audit.KindMetrics
	code   exit.Code
}

// A findingGroup is a group of findings: one writer violates one rule on objects of one kind.
type findingGroup struct {
	findings []audit.Finding
	objects  int
	times    int
}

// groupFindings groups the findings, the most severe first.
func groupFindings(findings []audit.Finding) (all []*findingGroup) {
	known := map[string]*findingGroup{}
	for _, f := range findings {
		key := fmt.Sprintf("%q", []string{f.Rule, f.Object.Kind.Kind, f.Object.Group, f.Writer})
		b := known[key]
		if b == nil {
			b = &findingGroup{}
			known[key] = b
			all = append(all, b)
		}
		if len(b.findings) == 0 || b.findings[len(b.findings)-1].Object != f.Object {
			b.objects++
		}
		b.findings = append(b.findings, f)
		b.times += f.Count
	}
	slices.SortStableFunc(all, func(x, y *findingGroup) int {
		a, b := x.findings[0], y.findings[0]
		return cmp.Or(cmp.Compare(b.Severity, a.Severity), cmp.Compare(a.Rule, b.Rule))
	})
	return all
}

// maxExamples is how many findings of a group the text shows.
const maxExamples = 3

// text prints the report as text.
func (r auditResult) text(env cli.Env) error {
	out := bufio.NewWriter(env.Out)
	for _, b := range groupFindings(r.report.Findings) {
		f := b.findings[0]
		fmt.Fprintf(out, "%s %s %s: %s\n", f.Severity, f.Rule, f.Name, b.frequency())
		for i, f := range b.findings {
			if i == maxExamples {
				fmt.Fprintf(out, "  and at %s\n", text.Count(len(b.findings)-i, "more place"))
				break
			}
			fmt.Fprintln(out, "  "+example(f))
		}
	}
	if len(r.report.Findings) > 0 {
		fmt.Fprintln(out)
	}
	r.printKinds(out)
	fmt.Fprintln(out, r.summary())
	for _, note := range r.notes() {
		fmt.Fprintln(out, "note: "+note)
	}
	return out.Flush()
}

// frequency returns how often the rule is violated.
func (b *findingGroup) frequency() string {
	f := b.findings[0]
	return text.Count(b.objects, "object") + " of " + kindName(f.Object.Kind) + writerText(f.Writer) + ", " + text.Count(b.times, "time")
}

// example returns the text of one finding.
func example(f audit.Finding) string {
	return text.Line(f.Object.String()) + pathText(f) + ": " + text.Line(f.Evidence) + versionsText(f)
}

// kindName returns a kind as in arguments.
func kindName(kind status.Kind) string { return text.Line(kind.String()) }

func writerText(writer string) string {
	if writer == "" {
		return ""
	}
	return ", written by " + text.Line(writer)
}

func pathText(f audit.Finding) string {
	if f.Path == "" {
		return ""
	}
	return " " + text.Line(f.Path)
}

func versionsText(f audit.Finding) string {
	switch {
	case f.To == "":
		return ""
	case f.From == "":
		return " (version " + text.Line(f.To) + ")"
	}
	return " (version " + text.Line(f.To) + " after " + text.Line(f.From) + ")"
}

// findingText returns one line about a finding.
func findingText(f audit.Finding) string {
	return fmt.Sprintf("%s %s %s: %s%s: %s%s", f.Severity, f.Rule, f.Name, f.Object, pathText(f), f.Evidence, writerText(f.Writer))
}

// summary returns one line with the numbers of findings, objects and writes.
func (r auditResult) summary() string {
	count := map[severity.Level]int{}
	for _, f := range r.report.Findings {
		count[f.Severity]++
	}
	c := r.report.Coverage
	line := fmt.Sprintf("%s and %s in %s of %s", text.Count(count[severity.Error], "error"), text.Count(count[severity.Warning], "warning"),
		text.Count(c.Versions, "version"), text.Count(c.Objects, "object"))
	if c.Requests > 0 {
		line += fmt.Sprintf(" and %s", text.Count(c.Requests, "request"))
	}
	return line + ", in " + r.report.To.Sub(r.report.From).Round(time.Second).String()
}

// notes returns texts about gaps of the audit, and about exceptions that the user has set.
func (r auditResult) notes() (all []string) {
	c := r.report.Coverage
	note := func(n int, format string, args ...any) {
		if n > 0 {
			all = append(all, fmt.Sprintf(format, args...))
		}
	}
	note(c.Gaps, "%s: versions may be missing there", text.Count(c.Gaps, "gap"))
	note(c.Late, "%s came after newer ones and were not checked", text.Count(c.Late, "version"))
	note(c.Unreadable, "%s without a kind or a name", text.Count(c.Unreadable, "object"))
	note(c.Omitted, "%s more, at other paths", text.Count(c.Omitted, "finding"))
	note(len(r.report.Suppressed), "%s suppressed", text.Count(len(r.report.Suppressed), "finding"))
	for _, s := range r.report.Unused {
		of := strings.Join(slices.DeleteFunc([]string{s.Rule, s.Kind, s.Namespace, s.Name, s.Path}, func(part string) bool { return part == "" }), " ")
		all = append(all, text.Line(fmt.Sprintf("a suppression fits nothing: %s (%s)", of, s.Reason)))
	}
	note(len(c.NotChecked), "not checked, because a watch shows no requests, or no condition is declared: %s", strings.Join(c.NotChecked, ", "))
	return all
}

// printKinds prints a table with a row per kind: the numbers of findings, and the median and
// maximum of each measure.
func (r auditResult) printKinds(out *bufio.Writer) {
	if len(r.kinds) == 0 {
		return
	}
	table := tabwriter.NewWriter(out, 0, 0, 3, ' ', 0)
	fmt.Fprintln(table, "KIND\tERRORS\tWARNINGS\tFIRST STATUS\tREADY\tWRITES UNTIL THEN\tPER IDLE HOUR\tREQUESTS\tNO-OPS\tREFUSED")
	for _, m := range r.kinds {
		kind := status.Kind{Group: m.Group, Kind: m.Kind}
		fmt.Fprintf(table, "%s\t%d\t%d\t%s\t%s\t%s\t%s\t%d\t%d\t%d\n", kindName(kind), r.countFindings(kind, severity.Error), r.countFindings(kind, severity.Warning),
			quantilesText(m.SecondsToStatus, "s"), quantilesText(m.SecondsToReady, "s"), quantilesText(m.WritesPerConvergence, ""), quantilesText(m.WritesPerIdleHour, ""), m.Requests, m.NoOps, m.Refused)
	}
	_ = table.Flush() // cannot fail: it writes to memory
	fmt.Fprintln(out)
}

// countFindings returns the number of findings of a kind.
func (r auditResult) countFindings(kind status.Kind, level severity.Level) (n int) {
	for _, f := range r.report.Findings {
		if f.Object.Kind == kind && f.Severity == level {
			n++
		}
	}
	return n
}

// quantilesText returns the median and the maximum of a measure, or a dash without values.
func quantilesText(q audit.Quantiles, unit string) string {
	if q.N == 0 {
		return "-"
	}
	short := func(v float64) string { return strconv.FormatFloat(v, 'g', 3, 64) + unit }
	if q.P50 == q.Max {
		return short(q.Max)
	}
	return short(q.P50) + " … " + short(q.Max)
}

package move

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"kstatus.dev/clusterapi/move/plan"
	"kstatus.dev/cmd/kstatus/internal/terminal"
	"kstatus.dev/internal/text"
)

// A table prints a plan for people.
type table struct {
	terminal.Style
	wide bool // one line for each object
}

// write prints the objects of a plan with their decisions, and then the problems.
func (t table) write(out io.Writer, p *plan.Plan, problems []plan.Problem) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n", t.headline(p))
	rows := t.folded(p)
	if t.wide {
		rows = t.single(p)
	}
	for _, line := range align(rows) {
		b.WriteString(line + "\n")
	}
	t.section(&b, "Paused before the move; they stay paused:", pausedBefore(p))
	var lines []string
	for _, problem := range problems {
		lines = append(lines, problem.String())
		if problem.Accept != "" {
			lines = append(lines, "  to move in spite of it: --accept "+problem.Accept)
		}
	}
	t.section(&b, "Problems:", lines)
	_, err := io.WriteString(out, b.String())
	return err
}

// section prints a title and lines, or nothing without lines.
func (t table) section(b *strings.Builder, title string, lines []string) {
	if len(lines) == 0 {
		return
	}
	b.WriteString("\n" + title + "\n")
	for _, line := range lines {
		for _, part := range terminal.Wrap("  ", t.Text(line, 0), t.Width) {
			b.WriteString(part + "\n")
		}
	}
}

// headline returns what is moved, from where and to where.
func (t table) headline(p *plan.Plan) string {
	what := "everything of all namespaces"
	switch s := p.Scope; {
	case len(s.Clusters) > 0:
		what = text.Count(len(s.Clusters), "Cluster") + " " + strings.Join(s.Clusters, ", ")
	case s.Selector != "":
		what = "the Clusters with " + s.Selector
	case len(s.Namespaces) > 0:
		what = "everything of " + text.Plural("namespace")
		if len(s.Namespaces) == 1 {
			what = "everything of namespace"
		}
		what += " " + strings.Join(s.Namespaces, ", ")
	}
	return t.Text(fmt.Sprintf("Plan: %s, from %s to %s. %s: move %d, copy %d, keep %d, in %s.", what, p.Source, p.Target,
		text.Count(len(p.Items), "object"), p.Count(plan.Move), p.Count(plan.Copy), p.Count(plan.Exclude), text.Count(p.Steps, "step")), 0)
}

// pausedBefore returns the objects that were paused before the move.
func pausedBefore(p *plan.Plan) (names []string) {
	for _, i := range p.Items {
		if i.WasPaused && i.Decision != plan.Exclude {
			names = append(names, i.Key())
		}
	}
	return names
}

// A fold is the objects of a kind with the same decision.
type fold struct {
	decision    plan.Decision
	kind        string
	first, last int // steps
	objects     int
	reasons     []string // distinct, in the order of the plan
}

// decisions are the decisions in the order of the table.
var decisions = []plan.Decision{plan.Move, plan.Copy, plan.Exclude}

// folded returns one row for each kind and decision.
func (t table) folded(p *plan.Plan) [][]string {
	var all []*fold
	for _, i := range p.Items {
		kind := kindOf(i)
		at := slices.IndexFunc(all, func(f *fold) bool { return f.decision == i.Decision && f.kind == kind })
		if at < 0 {
			at = len(all)
			all = append(all, &fold{decision: i.Decision, kind: kind, first: i.Step, last: i.Step})
		}
		f := all[at]
		f.objects++
		f.first, f.last = min(f.first, i.Step), max(f.last, i.Step)
		if !slices.Contains(f.reasons, i.Reason) {
			f.reasons = append(f.reasons, i.Reason)
		}
	}
	slices.SortStableFunc(all, func(a, b *fold) int {
		return cmp.Or(slices.Index(decisions, a.decision)-slices.Index(decisions, b.decision), a.first-b.first, strings.Compare(a.kind, b.kind))
	})
	rows := [][]string{{"DECISION", "KIND", "OBJECTS", "STEP", "REASON"}}
	for _, f := range all {
		rows = append(rows, []string{string(f.decision), t.Text(f.kind, 0), strconv.Itoa(f.objects), steps(f.first, f.last), t.Text(f.reason(), 0)})
	}
	return rows
}

// reason returns the reason of a fold. Several reasons are counted.
func (f *fold) reason() string {
	switch n := len(f.reasons); {
	case n == 1:
		return f.reasons[0]
	default:
		return fmt.Sprintf("%s; and %s (-o wide)", f.reasons[0], text.Count(n-1, "other reason"))
	}
}

// steps returns a range of steps. Excluded objects have none.
func steps(first, last int) string {
	switch {
	case first < 0:
		return "-"
	case first == last:
		return strconv.Itoa(first)
	}
	return fmt.Sprintf("%d-%d", first, last)
}

// single returns one row for each object.
func (t table) single(p *plan.Plan) [][]string {
	rows := [][]string{{"DECISION", "STEP", "OBJECT", "CLUSTERS", "REASON"}}
	for _, d := range decisions {
		for _, i := range p.Items {
			if i.Decision == d {
				rows = append(rows, []string{string(d), steps(i.Step, i.Step), t.Text(i.Key(), 0), t.Text(cmp.Or(strings.Join(i.Clusters, ","), "-"), 0), t.Text(i.Reason, 0)})
			}
		}
	}
	return rows
}

// kindOf returns the kind of an object with its group.
func kindOf(i *plan.Item) string {
	if i.Group == "" {
		return i.Kind
	}
	return i.Kind + "." + i.Group
}

// align returns the lines of a table. The last column is as wide as its text.
func align(rows [][]string) (lines []string) {
	var widths []int
	for _, row := range rows {
		for c, cell := range row {
			if c == len(widths) {
				widths = append(widths, 0)
			}
			widths[c] = max(widths[c], ansi.StringWidthWc(cell))
		}
	}
	for _, row := range rows {
		var b strings.Builder
		for c, cell := range row {
			if c == len(row)-1 {
				b.WriteString(cell)
				continue
			}
			b.WriteString(terminal.Pad(cell, widths[c]))
		}
		lines = append(lines, strings.TrimRight(b.String(), " "))
	}
	return lines
}

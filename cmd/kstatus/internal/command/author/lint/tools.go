package lint

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"kstatus.dev/author/lint"
	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/cmd/kstatus/internal/findings"
	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/cmd/kstatus/internal/terminal"
	"kstatus.dev/internal/decoded"
	"kstatus.dev/internal/text"
)

// A verdictLine is the verdict of a tool on an object in a scenario, as a line of JSON.
type verdictLine struct {
	V       int    `json:"v"`
	Type    string `json:"type"` // "reading"
	Name    string `json:"name"`
	Version string `json:"version"`
	lint.ToolVerdict
}

// printTools prints the verdicts of each tool on each version: a row per tool, a column per
// scenario. A mark shows a wrong verdict.
func (l *command) printTools(r *findings.Run) error {
	out := bufio.NewWriter(l.env.Out)
	encode := terminal.NewEncoder(out)
	before := ""
	var shown []lint.Scenario
	samples := map[[2]string]lint.Bundle{}
	for _, o := range r.Bundle.Objects {
		kind := kindOf(o)
		samples[kind] = lint.Bundle{Objects: append(samples[kind].Objects, o)}
	}
	for _, c := range r.Bundle.CRDs() {
		types, _ := r.Options.DeclaredConditions(samples[[2]string{c.Group, c.Kind}], c)
		for _, v := range c.Versions {
			if !v.Served || !v.HasStatus() {
				continue
			}
			verdicts := lint.ToolVerdicts(v, types...)
			if l.flags.Output == "json" {
				for _, one := range verdicts {
					if err := encode.Encode(verdictLine{output.Version, "reading", c.Name, v.Name, one}); err != nil {
						return fmt.Errorf("print: %w", err)
					}
				}
				continue
			}
			fmt.Fprintf(out, "%s%s %s\n", before, text.Line(c.Name), text.Line(v.Name))
			printVerdicts(out, verdicts)
			before = "\n"
			for _, one := range verdicts {
				shown = appendNew(shown, one.Scenario)
			}
		}
	}
	printLegend(out, shown)
	if err := out.Flush(); err != nil {
		return fmt.Errorf("print: %w", err)
	}
	if len(r.Unread) > 0 {
		return exit.With(exit.Uncertain)
	}
	return nil
}

// kindOf returns the group and the kind of an object.
func kindOf(o map[string]any) [2]string {
	group, _, _ := strings.Cut(decoded.Text(o, "apiVersion"), "/")
	return [2]string{group, decoded.Text(o, "kind")}
}

// toolTitles are the names of tools in a table, if they differ from the names in JSON.
var toolTitles = map[string]string{cliUtilsTool: "cli-utils (Helm 4, Flux)"}

// cliUtilsTool is the name of cli-utils in JSON.
const cliUtilsTool = "kstatus (cli-utils)"

// printLegend prints what the mark and the columns mean.
func printLegend(out io.Writer, shown []lint.Scenario) {
	if len(shown) == 0 {
		return
	}
	fmt.Fprint(out, "\n✗ wrong: a wait with this tool ends too early, or never ends although the object is ready\n")
	for _, s := range lint.Scenarios() {
		if slices.Contains(shown, s) {
			fmt.Fprintf(out, "%-14s  %s\n", strings.ToUpper(s.Name), s.Doc)
		}
	}
}

// printVerdicts prints a table, and below it why tools are wrong and what would help.
func printVerdicts(out io.Writer, verdicts []lint.ToolVerdict) {
	var scenarios, tools []string
	cells := map[[2]string]string{}
	for _, one := range verdicts {
		tools, scenarios = appendNew(tools, one.Tool), appendNew(scenarios, one.Scenario.Name)
		text := one.Output
		if !one.Correct {
			text += " ✗"
		}
		cells[[2]string{one.Tool, one.Scenario.Name}] = text
	}
	rows := [][]string{append([]string{"TOOL"}, upper(scenarios)...)}
	for _, tool := range tools {
		row := []string{cmp.Or(toolTitles[tool], tool)}
		for _, s := range scenarios {
			row = append(row, cells[[2]string{tool, s}])
		}
		rows = append(rows, row)
	}
	printColumns(out, rows)
	if states := statesOf(verdicts); len(states) > 0 {
		fmt.Fprintln(out, text.Line("States, guessed from the schema: "+strings.Join(states, ", ")))
	}
	for _, m := range mistakesOf(verdicts) {
		m.print(out)
	}
}

// A mistake is a reason for which tools are wrong, each in the same scenarios.
type mistake struct {
	why       string
	tools     []string
	scenarios []string
	advice    [][2]string // scenario and advice
}

// mistakesOf returns the reasons of wrong verdicts. Tools that are wrong in the same scenarios for
// the same reason share one.
func mistakesOf(verdicts []lint.ToolVerdict) (all []mistake) {
	byTool := []mistake{}
	for _, one := range verdicts {
		if one.Correct {
			continue
		}
		tool := one.Tool
		if tool == cliUtilsTool {
			tool = "cli-utils"
		}
		_, why, read := strings.Cut(one.Why, "cli-utils returns Current: ") // Helm and Flux use cli-utils
		if !read {
			why = one.Why
		}
		i := slices.IndexFunc(byTool, func(m mistake) bool { return m.tools[0] == tool && m.why == why })
		if i < 0 {
			i = len(byTool)
			byTool = append(byTool, mistake{why: why, tools: []string{tool}})
		}
		m := &byTool[i]
		m.scenarios = append(m.scenarios, one.Scenario.Name)
		if one.Advice != "" {
			m.advice = append(m.advice, [2]string{one.Scenario.Name, one.Advice})
		}
	}
	for _, m := range byTool {
		i := slices.IndexFunc(all, func(o mistake) bool { return o.why == m.why && slices.Equal(o.scenarios, m.scenarios) })
		if i < 0 {
			all = append(all, m)
			continue
		}
		all[i].tools = append(all[i].tools, m.tools...)
		for _, a := range m.advice {
			if !slices.Contains(all[i].advice, a) {
				all[i].advice = append(all[i].advice, a)
			}
		}
	}
	return all
}

// print prints the reason, and the advice below it. The advice names its scenario if the advice
// for another scenario differs.
func (m mistake) print(out io.Writer) {
	fmt.Fprintln(out, text.Line("✗ "+strings.Join(m.tools, ", ")+" in "+strings.Join(m.scenarios, ", ")+": "+m.why))
	var texts []string
	for _, a := range m.advice {
		texts = appendNew(texts, a[1])
	}
	if len(texts) == 1 {
		fmt.Fprintln(out, text.Line("    remedy: "+texts[0]))
		return
	}
	for _, a := range m.advice {
		fmt.Fprintln(out, text.Line("    remedy in "+a[0]+": "+a[1]))
	}
}

// statesOf returns the words for the state of the object in each scenario, if the kind has no
// other status.
func statesOf(verdicts []lint.ToolVerdict) (all []string) {
	for _, v := range verdicts {
		state := decoded.Map(v.Object, "status")
		if _, has := state["conditions"]; has {
			continue
		}
		for _, field := range []string{"phase", "state"} {
			if word := decoded.Text(state, field); word != "" {
				all = appendNew(all, fmt.Sprintf("%s %s in %s", field, word, v.Scenario.Name))
			}
		}
	}
	return all
}

// printColumns prints rows of cells, each column as wide as its widest cell.
func printColumns(out io.Writer, rows [][]string) {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			row[i] = text.Line(cell)
			widths[i] = max(widths[i], len([]rune(row[i])))
		}
	}
	for _, row := range rows {
		var line strings.Builder
		for i, cell := range row {
			line.WriteString(cell + strings.Repeat(" ", widths[i]-len([]rune(cell))+2))
		}
		fmt.Fprintln(out, strings.TrimRight(line.String(), " "))
	}
}

func upper(all []string) []string {
	raised := make([]string, len(all))
	for i, s := range all {
		raised[i] = strings.ToUpper(s)
	}
	return raised
}

func appendNew[T comparable](all []T, v T) []T {
	if slices.Contains(all, v) {
		return all
	}
	return append(all, v)
}

package gallery

import (
	"fmt"
	"slices"
	"strings"

	"kstatus.dev/report"
)

// Verdicts returns a line for each object of a situation that did not reach its goals. A line
// contains the situation, the kind of the object and the reason of its verdict. The kinds of its
// first cause, and of the objects between them, follow. Equal lines are merged.
func Verdicts(s *Situation, run *report.Run) (lines []string) {
	for _, o := range run.Objects {
		for _, c := range run.Causes {
			if !slices.Contains(c.Blocks, o.ID) {
				continue
			}
			line := fmt.Sprintf("%s/%s: %s %s, %s", s.Family, s.Name, o.ID.Kind.Kind, o.Reason, c.Kind)
			for _, step := range c.Chain[1:] {
				line += " " + step.ID.Kind.Kind
			}
			lines = append(lines, line)
			break
		}
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}

// VerdictsFile returns the lines of all situations as a file, in order.
func VerdictsFile(all [][]string) string {
	var out strings.Builder
	out.WriteString("# Written by make gallery: situation: kind of the object, reason of its verdict, first cause, objects below\n")
	for _, lines := range all {
		for _, line := range lines {
			out.WriteString(line + "\n")
		}
	}
	return out.String()
}

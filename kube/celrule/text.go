package celrule

import (
	"strings"

	"kstatus.dev/kube/celrule/internal/expression"
)

// String returns the rule as YAML, one line per key, in the order of evaluation.
func (r *Rule) String() string {
	var b strings.Builder
	line := func(key, value string) {
		if value != "" {
			b.WriteString(key + ": " + strings.Join(strings.Fields(value), " ") + "\n")
		}
	}
	line("generation", r.generation)
	for _, x := range []*expression.Expression{r.inProgress, r.failed, r.current, r.messageExpression} {
		if x != nil {
			line(x.Name, x.Text)
		}
	}
	line("message", r.message)
	if r.terminal {
		line("terminal", "true")
	}
	if r.err != nil {
		for problem := range strings.Lines(r.err.Error()) {
			line("error", strings.Replace(problem, r.Source+":", "rule:", 1))
		}
	}
	return b.String()
}

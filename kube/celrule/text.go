package celrule

import "strings"

// String returns the rule in its own words, a line for each key that it has, in
// the order in which they count.
func (r *Rule) String() string {
	var b strings.Builder
	line := func(key, value string) {
		if value != "" {
			b.WriteString(key + ": " + strings.Join(strings.Fields(value), " ") + "\n")
		}
	}
	line("generation", r.generation)
	for _, x := range []*expression{r.inProgress, r.failed, r.current, r.messageExpression} {
		if x != nil {
			line(x.name, x.text)
		}
	}
	line("message", r.message)
	if r.terminal {
		line("terminal", "true")
	}
	if r.wrong != nil {
		line("error", r.wrong.Error())
	}
	return b.String()
}

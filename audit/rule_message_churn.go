package audit

import (
	"fmt"
	"slices"
	"strings"

	"kstatus.dev/severity"
)

var messageChurn = &Rule{
	ID: "W-27", Name: "message-churn", Severity: severity.Warning,
	Doc: `A message is the same as long as what it tells is the same

Three times (Limits.MinRepeats) a write changed nothing but messages, and those only
in words that differ from pass to pass: a timestamp, a duration, a counter of
attempts, a uuid or request id, the port of a connection, a pointer, or the order
of the same words. Each such write wakes everyone who watches, the controller
included. Leave those words out, sort what comes out of a map, and log the rest.
Numbers that tell of progress, such as "3 of 5", are news.`,
	OnChange: func(p *Pass) {
		var churn []Change
		for _, c := range p.Changes() {
			isCondition := strings.HasPrefix(c.Path, ".status.conditions[")
			switch {
			case isCondition && strings.HasSuffix(c.Path, ".message"):
				churn = append(churn, c)
			case isCondition && strings.HasSuffix(c.Path, ".lastTransitionTime"):
			default:
				return
			}
		}
		for _, c := range churn {
			countChurn(p, c)
		}
	},
}

// A churning counts the changes of a message in a row that told nothing.
type churning struct {
	path string
	n    int
}

func countChurn(p *Pass, c Change) {
	all, words := State[[]churning](p), churnOf(c)
	i := slices.IndexFunc(*all, func(m churning) bool { return m.path == c.Path })
	if i < 0 && len(words) > 0 && len(*all) < mostWriterCounts {
		i = len(*all)
		*all = append(*all, churning{path: c.Path})
	}
	if i < 0 {
		return
	}
	m := &(*all)[i]
	if m.n++; len(words) == 0 {
		m.n = 0
	}
	if m.n < p.Options.MinRepeats {
		return
	}
	var classes, told []string
	for _, w := range words {
		if !slices.Contains(classes, w.class) {
			classes = append(classes, w.class)
			told = append(told, fmt.Sprintf("%q became %q", w.old, w.new))
		}
	}
	p.Report(c.Path, "changed %d times in nothing but %s: %s", m.n, strings.Join(classes, ", "), strings.Join(told, ", "))
}

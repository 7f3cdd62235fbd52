package audit

import (
	"fmt"
	"slices"
	"strings"

	"kstatus.dev/author/severity"
)

var messageChurn = &Rule{
	ID: "W-27", Name: "message-churn", Severity: severity.Warning,
	Doc: `A message changes only if its information changes

A violation is Limits.MinRepeats writes that change nothing but messages, and those
only in words that differ in every reconcile. Such words are a timestamp, a duration,
a counter of attempts, a UUID or request ID, the port of a connection, or a pointer.
Words in another order count too. Each such write triggers every watch, including the
controller's own. Leave those words out, sort the keys of a map, and log the rest.
Numbers that show progress, such as "3 of 5", are information.`,
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
			countMessageChange(p, c)
		}
	},
}

// messageRepeats counts the consecutive changes of a message without new
// information.
type messageRepeats struct {
	path string
	n    int
}

func countMessageChange(p *Pass, c Change) {
	all, words := State[[]messageRepeats](p), volatileWords(c)
	i := slices.IndexFunc(*all, func(m messageRepeats) bool { return m.path == c.Path })
	if i < 0 && len(words) > 0 && len(*all) < maxWriterCounts {
		i = len(*all)
		*all = append(*all, messageRepeats{path: c.Path})
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
	var classes, reported []string
	for _, w := range words {
		if !slices.Contains(classes, w.class) {
			classes = append(classes, w.class)
			reported = append(reported, fmt.Sprintf("%q became %q", w.old, w.new))
		}
	}
	p.Report(c.Path, "changed %d times in nothing but %s: %s", m.n, strings.Join(classes, ", "), strings.Join(reported, ", "))
}

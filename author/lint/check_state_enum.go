package lint

import (
	"kstatus.dev/author/severity"
	"kstatus.dev/internal/decoded"
)

var stateEnum = &Check{
	ID: "L-25", Name: "state-enum", Severity: severity.Info,
	Doc: `a state word is one of a known list

Without a list of its values, only the author of a phase or a state knows its meaning.
Is Ready good, is Bound final, does Terminated come back? The conventions of the
Kubernetes API advise against such fields, and for conditions.

Fix: conditions; else an enum of all values. Only the author knows them, so the check
has no fix.`,
	Version: func(p *Pass, v Version) {
		for _, name := range []string{"phase", "state"} {
			field := v.Status().Property(name)
			if field.Type() != "string" {
				continue
			}
			if len(decoded.List(field.Node, "enum")) == 0 {
				p.Report(Finding{
					Path:       field.Path,
					Message:    name + " may be any text, and the schema does not list its values",
					Suggestion: "an enum of all values; better, conditions",
				})
			}
		}
	},
}

package lint

import "kstatus.dev/severity"

var stateEnum = &Check{
	ID: "L-25", Name: "state-enum", Severity: severity.Info,
	Doc: `a word for the state is one of a known list

A phase or a state without a list of its words cannot be read by anybody but its
author: is Ready good, is Bound the end, will Terminated come back? The conventions
of the Kubernetes API advise against such words, and for conditions.

Repair: conditions; else an enum of all words. Only its author knows them, so that
there is no fix.`,
	Version: func(p *Pass, v Version) {
		for _, name := range []string{"phase", "state"} {
			field := v.Status().Property(name)
			if field.Type() != "string" {
				continue
			}
			if list, _ := field.Node["enum"].([]any); len(list) == 0 {
				p.Report(Finding{
					Path:       field.Path,
					Message:    name + " may be any word, and none is explained",
					Suggestion: "enum: all words; better, conditions",
				})
			}
		}
	},
}

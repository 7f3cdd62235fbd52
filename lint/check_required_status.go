package lint

import (
	"strings"

	"kstatus.dev/severity"
)

var requiredStatus = &Check{
	ID: "L-26", Name: "required-status", Severity: severity.Warning,
	Doc: `no field of the status is required

A status is written bit by bit, by several writers: who has nothing to say about a
required field has to make a value up, or is refused. A default of {} for the status,
which closes the creation race, is not valid where a field without a default is
required.

Repair: no required fields directly in the status; where Go types make the definition,
omitempty and +optional on each. Clients that were generated from the old schema may
count on the fields, which is why the fix has to be agreed to.`,
	Version: func(p *Pass, v Version) {
		s := v.Status()
		names := texts(s.Node["required"])
		if len(names) == 0 {
			return
		}
		p.Report(Finding{
			Path:       s.Path.With("required"),
			Message:    "no status without " + strings.Join(bounded(names), ", ") + " can be written",
			Suggestion: "no required fields in the status",
			Fix:        &Fix{Edits: []Edit{{OpRemove, s.Path.With("required"), nil}}, Unsafe: true, Note: "clients may count on fields that are required now"},
		})
	},
}

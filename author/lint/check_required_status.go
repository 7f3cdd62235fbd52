package lint

import (
	"strings"

	"kstatus.dev/author/severity"
)

var requiredStatus = &Check{
	ID: "L-26", Name: "required-status", Severity: severity.Warning,
	Doc: `no field of the status is required

Several writers fill a status step by step. A writer without a value for a required
field has to invent one, or its write is rejected. The default {} for the status, which
closes the creation race, is invalid if a field without a default is required.

Fix: no required fields directly in the status, or omitempty and +optional on each
in Go types. Clients that were generated from the old schema may expect the fields, so
the fix is unsafe.`,
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
			Fix:        &Fix{Edits: []Edit{{OpRemove, s.Path.With("required"), nil}}, Unsafe: true, Risk: "clients may expect these fields", Note: "clients may expect fields that are required now"},
		})
	},
}

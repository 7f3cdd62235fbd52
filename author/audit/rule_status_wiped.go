package audit

import (
	"strings"

	"kstatus.dev/author/severity"
)

var statusWiped = &Rule{
	ID: "W-41", Name: "status-wiped", Severity: severity.Warning,
	Doc: `A controller does not remove most of its own status

A write that removes half of the status comes from a controller that began with an
empty struct and stopped early. Or the controller sent the object as it had created
it. Readers lose information, and waits start again. Begin with the status that was
read, and change only the fields that differ. A violation is a write of the status writer
that removes at least half of the texts, and at least four, at one generation.
Conditions count only if all of them disappear. Numbers and booleans may be zero, and
items of lists may be gone, so they do not count. A removal by another manager, such
as a restore, is allowed.`,
	OnChange: func(p *Pass) {
		if !p.New.StatusWrite || !p.BySameWriter() || p.New.Observed > p.Old.Observed || !p.New.Deleting.IsZero() {
			return
		}
		lost, mayLose := 0, len(p.Old.Conditions) > 0 && len(p.New.Conditions) == 0
		for _, c := range p.Changes() {
			name := strings.TrimPrefix(c.Path, ".status.")
			switch {
			case c.New != nil || c.Path == name || strings.Contains(name, "[") && !mayLose:
			case strings.HasPrefix(name, "conditions") && !mayLose:
			default:
				lost += texts(c.Old, mayLose)
			}
		}
		if lost < minLost {
			return
		}
		had := 0
		for name, of := range p.Old.Status() {
			if name != "conditions" || mayLose {
				had += texts(of, name == "conditions")
			}
		}
		if 2*lost >= had {
			p.Report(".status", "%d of %d texts were removed", lost, had)
		}
	},
}

// minLost is the smallest number of removed texts that is reported.
const minLost = 4

// texts counts the strings in a value, and those in lists only if lists is set.
func texts(v any, lists bool) (n int) {
	switch v := v.(type) {
	case string:
		if v != "" {
			n = 1
		}
	case map[string]any:
		for _, below := range v {
			n += texts(below, lists)
		}
	case []any:
		for _, item := range v {
			if lists {
				n += texts(item, lists)
			}
		}
	}
	return n
}

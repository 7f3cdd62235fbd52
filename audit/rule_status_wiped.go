package audit

import (
	"strings"

	"kstatus.dev/severity"
)

var statusWiped = &Rule{
	ID: "W-41", Name: "status-wiped", Severity: severity.Warning,
	Doc: `A controller does not throw away its own status

Half of the status gone in one write is a controller that began with an empty
struct and stopped early, or that sent the object as it had created it: readers
lose what they knew, and whoever waits begins anew. Start from the status that was
read and change what changed. Told is a write of the keeper that takes away at
least half of the texts, at least four, while the generation stays; conditions
count only if all of them go. Numbers and booleans that are left out may
be zero, and items of lists may be gone, so these do not count. A status that
others wipe, as a restore does, is let pass.`,
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
		if lost < fewestLost {
			return
		}
		had := 0
		for name, of := range p.Old.Status() {
			if name != "conditions" || mayLose {
				had += texts(of, name == "conditions")
			}
		}
		if 2*lost >= had {
			p.Report(".status", "%d of %d texts are gone", lost, had)
		}
	},
}

// fewestLost is how many texts are more than a detail.
const fewestLost = 4

// texts counts the texts in a value, those in lists only if these are meant.
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

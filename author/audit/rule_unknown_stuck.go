package audit

import "kstatus.dev/author/severity"

var unknownStuck = &Rule{
	ID: "W-45", Name: "unknown-stuck", Severity: severity.Warning,
	Doc: `A condition that begins as Unknown gets a result

In the first reconcile, Unknown means: not evaluated yet. If the summary becomes True
and the condition remains Unknown, no code path writes it. If the summary itself
remains Unknown, the controller has no result. Write every declared condition on
every path. A violation is a condition that was Unknown when first seen, and still
has the same reason. It is reported ten times Limits.ResponseTime after the summary
became True, or for the summary itself after the last write of the status. Paused
objects and kinds of Kubernetes itself do not count.`,
	OnVersion: func(p *Pass) {
		recordUnknown(p)
		stuck := stuckConditions(p)
		if stuck != nil && p.Old != nil && p.New.StatusWrite && stuck[0] == "" {
			p.AfterHolding(false, 0)
		}
		p.AfterHolding(stuck != nil, 10*p.Options.ResponseTime)
	},
	OnPause: func(p *Pass) { p.AfterHolding(stuckConditions(p) != nil, 10*p.Options.ResponseTime) },
	OnTimer: func(p *Pass) {
		for _, t := range stuckConditions(p) {
			if c, ok := p.New.Condition(t); ok {
				p.Report(c.Path("status"), "Unknown %s since it was first seen, for more than %s", c.Reason, 10*p.Options.ResponseTime)
			}
		}
	},
}

// unknownReasons holds the reasons of conditions that have been Unknown since they
// were first seen.
type unknownReasons map[string]string

func recordUnknown(p *Pass) {
	known := existingState[unknownReasons](p)
	for _, c := range p.New.Conditions {
		before := false
		if p.Old != nil {
			_, before = p.Old.Condition(c.Type)
		}
		switch {
		case !before && c.Status == "Unknown" && (known == nil || len(*known) < maxWriterCounts):
			if known == nil {
				known = State[unknownReasons](p)
			}
			if *known == nil {
				*known = unknownReasons{}
			}
			(*known)[c.Type] = c.Reason
		case known != nil && (c.Status != "Unknown" || (*known)[c.Type] != c.Reason):
			delete(*known, c.Type)
		}
	}
}

// stuckConditions returns the types that should have a result by now. The first
// one is empty for the summary itself.
func stuckConditions(p *Pass) (stuck []string) {
	known := existingState[unknownReasons](p)
	if known == nil || len(*known) == 0 || isBuiltinKind(p.New.ID) || p.PausedBy() != "" || !p.New.Deleting.IsZero() {
		return nil
	}
	summary, ok := p.New.Summary()
	if _, itself := (*known)[summary.Type]; ok && itself {
		return []string{"", summary.Type}
	}
	if !ok || summary.Status != "True" {
		return nil
	}
	for _, c := range p.New.Conditions {
		if _, open := (*known)[c.Type]; open {
			stuck = append(stuck, c.Type)
		}
	}
	return stuck
}

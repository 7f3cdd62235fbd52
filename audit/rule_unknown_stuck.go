package audit

import "kstatus.dev/severity"

var unknownStuck = &Rule{
	ID: "W-45", Name: "unknown-stuck", Severity: severity.Warning,
	Doc: `A condition that begins as Unknown is decided one day

Unknown on the first visit says: not looked at yet. If the summary has long become
True and the condition still says so, no code path ever writes it; if it is the
summary itself and the status stands still, the controller has come to no answer.
Write every condition that is declared, on every path. Told is one that was Unknown
when it was first seen and has the same reason still, ten times Limits.ResponseTime after the
summary became True, or after the last write of the status if it is the summary.
Paused objects and kinds of Kubernetes itself are let pass.`,
	OnVersion: func(p *Pass) {
		noteUnknown(p)
		stuck := stuckConditions(p)
		if stuck != nil && p.Old != nil && p.New.StatusWrite && stuck[0] == "" {
			p.AfterHolding(false, 0)
		}
		p.AfterHolding(stuck != nil, 10*p.Options.ResponseTime)
	},
	OnPause: func(p *Pass) { p.AfterHolding(stuckConditions(p) != nil, 10*p.Options.ResponseTime) },
	OnTimer: func(p *Pass) {
		for _, t := range stuckConditions(p) {
			if c, there := p.New.Condition(t); there {
				p.Report(c.Path("status"), "Unknown %s since it was first seen, for more than %s", c.Reason, 10*p.Options.ResponseTime)
			}
		}
	},
}

// undecided holds the reasons of conditions that were Unknown when they were
// first seen and have been so since.
type undecided map[string]string

func noteUnknown(p *Pass) {
	known := remembered[undecided](p)
	for _, c := range p.New.Conditions {
		before := false
		if p.Old != nil {
			_, before = p.Old.Condition(c.Type)
		}
		switch {
		case !before && c.Status == "Unknown" && (known == nil || len(*known) < mostWriterCounts):
			if known == nil {
				known = State[undecided](p)
			}
			if *known == nil {
				*known = undecided{}
			}
			(*known)[c.Type] = c.Reason
		case known != nil && (c.Status != "Unknown" || (*known)[c.Type] != c.Reason):
			delete(*known, c.Type)
		}
	}
}

// stuckConditions returns the types that should have been decided by now; the
// first is empty if it is the summary that is not.
func stuckConditions(p *Pass) (stuck []string) {
	known := remembered[undecided](p)
	if known == nil || len(*known) == 0 || native(p.New.ID) || p.PausedBy() != "" || !p.New.Deleting.IsZero() {
		return nil
	}
	summary, there := p.New.Summary()
	if _, itself := (*known)[summary.Type]; there && itself {
		return []string{"", summary.Type}
	}
	if !there || summary.Status != "True" {
		return nil
	}
	for _, c := range p.New.Conditions {
		if _, open := (*known)[c.Type]; open {
			stuck = append(stuck, c.Type)
		}
	}
	return stuck
}

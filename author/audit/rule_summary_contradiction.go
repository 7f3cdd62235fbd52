package audit

import "kstatus.dev/author/severity"

var summaryContradiction = &Rule{
	ID: "W-37", Name: "summary-contradiction", Severity: severity.Warning, NeedsDeclaration: true,
	Doc: `The summary is not True while one of its parts is not good

Ready means that every part of it is good. If a part fails, and an early return
leaves Ready unchanged, clients that read only Ready continue. Compute the summary
from the parts at the end of every reconcile, also after an error, and write both at
once. The rule needs declared conditions. The parts are the conditions that are
neither a summary nor declared aside. Good is True, or False for a negative
condition. A violation is a state that lasts longer than Limits.GracePeriod, or than
Limits.ResponseTime if another manager writes the part.`,
	OnVersion: func(p *Pass) {
		d := p.Declaration()
		if d == nil {
			return
		}
		summary, part := contradiction(p, d)
		delay := p.Options.GracePeriod
		if part != nil && (p.New.Existing || p.StatusWriter(part.Type) != p.StatusWriter(summary.Type)) {
			delay = p.Options.ResponseTime
		}
		p.AfterHolding(part != nil, delay)
	},
	OnTimer: func(p *Pass) {
		if summary, part := contradiction(p, p.Declaration()); part != nil {
			p.Report(summary.Path("status"), "True, while %s is %s %s", part.Type, part.Status, part.Reason)
		}
	},
}

// contradiction returns a summary that is True, and the first of its parts that
// is not good. part is nil if there is none.
func contradiction(p *Pass, d *Declaration) (summary Condition, part *Condition) {
	for _, s := range d.Conditions {
		if c, ok := p.New.Condition(s.Type); ok && s.Summary && c.Status == "True" {
			summary = c
		}
	}
	if summary.Type == "" {
		return summary, nil
	}
	for _, other := range d.Conditions {
		c, ok := p.New.Condition(other.Type)
		good := "True"
		if other.Negative {
			good = "False"
		}
		if ok && !other.Summary && !other.Aside && other.Type != "Paused" && c.Status != good {
			return summary, &c
		}
	}
	return summary, nil
}

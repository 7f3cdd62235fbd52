package audit

import "kstatus.dev/severity"

var summaryContradiction = &Rule{
	ID: "W-37", Name: "summary-contradiction", Severity: severity.Warning, NeedsDeclaration: true,
	Doc: `The summary is not True while one of its parts is not good

Ready means that all is well that it sums up. If a part fails and an early return
leaves Ready as it was, everybody who reads only Ready goes on. Compute the summary
from the parts at the end of every pass, on the way of errors too, and write both
at once. It needs declared conditions: a part is each that is neither a summary nor
aside from it; good is True, or False of a negative one. Told is what lasts longer
than Limits.GracePeriod, or than Limits.ResponseTime where another manager keeps the part.`,
	OnVersion: func(l *Pass) {
		d := l.Declaration()
		if d == nil {
			return
		}
		summary, part := contradiction(l, d)
		patience := l.Options.GracePeriod
		if part != nil && (l.New.Existing || l.StatusWriter(part.Type) != l.StatusWriter(summary.Type)) {
			patience = l.Options.ResponseTime
		}
		l.AfterHolding(part != nil, patience)
	},
	OnTimer: func(l *Pass) {
		if summary, part := contradiction(l, l.Declaration()); part != nil {
			l.Report(summary.Path("status"), "True, while %s is %s %s", part.Type, part.Status, part.Reason)
		}
	},
}

// contradiction returns a summary that is True and the first part of it that is
// not good; nil if there is none.
func contradiction(l *Pass, d *Declaration) (summary Condition, part *Condition) {
	for _, s := range d.Conditions {
		if c, there := l.New.Condition(s.Type); there && s.Summary && c.Status == "True" {
			summary = c
		}
	}
	if summary.Type == "" {
		return summary, nil
	}
	for _, p := range d.Conditions {
		c, there := l.New.Condition(p.Type)
		good := "True"
		if p.Negative {
			good = "False"
		}
		if there && !p.Summary && !p.Aside && p.Type != "Paused" && c.Status != good {
			return summary, &c
		}
	}
	return summary, nil
}

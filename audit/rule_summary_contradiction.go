package audit

var summaryContradiction = &Rule{
	ID: "W-37", Name: "summary-contradiction", Severity: Warning, Declared: true,
	Doc: `The summary is not True while one of its parts is not good

Ready means that all is well that it sums up. If a part fails and an early return
leaves Ready as it was, everybody who reads only Ready goes on. Compute the summary
from the parts at the end of every pass, on the way of errors too, and write both
at once. It needs declared conditions: a part is each that is neither a summary nor
aside from it; good is True, or False of a negative one. Told is what lasts longer
than Limits.Grace, or than Limits.Slow where another manager keeps the part.`,
	Version: func(l *Look) {
		d := l.Declared()
		if d == nil {
			return
		}
		summary, part := contradiction(l, d)
		patience := l.Options.Grace
		if part != nil && (l.New.Existing || l.Keeper(part.Type) != l.Keeper(summary.Type)) {
			patience = l.Options.Slow
		}
		l.While(part != nil, patience)
	},
	Woken: func(l *Look) {
		if summary, part := contradiction(l, l.Declared()); part != nil {
			l.Report(summary.Path("status"), "True, while %s is %s %s", part.Type, part.Status, part.Reason)
		}
	},
}

// contradiction returns a summary that is True and the first part of it that is
// not good; nil if there is none.
func contradiction(l *Look, d *Declared) (summary Condition, part *Condition) {
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

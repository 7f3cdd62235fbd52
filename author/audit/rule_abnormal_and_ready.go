package audit

import "kstatus.dev/author/severity"

var abnormalAndReady = &Rule{
	ID: "W-46", Name: "abnormal-and-ready", Severity: severity.Warning,
	Doc: `At most one of Ready, Reconciling and Stalled is True

Ready means done, Reconciling in progress, and Stalled stuck. If two of them are
True, tools that read different conditions report different states of one object. In
the write that makes Ready True, remove Reconciling and Stalled, or set them to
False. A violation is a state that lasts longer than Limits.GracePeriod.`,
	OnVersion: func(p *Pass) {
		_, _, both := contradictingConditions(p.New)
		p.AfterHolding(both, p.Options.GracePeriod)
	},
	OnTimer: func(p *Pass) {
		if a, b, both := contradictingConditions(p.New); both {
			p.Report(a.Path("status"), "True %s, and so is %s: %s", a.Reason, b.Type, b.Reason)
		}
	},
}

// contradictingConditions returns the first two of these conditions that are True together.
func contradictingConditions(v *Version) (first, second Condition, both bool) {
	for _, t := range [...]string{"Stalled", "Reconciling", "Ready"} {
		c, ok := v.Condition(t)
		switch {
		case !ok || c.Status != "True":
		case first.Type == "":
			first = c
		default:
			return first, c, true
		}
	}
	return first, second, false
}

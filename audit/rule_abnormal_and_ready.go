package audit

import "kstatus.dev/severity"

var abnormalAndReady = &Rule{
	ID: "W-46", Name: "abnormal-and-ready", Severity: severity.Warning,
	Doc: `Of Ready, Reconciling and Stalled at most one is True

Ready says that it is done, Reconciling that it is on the way, Stalled that it does
not get on: tools that read the one and tools that read the other tell different
things of the same object. Take Reconciling and Stalled away, or set them to False,
in the write that makes Ready True. Told is what lasts longer than Limits.GracePeriod.`,
	OnVersion: func(p *Pass) {
		_, _, both := contrary(p.New)
		p.AfterHolding(both, p.Options.GracePeriod)
	},
	OnTimer: func(p *Pass) {
		if a, b, both := contrary(p.New); both {
			p.Report(a.Path("status"), "True %s, and so is %s: %s", a.Reason, b.Type, b.Reason)
		}
	},
}

// contrary returns the first two that are True of those of which one may be.
func contrary(v *Version) (first, second Condition, both bool) {
	for _, t := range [...]string{"Stalled", "Reconciling", "Ready"} {
		c, there := v.Condition(t)
		switch {
		case !there || c.Status != "True":
		case first.Type == "":
			first = c
		default:
			return first, c, true
		}
	}
	return first, second, false
}

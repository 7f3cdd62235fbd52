package audit

import (
	"time"

	"kstatus.dev/author/severity"
)

var transitionTimeMoved = &Rule{
	ID: "W-12", Name: "transition-time-moved", Severity: severity.Error,
	Doc: `A condition's lastTransitionTime changes only if its status changes

Clients compute with it, for example how long a machine has been unhealthy or ready.
If the time changes with the message, or in each reconcile, those durations never
grow. Compare with the status that was read, not with a status set earlier in the
same reconcile.`,
	OnChange: func(p *Pass) {
		p.eachPair(func(was, is Condition) {
			before, now := transitionTime(was), transitionTime(is)
			if was.Status == is.Status && !before.IsZero() && now.After(before) {
				p.Report(is.Path("lastTransitionTime"), "moved from %s to %s, while the status stayed %s", was.Since, is.Since, is.Status)
			}
		})
	},
}

var transitionTimeKept = &Rule{
	ID: "W-13", Name: "transition-time-kept", Severity: severity.Error,
	Doc: `A condition's lastTransitionTime changes when its status changes

Clients compute with it: a timeout that counts from an old transition expires as soon
as the status changes. Set it to the present time whenever the status differs from
the status that was read. A change within the same second needs no new time.`,
	OnChange: func(p *Pass) {
		p.eachPair(func(was, is Condition) {
			at := transitionTime(is)
			if was.Status != is.Status && !at.IsZero() && at.Equal(transitionTime(was)) && p.New.seenAt.Sub(at) > time.Second+p.Options.GracePeriod {
				p.Report(is.Path("lastTransitionTime"), "stayed %s, while the status went from %s to %s %s later", is.Since, was.Status, is.Status, p.New.seenAt.Sub(at))
			}
		})
	},
}

var transitionTimeWrong = &Rule{
	ID: "W-14", Name: "transition-time-wrong", Severity: severity.Warning,
	Doc: `A condition has a lastTransitionTime, which neither goes back nor is in the future

If the time is missing or zero, every wait that counts from it ends at once. If it is
in the future, the wait never ends. Clocks may differ by Limits.ClockSkew. A
condition that mirrors another cluster may use the clock of that cluster.`,
	OnVersion: func(p *Pass) {
		for _, c := range p.New.Conditions {
			if c.Type == "" || !isNewOrChanged(p, c) {
				continue
			}
			at := transitionTime(c)
			switch {
			case c.Since == "":
				p.Report(c.Path("lastTransitionTime"), "is missing")
			case at.IsZero() || at.Unix() == 0:
				p.Report(c.Path("lastTransitionTime"), "is %q", c.Since)
			case at.Sub(p.New.seenAt) > p.Options.ClockSkew:
				p.Report(c.Path("lastTransitionTime"), "is %s, %s ahead of the clock", c.Since, at.Sub(p.New.seenAt))
			}
		}
	},
	OnChange: func(p *Pass) {
		p.eachPair(func(was, is Condition) {
			if at := transitionTime(is); at.Unix() > 0 && at.Before(transitionTime(was)) {
				p.Report(is.Path("lastTransitionTime"), "went back from %s to %s", was.Since, is.Since)
			}
		})
	},
}

// transitionTime parses the lastTransitionTime of a condition. It returns the zero
// time if there is none.
func transitionTime(c Condition) time.Time {
	at, _ := time.Parse(time.RFC3339, c.Since)
	return at
}

// eachPair calls f once for each condition that both versions have.
func (p *Pass) eachPair(f func(was, is Condition)) {
	if len(duplicates(p.New)) > 0 || len(duplicates(p.Old)) > 0 {
		return
	}
	for _, is := range p.New.Conditions {
		if was, ok := p.Old.Condition(is.Type); ok && is.Type != "" {
			f(was, is)
		}
	}
}

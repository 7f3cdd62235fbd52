package audit

import (
	"time"

	"kstatus.dev/severity"
)

var observedAhead = &Rule{
	ID: "W-02", Name: "observed-ahead", Severity: severity.Error,
	Doc: `status.observedGeneration is never ahead of metadata.generation

A status cannot speak for a spec that does not exist yet. A reader that compares
the two takes such an object for observed through all generations until that one
comes. Write the generation that was read together with the object; do not count.`,
	OnVersion: func(p *Pass) {
		if v := p.New; v.Generation > 0 && v.Observed > v.Generation && (p.Old == nil || p.Old.Observed != v.Observed) {
			p.Report(".status.observedGeneration", "is %d at generation %d", v.Observed, v.Generation)
		}
	},
}

var neverObserved = &Rule{
	ID: "W-05", Name: "never-observed", Severity: severity.Error,
	Doc: `Whoever writes a status says for which generation it speaks

Without status.observedGeneration no reader can tell a status for the present
spec from one for the last; with the -1 of a schema's default left in place the
object looks unobserved for ever. Write the generation that was read with each
status. An object is not held to it while it is paused or managed by somebody
else or says that it is Reconciling, nor is one whose Ready or Available condition
carries an observedGeneration, nor are kinds of Kubernetes itself.`,
	OnVersion: func(p *Pass) {
		answers := p.New.StatusWrite && p.BySameWriter()
		p.AfterHolding(saysNoGeneration(p) && (answers || p.holding()), patience(p))
	},
	OnTimer: func(p *Pass) {
		if !saysNoGeneration(p) {
			return
		}
		if p.New.HasObserved {
			p.Report(".status.observedGeneration", "is still %d, though the status was written at generation %d", p.New.Observed, p.New.Generation)
			return
		}
		p.Report(".status.observedGeneration", "is missing, and so is that of a Ready or Available condition, though the status was written at generation %d", p.New.Generation)
	},
}

// patience is short where a default says that nobody has looked: what follows a
// write of the same controller soon is one pass.
func patience(p *Pass) time.Duration {
	if p.New.HasObserved {
		return p.Options.GracePeriod
	}
	return p.Options.ResponseTime
}

func saysNoGeneration(p *Pass) bool {
	v := p.New
	if v.Generation <= 0 || v.HasObserved && v.Observed >= 0 || v.Gone || native(v.ID) || len(v.Status()) == 0 || p.PausedBy() != "" || managedElsewhere(v) {
		return false
	}
	if c, _ := v.Condition("Reconciling"); c.Status == "True" {
		return false
	}
	c, _ := v.Summary()
	return v.HasObserved || !c.HasObserved
}

var observedUnevaluated = &Rule{
	ID: "W-06", Name: "observed-unevaluated", Severity: severity.Warning,
	Doc: `status.observedGeneration advances together with conditions that speak for that generation

The number says "I have looked at this spec", and then no condition agrees: each
still carries an older observedGeneration. Readers end their wait on an answer to
an old question. Evaluate first, then write both in one request. Conditions
without an observedGeneration of their own are not held to this.`,
	OnChange: func(p *Pass) {
		if p.BySameWriter() && p.New.Observed > p.Old.Observed && unevaluated(p.New) {
			p.SetTimer(p.Options.GracePeriod)
		}
	},
	OnTimer: func(p *Pass) {
		if unevaluated(p.New) {
			p.Report(".status.observedGeneration", "is %d, and no condition speaks for that generation", p.New.Observed)
		}
	},
}

func unevaluated(v *Version) bool {
	if !v.HasObserved || v.Observed != v.Generation {
		return false
	}
	some := false
	for _, c := range v.Conditions {
		if c.HasObserved && c.Observed >= v.Generation {
			return false
		}
		some = some || c.HasObserved
	}
	summary, _ := v.Summary()
	return some && summary.Status != "True" // that would be stale-summary
}

var observedLags = &Rule{
	ID: "W-07", Name: "observed-lags", Severity: severity.Warning,
	Doc: `status.observedGeneration keeps up with the conditions, in failure as well

A controller that advances the number only when its pass ends without an error
leaves it behind for as long as the error lasts: its conditions speak for the
present generation, yet readers see "not observed" and never the error. Write the
number with the conditions in each pass, successful or not.`,
	OnVersion: func(p *Pass) {
		since := State[time.Time](p)
		c, there := p.New.Summary()
		switch v := p.New; {
		case !there || !c.HasObserved || c.Observed != v.Generation || c.Status == "True" || !v.HasObserved || v.Observed < 0 || v.Observed >= v.Generation:
			*since = time.Time{}
		case since.IsZero():
			*since = p.Now
		case p.Now.Sub(*since) > p.Options.ResponseTime && v.StatusWrite && p.BySameWriter():
			p.Report(".status.observedGeneration", "is %d, while %s speaks for generation %d since %s", v.Observed, c.Type, v.Generation, p.Now.Sub(*since))
		}
	},
}

package audit

import (
	"time"

	"kstatus.dev/author/severity"
)

var observedAhead = &Rule{
	ID: "W-02", Name: "observed-ahead", Severity: severity.Error,
	Doc: `status.observedGeneration is never ahead of metadata.generation

A status cannot describe a spec that does not exist yet. A reader that compares the
two takes such a status for current until metadata.generation reaches it. Write the
generation of the object that was read; do not count.`,
	OnVersion: func(p *Pass) {
		if v := p.New; v.Generation > 0 && v.Observed > v.Generation && (p.Old == nil || p.Old.Observed != v.Observed) {
			p.Report(".status.observedGeneration", "is %d at generation %d", v.Observed, v.Generation)
		}
	},
}

var neverObserved = &Rule{
	ID: "W-05", Name: "never-observed", Severity: severity.Error,
	Doc: `A controller sets status.observedGeneration with each status

Without it a reader cannot tell a status of the present spec from a status of the
previous one. With the schema's default of -1 the object looks unobserved forever.
Write the generation that was read with each status. Paused objects, objects that
another system manages, and kinds of Kubernetes itself do not count. Neither do
objects with Reconciling, or with an observedGeneration in Ready or Available.`,
	OnVersion: func(p *Pass) {
		answers := p.New.StatusWrite && p.BySameWriter()
		p.AfterHolding(lacksObservedGeneration(p) && (answers || p.isHolding()), waitTime(p))
	},
	OnTimer: func(p *Pass) {
		if !lacksObservedGeneration(p) {
			return
		}
		if p.New.HasObserved {
			p.Report(".status.observedGeneration", "is still %d, though the status was written at generation %d", p.New.Observed, p.New.Generation)
			return
		}
		p.Report(".status.observedGeneration", "is missing here and in a Ready or Available condition, though the status was written at generation %d", p.New.Generation)
	},
}

// waitTime returns how long the rule waits. It is short if the schema has a
// default: the controller's next write soon after belongs to the same
// reconcile.
func waitTime(p *Pass) time.Duration {
	if p.New.HasObserved {
		return p.Options.GracePeriod
	}
	return p.Options.ResponseTime
}

func lacksObservedGeneration(p *Pass) bool {
	v := p.New
	if v.Generation <= 0 || v.HasObserved && v.Observed >= 0 || v.Gone || isBuiltinKind(v.ID) || len(v.Status()) == 0 || p.PausedBy() != "" || isManagedElsewhere(v) {
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
	Doc: `status.observedGeneration advances together with the conditions of that generation

If the number says that a spec was observed, but each condition has an older
observedGeneration, readers end their wait with an outdated result. Evaluate first,
then write both in one request. Conditions without an observedGeneration do not
count.`,
	OnChange: func(p *Pass) {
		if p.BySameWriter() && p.New.Observed > p.Old.Observed && hasStaleConditions(p.New) {
			p.SetTimer(p.Options.GracePeriod)
		}
	},
	OnTimer: func(p *Pass) {
		if hasStaleConditions(p.New) {
			p.Report(".status.observedGeneration", "is %d, but no condition is about that generation", p.New.Observed)
		}
	},
}

func hasStaleConditions(v *Version) bool {
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
	return some && summary.Status != "True" // otherwise it is a case for stale-summary
}

var observedLags = &Rule{
	ID: "W-07", Name: "observed-lags", Severity: severity.Warning,
	Doc: `status.observedGeneration advances with the conditions, also after an error

If a controller advances the number only after a successful reconcile, it lags as
long as the error lasts. The conditions describe the present generation, but readers
see "not observed" and never the error. Write the number with the conditions in each
reconcile.`,
	OnVersion: func(p *Pass) {
		since := State[time.Time](p)
		c, ok := p.New.Summary()
		switch v := p.New; {
		case !ok || !c.HasObserved || c.Observed != v.Generation || c.Status == "True" || !v.HasObserved || v.Observed < 0 || v.Observed >= v.Generation:
			*since = time.Time{}
		case since.IsZero():
			*since = p.Now
		case p.Now.Sub(*since) > p.Options.ResponseTime && v.StatusWrite && p.BySameWriter():
			p.Report(".status.observedGeneration", "is %d, while %s is about generation %d since %s", v.Observed, c.Type, v.Generation, p.Now.Sub(*since))
		}
	},
}

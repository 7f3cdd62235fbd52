package audit

import (
	"time"

	"kstatus.dev/severity"
)

var tornStatus = &Rule{
	ID: "W-08", Name: "torn-status", Severity: severity.Error,
	Doc: `What belongs to Ready True is written in one request with it

In one pass the controller wrote Ready True, and only in its next request what
that rests on: observedGeneration, a field of status.initialization, or the
providerID. A reader that sees the version in between acts on a state that never
was. Write the status in one request, and spec.providerID before it.`,
	OnChange: func(p *Pass) {
		claim := State[affirmed](p)
		c, there := p.New.Summary()
		if !there || c.Status != "True" {
			*claim = affirmed{}
			return
		}
		if p.New.Manager == claim.by && claim.by != "" && !fresh(p, c) && p.Now.Sub(claim.at) <= p.Options.ReconcileWindow && p.Old.Generation == claim.generation {
			late(p, c.Type)
		}
		if p.New.StatusWrite && fresh(p, c) {
			*claim = affirmed{p.New.Manager, p.Now, p.New.Generation}
		}
	},
}

// An affirmed says who last wrote that the summary is True, when, and at which generation.
type affirmed struct {
	by         string
	at         time.Time
	generation int64
}

// late reports what was written after a claim that rests on it.
func late(p *Pass, claim string) {
	const id = "providerID"
	if text(object(p.Old.Object, "spec"), id) == "" && text(object(p.New.Object, "spec"), id) != "" {
		p.Report(".spec.providerID", "was set only after %s was True", claim)
	}
	if p.Old.Generation != p.New.Generation {
		return
	}
	if p.Old.Observed < p.New.Observed && p.New.HasObserved {
		p.Report(".status.observedGeneration", "became %d only after %s was True", p.New.Observed, claim)
	}
	was, is := object(p.Old.Status(), "initialization"), object(p.New.Status(), "initialization")
	for _, k := range sortedKeys(is) {
		if is[k] == true && was[k] != true {
			p.Report(".status.initialization."+k, "became true only after %s was True", claim)
		}
	}
}

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
	OnChange: func(l *Pass) {
		claim := State[affirmed](l)
		c, there := l.New.Summary()
		if !there || c.Status != "True" {
			*claim = affirmed{}
			return
		}
		if l.New.Manager == claim.by && claim.by != "" && !fresh(l, c) && l.Now.Sub(claim.at) <= l.Options.ReconcileWindow && l.Old.Generation == claim.generation {
			late(l, c.Type)
		}
		if l.New.StatusWrite && fresh(l, c) {
			*claim = affirmed{l.New.Manager, l.Now, l.New.Generation}
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
func late(l *Pass, claim string) {
	const id = "providerID"
	if text(object(l.Old.Object, "spec"), id) == "" && text(object(l.New.Object, "spec"), id) != "" {
		l.Report(".spec.providerID", "was set only after %s was True", claim)
	}
	if l.Old.Generation != l.New.Generation {
		return
	}
	if l.Old.Observed < l.New.Observed && l.New.HasObserved {
		l.Report(".status.observedGeneration", "became %d only after %s was True", l.New.Observed, claim)
	}
	was, is := object(l.Old.Status(), "initialization"), object(l.New.Status(), "initialization")
	for _, k := range sortedKeys(is) {
		if is[k] == true && was[k] != true {
			l.Report(".status.initialization."+k, "became true only after %s was True", claim)
		}
	}
}

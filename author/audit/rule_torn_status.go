package audit

import (
	"time"

	"kstatus.dev/author/severity"
	"kstatus.dev/internal/decoded"
)

var tornStatus = &Rule{
	ID: "W-08", Name: "torn-status", Severity: severity.Error,
	Doc: `Ready True and the fields it depends on are written in one request

A violation is that the controller writes Ready True, and sets the fields it depends
on only in its next request of the same reconcile. These are observedGeneration, a
field of status.initialization, and the providerID. A reader of the version in
between acts on a state that never existed. Write the status in one request, and
spec.providerID before it.`,
	OnChange: func(p *Pass) {
		claim := State[trueSummary](p)
		c, ok := p.New.Summary()
		if !ok || c.Status != "True" {
			*claim = trueSummary{}
			return
		}
		if p.New.Manager == claim.by && claim.by != "" && !isNewOrChanged(p, c) && p.Now.Sub(claim.at) <= p.Options.ReconcileWindow && p.Old.Generation == claim.generation {
			reportLateFields(p, c.Type)
		}
		if p.New.StatusWrite && isNewOrChanged(p, c) {
			*claim = trueSummary{p.New.Manager, p.Now, p.New.Generation}
		}
	},
}

// A trueSummary is the last write that set the summary to True: its writer, time
// and generation.
type trueSummary struct {
	by         string
	at         time.Time
	generation int64
}

// reportLateFields reports fields that were written after the condition that depends on
// them.
func reportLateFields(p *Pass, claim string) {
	const id = "providerID"
	if decoded.Text(p.Old.Object, "spec", id) == "" && decoded.Text(p.New.Object, "spec", id) != "" {
		p.Report(".spec.providerID", "was set only after %s was True", claim)
	}
	if p.Old.Generation != p.New.Generation {
		return
	}
	if p.Old.Observed < p.New.Observed && p.New.HasObserved {
		p.Report(".status.observedGeneration", "became %d only after %s was True", p.New.Observed, claim)
	}
	was, is := decoded.Map(p.Old.Status(), "initialization"), decoded.Map(p.New.Status(), "initialization")
	for _, k := range sortedKeys(is) {
		if is[k] == true && was[k] != true {
			p.Report(".status.initialization."+k, "became true only after %s was True", claim)
		}
	}
}

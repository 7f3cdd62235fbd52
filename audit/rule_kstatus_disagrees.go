package audit

import (
	"time"

	"kstatus.dev/severity"
	"kstatus.dev/status"
)

var kstatusDisagrees = &Rule{
	ID: "W-49", Name: "kstatus-disagrees", Severity: severity.Warning,
	Doc: `Tools that wait with cli-utils do not take the object for done while it is not

Helm, Flux, kapp and kubectl plugins wait by the algorithm of cli-utils, which takes
for Current whatever does not say otherwise in its terms. There are four windows:
R1 from the creation to the first word of the controller; R2 from its first word to
the first one with a summary; R3 from a change of the spec to the next word, if
status.observedGeneration is missing; R4 with status.observedGeneration written
before the conditions, or with Available as the only summary, which it does not
know. Default status.observedGeneration to -1 in the schema, write it in the same
request as all conditions, and report Ready, or Reconciling until it is done. Told
is a window open longer than Limits.GracePeriod; R1 and R2, which kinds without a summary have
for ever, when the summary comes. Kinds of Kubernetes itself are let pass.`,
	OnVersion: func(p *Pass) {
		if native(p.New.ID) {
			return
		}
		window := windowOf(p.New)
		m := remembered[window49](p)
		if m == nil {
			if window == "" {
				return
			}
			m = State[window49](p)
		}
		if window != "" && !currentByKstatus(p) {
			window = ""
		}
		_, summed := p.New.Summary()
		if late := p.Now.Sub(m.since); m.name != "" && m.unsummed && summed && late > p.Options.GracePeriod {
			p.Report(".status", "%s: cli-utils (Helm 4, Flux) says Current for %s before there is a summary", m.name, late)
		}
		if window == m.name && m.unsummed != summed {
			return
		}
		*m = window49{name: window, since: p.Now, unsummed: !summed}
		if p.StopTimer(); window != "" && summed {
			p.SetTimer(p.Options.GracePeriod)
		}
	},
	OnTimer: func(p *Pass) {
		if m := remembered[window49](p); m != nil && m.name != "" && !m.unsummed {
			c, _ := p.New.Summary()
			p.Report(c.Path("status"), "%s: cli-utils (Helm 4, Flux) says Current, while %s is %s for generation %d of %d", m.name, c.Type, c.Status, c.Observed, p.New.Generation)
		}
	},
}

// window49 is one of the windows that is open.
type window49 struct {
	name     string // R1 to R4; empty: none is
	since    time.Time
	unsummed bool // there is no summary yet
}

// windowOf returns the window that is open if cli-utils says Current; empty if the
// object then is done.
func windowOf(v *Version) string {
	c, summed := v.Summary()
	switch observed := v.HasObserved && v.Observed >= v.Generation; {
	case !v.Deleting.IsZero():
		return ""
	case len(v.Status()) == 0:
		return "R1"
	case !summed && !observed:
		return "R2"
	case !summed || c.Status != "True" && c.Type != "Ready" && observed:
		return "R4"
	case c.Status != "True":
		return "R2"
	case !v.HasObserved && c.HasObserved && c.Observed < v.Generation:
		return "R3"
	}
	return ""
}

func currentByKstatus(p *Pass) bool {
	r, err := status.Evaluator{Profile: status.CompatProfile(), Now: func() time.Time { return p.Now }}.Compute(status.Map(p.New.Object))
	return err == nil && r.Status == status.CurrentStatus
}

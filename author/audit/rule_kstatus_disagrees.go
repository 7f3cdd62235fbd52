package audit

import (
	"time"

	"kstatus.dev/author/severity"
	"kstatus.dev/status"
)

var kstatusDisagrees = &Rule{
	ID: "W-49", Name: "kstatus-disagrees", Severity: severity.Warning,
	Doc: `cli-utils does not report Current before the object is done

The name means the kstatus of cli-utils, which disagrees with the controller. Helm,
Flux, kapp and kubectl plugins wait with its algorithm. It reports Current unless the
status contradicts that in the terms it knows. This leaves four windows:

  - R1: from the creation to the first status.
  - R2: from the first status to the first summary condition.
  - R3: from a change of the spec to the next status, without status.observedGeneration.
  - R4: while status.observedGeneration is written before the conditions.
  - R4: also for kinds whose only summary is Available, which cli-utils does not read.

Set the default of status.observedGeneration to -1 in the schema. Write it in the
same request as all conditions. Report Ready, or Reconciling until the object is
done. A violation is a window that is open longer than Limits.GracePeriod. For kinds
without a summary, R1 and R2 never end; the violation is reported when the summary
appears. Kinds of Kubernetes itself do not count.`,
	OnVersion: func(p *Pass) {
		if isBuiltinKind(p.New.ID) {
			return
		}
		window := windowOf(p.New)
		m := existingState[openWindow](p)
		if m == nil {
			if window == "" {
				return
			}
			m = State[openWindow](p)
		}
		if window != "" && !currentByKstatus(p) {
			window = ""
		}
		_, summed := p.New.Summary()
		if late := p.Now.Sub(m.since); m.name != "" && m.withoutSummary && summed && late > p.Options.GracePeriod {
			p.Report(".status", "cli-utils (Helm 4, Flux) reports Current for %s before there is a summary", late)
		}
		if window == m.name && m.withoutSummary != summed {
			return
		}
		*m = openWindow{name: window, since: p.Now, withoutSummary: !summed}
		if p.StopTimer(); window != "" && summed {
			p.SetTimer(p.Options.GracePeriod)
		}
	},
	OnTimer: func(p *Pass) {
		if m := existingState[openWindow](p); m != nil && m.name != "" && !m.withoutSummary {
			c, _ := p.New.Summary()
			p.Report(c.Path("status"), "cli-utils (Helm 4, Flux) reports Current, while %s is %s for generation %d of %d", c.Type, c.Status, c.Observed, p.New.Generation)
		}
	},
}

// An openWindow is a time in which cli-utils may report Current too early.
type openWindow struct {
	name           string // R1 to R4; empty: no window is open
	since          time.Time
	withoutSummary bool // the object has no summary yet
}

// windowOf returns the open window if cli-utils reports Current and the object
// is not done. Otherwise it returns the zero value.
func windowOf(v *Version) string {
	c, hasSummary := v.Summary()
	switch observed := v.HasObserved && v.Observed >= v.Generation; {
	case !v.Deleting.IsZero():
		return ""
	case len(v.Status()) == 0:
		return "R1"
	case !hasSummary && !observed:
		return "R2"
	case !hasSummary || c.Status != "True" && c.Type != "Ready" && observed:
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

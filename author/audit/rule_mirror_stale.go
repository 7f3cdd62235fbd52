package audit

import (
	"kstatus.dev/author/severity"
	"kstatus.dev/internal/decoded"
)

var mirrorStale = &Rule{
	ID: "W-50", Name: "mirror-stale", Severity: severity.Warning,
	Doc: `A mirrored condition equals its source at the source's present generation

The Machine's InfrastructureReady mirrors Ready of its infrastructure object, and
timeouts and remediation read the copy. The copy is stale if the owner does not watch
the source, or if the source describes an older generation than it has. Watch the
source, and let its controller set Ready to Unknown in the write that observes a new
generation. A violation is a difference, or a copy of a stale True, that lasts longer
than Limits.ResponseTime. Both objects must be in the stream. Paused objects do not
count.`,
	OnVersion: func(p *Pass) {
		checkMirror(p)
		for o := range owners(p.New) {
			if o.Group != capiGroup {
				continue
			}
			if h := p.auditor.objects.byName[o]; h != nil && h.last != nil && !h.related {
				of := p.auditor.newPass(h, nil, h.last)
				of.rule = p.rule
				checkMirror(of)
			}
		}
	},
	OnPause: checkMirror,
	OnTimer: func(p *Pass) {
		if m, source, wrong := staleMirror(p); wrong {
			mirror, _ := p.New.Condition(m.mirror)
			c, _ := source.Condition(m.source)
			p.Report(mirror.Path("status"), "%s, while %s of %s is %s for generation %d of %d", mirror.Status, c.Type, source.ID, c.Status, c.Observed, source.Generation)
		}
	},
}

func checkMirror(p *Pass) {
	_, _, stale := staleMirror(p)
	p.AfterHolding(stale, p.Options.ResponseTime)
}

// A mirroredCondition is a condition that a kind of Cluster API copies from an object
// it refers to.
type mirroredCondition struct {
	kind, mirror string
	reference    []string
	source       string
}

var mirroredConditions = []mirroredCondition{
	{"Cluster", "InfrastructureReady", []string{"spec", "infrastructureRef"}, "Ready"},
	{"Cluster", "ControlPlaneAvailable", []string{"spec", "controlPlaneRef"}, "Available"},
	{"Machine", "InfrastructureReady", []string{"spec", "infrastructureRef"}, "Ready"},
	{"Machine", "BootstrapConfigReady", []string{"spec", "bootstrap", "configRef"}, "Ready"},
}

// staleMirror returns the first mirrored condition that differs from its
// source, and the source.
func staleMirror(p *Pass) (m mirroredCondition, source *Version, stale bool) {
	if p.New.ID.Group != capiGroup || p.PausedBy() != "" || !p.New.Deleting.IsZero() {
		return m, nil, false
	}
	for _, m := range mirroredConditions {
		if m.kind != p.New.ID.Kind.Kind {
			continue
		}
		mirror, ok := p.New.Condition(m.mirror)
		ref := decoded.Map(p.New.Object, m.reference...)
		if !ok || ref == nil {
			continue
		}
		if source = referred(p, ref, p.New.ID.Namespace); source == nil || !source.Deleting.IsZero() {
			continue
		}
		c, has := source.Condition(m.source)
		stale := c.HasObserved && c.Observed < source.Generation || source.HasObserved && source.Observed < source.Generation
		if has && (c.Status != mirror.Status || stale && c.Status == "True") {
			return m, source, true
		}
	}
	return m, nil, false
}

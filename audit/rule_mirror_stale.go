package audit

import "kstatus.dev/severity"

var mirrorStale = &Rule{
	ID: "W-50", Name: "mirror-stale", Severity: severity.Warning,
	Doc: `A mirrored condition says what its source says, of the source's present generation

The Machine's InfrastructureReady is the Ready of its infrastructure object, and
timeouts and remediation go by the copy. It is stale if the owner does not watch the
source, or if the source itself speaks of an older generation than it has. Watch the
source, and let its controller set Ready to Unknown in the write that observes a new
generation. Told is a difference, or a copy of a stale True, that lasts longer than
Limits.ResponseTime, if both objects are in the stream. Paused objects are let pass.`,
	OnVersion: func(l *Pass) {
		lookAtMirror(l)
		for o := range owners(l.New) {
			if o.group != capiGroup {
				continue
			}
			if h := l.auditor.objects.byName[ID{Group: o.group, Kind: o.kind, Namespace: l.New.ID.Namespace, Name: o.name}]; h != nil && h.last != nil && !h.related {
				of := l.auditor.look(h, nil, h.last)
				of.rule = l.rule
				lookAtMirror(of)
			}
		}
	},
	OnPause: lookAtMirror,
	OnTimer: func(l *Pass) {
		if m, source, wrong := staleMirror(l); wrong {
			mirror, _ := l.New.Condition(m.mirror)
			c, _ := source.Condition(m.source)
			l.Report(mirror.Path("status"), "%s, while %s of %s is %s for generation %d of %d", mirror.Status, c.Type, source.ID, c.Status, c.Observed, source.Generation)
		}
	},
}

func lookAtMirror(l *Pass) {
	_, _, wrong := staleMirror(l)
	l.AfterHolding(wrong, l.Options.ResponseTime)
}

// A mirroring is a condition that a kind of Cluster API copies from the object
// that a reference names.
type mirroring struct {
	kind, mirror string
	reference    []string
	source       string
}

var mirrorings = []mirroring{
	{"Cluster", "InfrastructureReady", []string{"spec", "infrastructureRef"}, "Ready"},
	{"Cluster", "ControlPlaneAvailable", []string{"spec", "controlPlaneRef"}, "Available"},
	{"Machine", "InfrastructureReady", []string{"spec", "infrastructureRef"}, "Ready"},
	{"Machine", "BootstrapConfigReady", []string{"spec", "bootstrap", "configRef"}, "Ready"},
}

// staleMirror returns the first mirrored condition that is not as its source, and
// the source.
func staleMirror(l *Pass) (m mirroring, source *Version, wrong bool) {
	if l.New.ID.Group != capiGroup || l.PausedBy() != "" || !l.New.Deleting.IsZero() {
		return m, nil, false
	}
	for _, m := range mirrorings {
		if m.kind != l.New.ID.Kind {
			continue
		}
		mirror, there := l.New.Condition(m.mirror)
		ref := object(l.New.Object, m.reference...)
		if !there || ref == nil {
			continue
		}
		if source = referred(l, ref, l.New.ID.Namespace); source == nil || !source.Deleting.IsZero() {
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

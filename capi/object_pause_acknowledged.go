package capi

import (
	"kstatus.dev/lint"
	"kstatus.dev/severity"
)

var pauseAcknowledged = &check{
	ID: "C-ALL-8", Name: "pause-acknowledged", Severity: severity.Warning,
	Doc: `a paused object says so, and one that is not paused no longer does

Cluster.spec.paused, or the annotation cluster.x-k8s.io/paused of the object, makes
the provider stop. It should acknowledge by the condition Paused with the generation
that it saw; without that nobody knows whether it has stopped, and a move that begins
before may lose what it still does. The object may be looked at in between: look
again before you blame the provider.`,
	Roles: reporting,
	Object: func(p *pass, o providerObject) {
		cluster, known := p.graph.cluster(o)
		_, annotated := at(o.raw, "metadata", "annotations", "cluster.x-k8s.io/paused")
		paused := annotated || isTrue(cluster, "spec", "paused")
		if !o.statusWritten() || !known && !annotated {
			return
		}
		for _, c := range conditionsOf(o.raw) {
			if c.name() != "Paused" {
				continue
			}
			says := text(c.raw, "status") == "True"
			if says != paused {
				p.ForObject(o.index).Report(lint.Finding{
					Path:       c.path,
					Message:    "the object is " + pausedWord(paused) + ", and Paused is " + quote(text(c.raw, "status")),
					Suggestion: "acknowledge by the condition Paused",
				})
			} else if says && number(c.raw, "observedGeneration") < number(o.raw, "metadata", "generation") {
				p.ForObject(o.index).Report(lint.Finding{
					Path:       c.path,
					Message:    "Paused is about an earlier generation",
					Suggestion: "write it again when the spec changes",
				})
			}
			return
		}
		if paused {
			p.reportObject(o, "status.conditions", "the object is paused, and has no condition Paused", "acknowledge by the condition Paused")
		}
	},
}

func pausedWord(paused bool) string {
	if paused {
		return "paused"
	}
	return "not paused"
}

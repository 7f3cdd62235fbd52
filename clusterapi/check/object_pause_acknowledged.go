package check

import (
	"kstatus.dev/author/lint"
	"kstatus.dev/author/severity"
	"kstatus.dev/internal/decoded"
)

var pauseAcknowledged = &check{
	ID: "C-ALL-8", Name: "pause-acknowledged", Severity: severity.Warning,
	Doc: `the condition Paused says whether the object is paused

Cluster.spec.paused, or the annotation cluster.x-k8s.io/paused of the object, stops
the provider. The provider should acknowledge it in the condition Paused, with the
generation that it has seen. Otherwise users cannot tell whether it has stopped, and a
move that begins too early may lose its last changes. The object may have been read
between the two writes: read it again before you blame the provider.`,
	Roles: rolesWithStatus,
	Object: func(p *pass, o providerObject) {
		cluster, known := p.graph.cluster(o)
		_, annotated := decoded.Map(o.raw, "metadata", "annotations")["cluster.x-k8s.io/paused"]
		paused := annotated || decoded.Bool(cluster, "spec", "paused")
		if !o.statusWritten() || !known && !annotated {
			return
		}
		c, exists := o.condition("Paused")
		says := c.status() == "True"
		switch {
		case !exists && paused:
			p.reportObject(o, "status.conditions", "the object is paused, but has no condition Paused", "acknowledge it in the condition Paused")
		case !exists:
		case says != paused:
			p.ForObject(o.index).Report(lint.Finding{
				Path:       c.path,
				Message:    "the object is " + pausedWord(paused) + ", but Paused is " + quote(c.status()),
				Suggestion: "acknowledge it in the condition Paused",
			})
		case says && number(c.raw, "observedGeneration") < number(o.raw, "metadata", "generation"):
			p.ForObject(o.index).Report(lint.Finding{
				Path:       c.path,
				Message:    "Paused describes an earlier generation",
				Suggestion: "write it again when the spec changes",
			})
		}
	},
}

func pausedWord(paused bool) string {
	if paused {
		return "paused"
	}
	return "not paused"
}

package capi

import (
	"slices"
	"strings"

	"kstatus.dev/lint"
	"kstatus.dev/severity"
)

var moveLabel = &check{
	ID: "C-PK-4", Name: "move-label", Severity: severity.Warning,
	Doc: `identities carry a label that makes clusterctl move take them along

Objects move when they belong to a Cluster by owner references. Identities and other
credentials belong to none: their definition, or each object, has to carry the label
clusterctl.cluster.x-k8s.io/move, or move-hierarchy for what they own as well. Not
checked where no definition is labelled, as before kustomize.`,
	Bundle: func(p *pass) {
		labelled := slices.ContainsFunc(p.options.kinds(p.Pass), func(k kind) bool { return k.labelled })
		for _, crd := range p.CRDs() {
			word, _, _ := strings.Cut(crd.Group, ".")
			if !labelled || word != "infrastructure" || !strings.HasSuffix(crd.Kind, "Identity") {
				continue
			}
			_, move := crd.Labels["clusterctl.cluster.x-k8s.io/move"]
			_, hierarchy := crd.Labels["clusterctl.cluster.x-k8s.io/move-hierarchy"]
			if !move && !hierarchy {
				p.ForObject(crd.Index).Report(lint.Finding{
					Path:       lint.Path{"metadata", "labels"},
					Message:    "clusterctl move leaves objects of " + quote(crd.Kind) + " behind",
					Suggestion: "clusterctl.cluster.x-k8s.io/move-hierarchy: \"true\"",
				})
			}
		}
	},
}

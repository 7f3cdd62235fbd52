package check

import (
	"slices"
	"strings"

	"kstatus.dev/author/lint"
	"kstatus.dev/author/severity"
)

var moveLabel = &check{
	ID: "C-PK-4", Name: "move-label", Severity: severity.Warning,
	Doc: `identities have a label that includes them in clusterctl move

clusterctl moves objects that belong to a Cluster by owner references. Identities and
other credentials belong to none. Their definition, or each object, needs the label
clusterctl.cluster.x-k8s.io/move, or move-hierarchy to move also what they own. The check
sees only the definition. It does not run if no definition has labels, as before
kustomize.`,
	Bundle: func(p *pass) {
		labelled := slices.ContainsFunc(p.options.kinds(p.Pass), func(k kind) bool { return k.labelled })
		for _, crd := range p.CRDs() {
			word, _, _ := strings.Cut(crd.Group, ".")
			if !labelled || word != "infrastructure" || !strings.HasSuffix(crd.Kind, "Identity") {
				continue
			}
			if !hasMoveLabel(crd.Labels) {
				p.ForObject(crd.Index).Report(lint.Finding{
					Path:       lint.Path{"metadata", "labels"},
					Message:    "a move leaves objects of " + quote(crd.Kind) + " behind unless each has the label itself",
					Suggestion: moveHierarchyLabel + ": \"true\"",
				})
			}
		}
	},
}

package check

import (
	"strings"

	"kstatus.dev/author/lint"
	"kstatus.dev/author/roles"
	"kstatus.dev/author/severity"
)

const (
	installedLabel     = "clusterctl.cluster.x-k8s.io"
	providerNameLabel  = "cluster.x-k8s.io/provider"
	moveLabelName      = "clusterctl.cluster.x-k8s.io/move"
	moveHierarchyLabel = "clusterctl.cluster.x-k8s.io/move-hierarchy"
)

var moveKinds = &check{
	ID: "C-PK-5", Name: "move-kinds", Severity: severity.Info,
	Doc: `objects of every kind of a provider belong to a Cluster, or have the label for moves

A move takes along what a Cluster owns, at any distance. Core sets the owners of the
objects that a Cluster, a Machine or a MachinePool refers to. Objects of other kinds
need an owner that their controller sets, or the label cluster.x-k8s.io/cluster-name.
Or each of them, or their definition, has the label clusterctl.cluster.x-k8s.io/move, or
move-hierarchy to move also what they own. The check sees only the definition, so review
each kind that it reports.`,
	Bundle: func(p *pass) {
		for _, crd := range p.CRDs() {
			if crd.Scope != "Namespaced" || !isOfProvider(crd) || strings.HasSuffix(crd.Kind, "Identity") || hasMoveLabel(crd.Labels) {
				continue
			}
			if _, set := p.options.Roles[crd.Kind]; set || roles.Of(crd.Group, crd.Kind, crd.Labels) != roles.None {
				continue
			}
			p.ForObject(crd.Index).Report(lint.Finding{
				Path:       lint.Path{"metadata", "labels"},
				Message:    "a move leaves objects of " + quote(crd.Kind) + " behind if their controller sets no owner and no label",
				Suggestion: "let a Cluster own them, or set " + moveHierarchyLabel + ": \"true\"",
			})
		}
	},
}

// FoundByMove reports whether kstatus capi move finds all objects of a definition. It has the label of
// clusterctl, of a provider or for moves, or its group is one of Cluster API. Of other kinds, a move
// finds the objects that have a label for moves themselves.
func FoundByMove(crd lint.CRD) bool {
	_, installed := crd.Labels[installedLabel]
	return installed || hasMoveLabel(crd.Labels) || crd.Labels[providerNameLabel] != "" || crd.Group == coreGroup || strings.HasSuffix(crd.Group, "."+coreGroup)
}

// isOfProvider reports whether a definition is of a provider, by its labels or its group.
func isOfProvider(crd lint.CRD) bool { return !isCoreGroup(crd.Group) && FoundByMove(crd) }

// isCoreGroup reports whether core has kinds in a group. Providers may add kinds to the group of
// IPAM.
func isCoreGroup(group string) bool {
	return roles.IsCore(group) || group == "ipam."+coreGroup
}

func hasMoveLabel(labels map[string]string) bool {
	_, move := labels[moveLabelName]
	_, hierarchy := labels[moveHierarchyLabel]
	return move || hierarchy
}

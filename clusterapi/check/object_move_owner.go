package check

import (
	"strings"

	"kstatus.dev/author/lint"
	"kstatus.dev/author/severity"
	"kstatus.dev/internal/decoded"
	"kstatus.dev/status"
)

var moveOwner = &check{
	ID: "C-PK-5/object", Name: "move-owner", Severity: severity.Warning,
	Doc: `an object belongs to a Cluster, by its owners or by a label

A move takes along what a Cluster owns, and objects with a label for moves. It leaves
behind an object without an owner that no Cluster, Machine or MachinePool refers to. It
also cannot keep an owner of a kind that it does not find, because the definition lacks
the label clusterctl.cluster.x-k8s.io. Then the owner stays, and the garbage collector
may delete the copy. For kstatus capi move, it is enough that the owner has the label
clusterctl.cluster.x-k8s.io/move, but clusterctl ignores that.`,
	Roles: rolesWithStatus,
	Object: func(p *pass, o providerObject) {
		if !p.options.Complete {
			return
		}
		for i, owner := range decoded.Maps(o.raw, "metadata", "ownerReferences") {
			if !p.graph.finds(owner) {
				p.ForObject(o.index).Report(lint.Finding{
					Path:       lint.Path{"metadata", "ownerReferences", i},
					Message:    "a move does not find the owner " + quote(decoded.Text(owner, "kind")+" "+decoded.Text(owner, "name")) + ": its definition is not of Cluster API",
					Suggestion: "label the definition: " + installedLabel + `: ""; kstatus also finds an owner with the label ` + moveLabelName,
				})
			}
		}
		_, used := p.graph.user(o)
		labels := decoded.Map(o.raw, "metadata", "labels")
		_, ofCluster := labels[clusterNameLabel]
		_, moved := labels[moveLabelName]
		_, movedWith := labels[moveHierarchyLabel]
		if len(decoded.List(o.raw, "metadata", "ownerReferences")) > 0 || used || ofCluster || moved || movedWith || o.deleting() || hasMoveLabel(p.graph.known[o.Kind].Labels) {
			return
		}
		p.reportObject(o, "metadata.ownerReferences", "a move leaves the object behind: it belongs to no Cluster", "delete it, or let a Cluster or a Machine refer to it")
	},
}

// finds reports whether a move finds the kind of an owner. Kinds of Kubernetes need no definition.
func (g *objectGraph) finds(owner map[string]any) bool {
	group := groupOf(decoded.Text(owner, "apiVersion"))
	if group == "" || group == coreGroup || strings.HasSuffix(group, "."+coreGroup) || !strings.Contains(group, ".") || strings.HasSuffix(group, ".k8s.io") {
		return true
	}
	return g.defined[status.Kind{Group: group, Kind: decoded.Text(owner, "kind")}]
}

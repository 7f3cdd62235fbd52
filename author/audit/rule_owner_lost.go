package audit

import (
	"slices"

	"kstatus.dev/author/severity"
	"kstatus.dev/internal/decoded"
)

var ownerLost = &Rule{
	ID: "W-52", Name: "owner-lost", Severity: severity.Warning,
	Doc: `A provider does not remove the owner and the label that Cluster API has set

The ownerReference to the Machine or Cluster leads a provider to the owner. The label
cluster.x-k8s.io/cluster-name selects all objects of a cluster that is paused or
moved. Both are lost when a provider writes metadata back as it has read it, or
applies its own list of owners. Patch only your own fields, with the resourceVersion.
A violation is such a write by the status writer.`,
	OnChange: func(p *Pass) {
		statusWriter := p.StatusWriter("")
		if p.New.Gone || statusWriter == "" || p.New.Manager != statusWriter || p.New.ID.Group == capiGroup {
			return
		}
		const label = "cluster.x-k8s.io/cluster-name"
		was, is := decoded.Map(p.Old.Object, "metadata"), decoded.Map(p.New.Object, "metadata")
		if name := decoded.Text(was, "labels", label); name != "" && decoded.Text(is, "labels", label) == "" {
			p.Report(`.metadata.labels["`+label+`"]`, "%q was removed", name)
		}
		if equal(was["ownerReferences"], is["ownerReferences"]) {
			return
		}
		left := slices.Collect(owners(p.New))
		for o := range owners(p.Old) {
			if (o.Kind == capiCluster || o.Kind == capiMachine || o.Kind == capiMachinePool) && !slices.Contains(left, o) {
				p.Report(".metadata.ownerReferences", "%s %s was removed", o.Kind.Kind, o.Name)
			}
		}
	},
}

package audit

import (
	"slices"

	"kstatus.dev/severity"
)

var ownerLost = &Rule{
	ID: "W-52", Name: "owner-lost", Severity: severity.Warning,
	Doc: `A provider leaves the owner and the label that Cluster API has given its object

By the ownerReference to the Machine or Cluster a provider finds who asks for it,
by the label cluster.x-k8s.io/cluster-name whoever pauses or moves a cluster finds
all of it. Both get lost when a provider writes metadata back as it had read it, or
applies a list of owners of its own. Patch what is one's own, with the
resourceVersion. Told is a write of the status's keeper.`,
	OnChange: func(p *Pass) {
		keeper := p.StatusWriter("")
		if p.New.Gone || keeper == "" || p.New.Manager != keeper || p.New.ID.Group == capiGroup {
			return
		}
		const label = "cluster.x-k8s.io/cluster-name"
		was, is := object(p.Old.Object, "metadata"), object(p.New.Object, "metadata")
		if name := text(object(was, "labels"), label); name != "" && text(object(is, "labels"), label) == "" {
			p.Report(`.metadata.labels["`+label+`"]`, "%q was taken away", name)
		}
		if equal(was["ownerReferences"], is["ownerReferences"]) {
			return
		}
		left := slices.Collect(owners(p.New))
		for o := range owners(p.Old) {
			if o.group == capiGroup && (o.kind == "Cluster" || o.kind == "Machine" || o.kind == "MachinePool") && !slices.Contains(left, o) {
				p.Report(".metadata.ownerReferences", "%s %s was taken away", o.kind, o.name)
			}
		}
	},
}

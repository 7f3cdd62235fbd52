package audit

import (
	"slices"
	"strings"

	"kstatus.dev/severity"
)

var specMutated = &Rule{
	ID: "W-42", Name: "spec-mutated", Severity: severity.Warning,
	Doc: `A controller does not change what users wrote in the spec

Each such write makes a new generation, so the controller answers itself, and what
is kept in git fights with what is in the cluster. Put what was found out into the
status, and defaults into the schema or a webhook. Fields that were empty may be
filled: Cluster API demands it of some, and of others it is a default. Told is a
field that had a value and lost or changed it by a write of the status's keeper;
not that of an object with an owner of the same keeper, or of one not seen, whose
controller may well write it; nor of kinds of Kubernetes itself, since one manager
has many controllers there, such as that of autoscalers. Declare the fields that the controller is meant to
write.`,
	OnChange: func(p *Pass) {
		keeper := p.StatusWriter("")
		if p.New.Generation == p.Old.Generation || keeper == "" || p.New.Manager != keeper || native(p.New.ID) || ownedAlike(p, keeper) {
			return
		}
		for _, c := range p.Changes() {
			if c.Old == nil || c.Order || !strings.HasPrefix(c.Path, ".spec") || meant(p, c.Path) {
				continue
			}
			p.Report(c.Path, "changed by %s, which keeps the status: generation %d became %d", keeper, p.Old.Generation, p.New.Generation)
		}
	},
}

// contractFields are those of the spec that Cluster API wants controllers to write.
var contractFields = []string{".spec.providerID", ".spec.providerIDList", ".spec.controlPlaneEndpoint", ".spec.failureDomain", ".spec.bootstrap.dataSecretName"}

func meant(p *Pass, path string) bool {
	within := func(field string) bool {
		rest, is := strings.CutPrefix(path, field)
		return is && (rest == "" || rest[0] == '.' || rest[0] == '[')
	}
	d := p.Declaration()
	return slices.ContainsFunc(contractFields, within) || d != nil && slices.ContainsFunc(d.Spec, within)
}

// ownedAlike reports whether an owner of the object may have written it by the
// same manager.
func ownedAlike(p *Pass, keeper string) bool {
	for o := range owners(p.New) {
		h := p.auditor.objects.byName[ID{Group: o.group, Kind: o.kind, Namespace: p.New.ID.Namespace, Name: o.name}]
		if h == nil || h.writers.most("") == "" || h.writers.most("") == keeper {
			return true
		}
	}
	return false
}

var generationWithoutSpec = &Rule{
	ID: "W-43", Name: "generation-without-spec", Severity: severity.Warning,
	Doc: `metadata.generation grows only when the spec changes

If it grows with each write of the status, the kind has no status subresource: no
status.observedGeneration can ever catch up, and every status write looks like a
new order. Add the status subresource to every served version of the CRD. A change
that this version of the API does not show grows it, too: look at the version in
which the kind is stored. Told is a growth by one while nothing differs beside
metadata and status. The start of a deletion, and kinds of Kubernetes itself, where
annotations count, are let pass.`,
	OnChange: func(p *Pass) {
		if p.New.Generation != p.Old.Generation+1 || p.Old.Generation == 0 || native(p.New.ID) || p.Old.Deleting != p.New.Deleting {
			return
		}
		for _, c := range p.Changes() {
			if !strings.HasPrefix(c.Path, ".status") && !strings.HasPrefix(c.Path, ".metadata") && c.Path != ".apiVersion" {
				return
			}
		}
		p.Report(".metadata.generation", "went from %d to %d, and nothing differs beside metadata and status", p.Old.Generation, p.New.Generation)
	},
}

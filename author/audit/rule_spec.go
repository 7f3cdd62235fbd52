package audit

import (
	"slices"
	"strings"

	"kstatus.dev/author/severity"
)

var specMutated = &Rule{
	ID: "W-42", Name: "spec-mutated", Severity: severity.Warning,
	Doc: `A controller does not change what users have set in the spec

Each such write makes a new generation, so that the controller triggers itself, and
git and the cluster disagree. Write results into the status, and defaults into the
schema or a webhook. A controller may fill empty fields: Cluster API requires it for
some, and for others it is a default. A violation is that the status writer changes
or removes a field with a value. Declare the fields that the controller is meant to
write. These do not count:

  - objects with an owner that the same manager writes, or that the audit has not
    seen
  - kinds of Kubernetes itself, where one manager includes many controllers, such
    as autoscalers`,
	OnChange: func(p *Pass) {
		statusWriter := p.StatusWriter("")
		if p.New.Generation == p.Old.Generation || statusWriter == "" || p.New.Manager != statusWriter || isBuiltinKind(p.New.ID) || mayBeByOwner(p, statusWriter) {
			return
		}
		for _, c := range p.Changes() {
			if c.Old == nil || c.Order || !strings.HasPrefix(c.Path, ".spec") || isDeclaredField(p, c.Path) {
				continue
			}
			p.Report(c.Path, "changed by %s, which writes the status: generation %d became %d", statusWriter, p.Old.Generation, p.New.Generation)
		}
	},
}

// contractFields lists the fields of the spec that Cluster API requires
// controllers to write.
var contractFields = []string{".spec.providerID", ".spec.providerIDList", ".spec.controlPlaneEndpoint", ".spec.failureDomain", ".spec.bootstrap.dataSecretName"}

func isDeclaredField(p *Pass, path string) bool {
	within := func(field string) bool {
		rest, is := strings.CutPrefix(path, field)
		return is && (rest == "" || rest[0] == '.' || rest[0] == '[')
	}
	d := p.Declaration()
	return slices.ContainsFunc(contractFields, within) || d != nil && slices.ContainsFunc(d.Spec, within)
}

// mayBeByOwner reports whether an owner of the object may be the origin of the
// write, by the same manager.
func mayBeByOwner(p *Pass, writer string) bool {
	for o := range owners(p.New) {
		h := p.auditor.objects.byName[o]
		if h == nil || h.writers.most("") == "" || h.writers.most("") == writer {
			return true
		}
	}
	return false
}

var generationWithoutSpec = &Rule{
	ID: "W-43", Name: "generation-without-spec", Severity: severity.Warning,
	Doc: `metadata.generation increases only when the spec changes

If it increases with each write of the status, the kind has no status subresource.
Then status.observedGeneration never catches up, and every write of the status looks
like a new request. Add the status subresource to every served version of the CRD. A
change in a field that this API version does not show also increases the generation:
watch the storage version. A violation is an increase by one without a difference
outside of metadata and status. The start of a deletion does not count. Kinds of
Kubernetes itself do not count, because changes of annotations increase their
generation.`,
	OnChange: func(p *Pass) {
		if p.New.Generation != p.Old.Generation+1 || p.Old.Generation == 0 || isBuiltinKind(p.New.ID) || p.Old.Deleting != p.New.Deleting {
			return
		}
		for _, c := range p.Changes() {
			if !strings.HasPrefix(c.Path, ".status") && !strings.HasPrefix(c.Path, ".metadata") && c.Path != ".apiVersion" {
				return
			}
		}
		p.Report(".metadata.generation", "went from %d to %d, and only metadata and status differ", p.Old.Generation, p.New.Generation)
	},
}

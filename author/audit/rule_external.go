package audit

import (
	"strings"

	"kstatus.dev/author/severity"
	"kstatus.dev/internal/decoded"
)

var externalWrite = &Rule{
	ID: "W-23", Name: "external-write", Severity: severity.Error,
	Doc: `A provider does not write to externally managed objects

With the annotation cluster.x-k8s.io/managed-by another system manages the
infrastructure of this object and its status. A provider that writes to it, or adds
its finalizer, interferes with that system. The provider is the declared manager, or
the manager that writes the status of other objects of the kind. Filter such objects
out of the watches and at the start of each reconcile.`,
	OnChange: func(p *Pass) {
		if !isManagedElsewhere(p.Old) || !isManagedElsewhere(p.New) || p.New.Manager == "" || p.New.Manager != p.provider() {
			return
		}
		for _, c := range p.Changes() {
			if strings.HasPrefix(c.Path, ".spec") || strings.HasPrefix(c.Path, ".status") || strings.HasPrefix(c.Path, ".metadata.finalizers") {
				p.Report(c.Path, "was written by %s, though %q manages the object", p.New.Manager, managedBy(p.New))
			}
		}
	},
}

func managedBy(v *Version) any {
	return decoded.At(v.Object, "metadata", "annotations", "cluster.x-k8s.io/managed-by")
}

// isManagedElsewhere reports whether another system manages the object.
func isManagedElsewhere(v *Version) bool {
	_, ok := decoded.Map(v.Object, "metadata", "annotations")["cluster.x-k8s.io/managed-by"]
	return ok
}

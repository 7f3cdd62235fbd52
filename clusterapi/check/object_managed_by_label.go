package check

import (
	"kstatus.dev/author/lint"
	"kstatus.dev/author/roles"
	"kstatus.dev/author/severity"
	"kstatus.dev/internal/decoded"
)

var managedByLabel = &check{
	ID: "C-IC-7", Name: "managed-by-label", Severity: severity.Warning,
	Doc: `an externally managed cluster has the annotation managed-by, not the label (D2)

Providers look for the annotation cluster.x-k8s.io/managed-by. If an object has only
the label, both the provider and the external manager manage it.`,
	Roles: []roles.Role{roles.InfraCluster},
	Object: func(p *pass, o providerObject) {
		_, label := decoded.Map(o.raw, "metadata", "labels")["cluster.x-k8s.io/managed-by"]
		_, annotation := decoded.Map(o.raw, "metadata", "annotations")["cluster.x-k8s.io/managed-by"]
		if label && !annotation {
			p.ForObject(o.index).Report(lint.Finding{
				Path:       lint.Path{"metadata", "labels", "cluster.x-k8s.io/managed-by"},
				Message:    "managed-by is a label here, which has no effect",
				Suggestion: "use the annotation",
			})
		}
	},
}

package capi

import (
	"kstatus.dev/lint"
	"kstatus.dev/severity"
)

var managedByLabel = &check{
	ID: "C-IC-7", Name: "managed-by-label", Severity: severity.Warning,
	Doc: `an externally managed cluster says so by an annotation, not by a label (D2)

Providers look for the annotation cluster.x-k8s.io/managed-by. An object with the
label alone is managed by the provider and by whoever has set the label.`,
	Roles: []Role{RoleInfraCluster},
	Object: func(p *pass, o providerObject) {
		_, label := at(o.raw, "metadata", "labels", "cluster.x-k8s.io/managed-by")
		_, annotation := at(o.raw, "metadata", "annotations", "cluster.x-k8s.io/managed-by")
		if label && !annotation {
			p.ForObject(o.index).Report(lint.Finding{
				Path:       lint.Path{"metadata", "labels", "cluster.x-k8s.io/managed-by"},
				Message:    "managed-by is a label here, which does nothing",
				Suggestion: "make it an annotation",
			})
		}
	},
}

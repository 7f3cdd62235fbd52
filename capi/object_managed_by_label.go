package capi

import "kstatus.dev/lint"

var managedByLabel = &check{
	ID: "C-IC-7", Name: "managed-by-label", Severity: lint.Warning,
	Doc: `an externally managed cluster says so by an annotation, not by a label (D2)

Providers look for the annotation cluster.x-k8s.io/managed-by. An object with the
label alone is managed by the provider and by whoever has set the label.`,
	Roles: []Role{RoleInfraCluster},
	Object: func(p *pass, o providerObject) {
		_, label := at(o.raw, "metadata", "labels", "cluster.x-k8s.io/managed-by")
		_, annotation := at(o.raw, "metadata", "annotations", "cluster.x-k8s.io/managed-by")
		if label && !annotation {
			p.ReportOn(o.index, lint.Path{"metadata", "labels", "cluster.x-k8s.io/managed-by"}, "managed-by is a label here, which does nothing", "make it an annotation", nil)
		}
	},
}

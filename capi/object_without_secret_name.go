package capi

import "kstatus.dev/severity"

const clusterNameLabel = "cluster.x-k8s.io/cluster-name"

var withoutSecretName = &check{
	ID: "C-BC-2", Name: "without-secret-name", Severity: severity.Error,
	Doc: `bootstrap data that is there has a name

Once the config says that the Secret is created, core reads status.dataSecretName, and
an empty one is an error of each reconcile of the Machine.`,
	Roles: []Role{RoleBootstrapConfig},
	Object: func(p *pass, o providerObject) {
		if o.initialized() && text(o.raw, "status", "dataSecretName") == "" {
			p.reportObject(o, "status.dataSecretName", "the Secret is said to be created, and status.dataSecretName is empty", "write both at once")
		}
	},
}

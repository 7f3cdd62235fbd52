package check

import (
	"kstatus.dev/author/roles"
	"kstatus.dev/internal/decoded"
)

import "kstatus.dev/author/severity"

const clusterNameLabel = "cluster.x-k8s.io/cluster-name"

var withoutSecretName = &check{
	ID: "C-BC-2", Name: "without-secret-name", Severity: severity.Error,
	Doc: `a config with bootstrap data names its Secret

Once the config reports that the Secret is created, core reads status.dataSecretName.
An empty name is an error in each reconcile of the Machine.`,
	Roles: []roles.Role{roles.BootstrapConfig},
	Object: func(p *pass, o providerObject) {
		if o.initialized() && decoded.Text(o.raw, "status", "dataSecretName") == "" {
			p.reportObject(o, "status.dataSecretName", "the config reports a Secret, but status.dataSecretName is empty", "write both at once")
		}
	},
}

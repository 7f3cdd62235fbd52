package capi

import (
	"slices"

	"kstatus.dev/lint"
	"kstatus.dev/severity"
)

var bootstrapSecret = &check{
	ID: "C-BC-3", Name: "bootstrap-secret", Severity: severity.Error,
	Doc: `the Secret with bootstrap data belongs to its config and its cluster

It is labelled with the name of the cluster and has the config as controller among
its owners. Otherwise it is neither moved with the cluster nor removed with the
config. Only the metadata of Secrets is looked at; that the data has one key, value,
cannot be seen there.`,
	Roles: []Role{RoleBootstrapConfig},
	Object: func(p *pass, o providerObject) {
		name := text(o.raw, "status", "dataSecretName")
		if !o.initialized() || name == "" || o.deleting() {
			return
		}
		i, ok := p.graph.index[ref{"", "Secret", o.namespace, name}]
		if !ok {
			if p.options.Secrets {
				p.reportObject(o, "status.dataSecretName", "there is no Secret "+quote(name), "create it before saying so")
			}
			return
		}
		secret := p.graph.objects[i]
		if text(secret, "metadata", "labels", clusterNameLabel) == "" {
			p.ForObject(i).Report(lint.Finding{
				Path:       lint.Path{"metadata", "labels"},
				Message:    "the Secret with bootstrap data has no label " + clusterNameLabel,
				Suggestion: "label it with the name of the cluster",
			})
		}
		if !owned(secret, o.kind, o.name, true) {
			p.ForObject(i).Report(lint.Finding{
				Path:       lint.Path{"metadata", "ownerReferences"},
				Message:    "the Secret is not controlled by " + quote(o.kind+" "+o.name),
				Suggestion: "make the config its controller",
			})
		}
	},
}

// owned reports whether an object names another as its owner, and as its controller if that is asked for.
func owned(o map[string]any, kind, name string, controller bool) bool {
	return slices.ContainsFunc(list(o, "metadata", "ownerReferences"), func(item any) bool {
		owner, _ := item.(map[string]any)
		return text(owner, "kind") == kind && text(owner, "name") == name && (!controller || isTrue(owner, "controller"))
	})
}

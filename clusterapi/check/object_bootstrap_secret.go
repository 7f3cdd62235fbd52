package check

import (
	"slices"

	"kstatus.dev/author/lint"
	"kstatus.dev/author/roles"
	"kstatus.dev/author/severity"
	"kstatus.dev/internal/decoded"
	"kstatus.dev/status"
)

var bootstrapSecret = &check{
	ID: "C-BC-3", Name: "bootstrap-secret", Severity: severity.Error,
	Doc: `the Secret with bootstrap data belongs to its config and its cluster

It has the label with the name of the cluster, and an owner reference to the config
as its controller. Otherwise it is not moved with the cluster, and not deleted with
the config. The check reads only the metadata of Secrets. It cannot see whether the
data has exactly the key value.`,
	Roles: []roles.Role{roles.BootstrapConfig},
	Object: func(p *pass, o providerObject) {
		name := decoded.Text(o.raw, "status", "dataSecretName")
		if !o.initialized() || name == "" || o.deleting() {
			return
		}
		i, ok := p.graph.index[status.ID{Kind: secretKind, Namespace: o.Namespace, Name: name}]
		if !ok {
			if p.options.Secrets {
				p.reportObject(o, "status.dataSecretName", "Secret "+quote(name)+" does not exist", "create it before you report it")
			}
			return
		}
		secret := p.graph.objects[i]
		if decoded.Text(secret, "metadata", "labels", clusterNameLabel) == "" {
			p.ForObject(i).Report(lint.Finding{
				Path:       lint.Path{"metadata", "labels"},
				Message:    "the Secret with bootstrap data lacks the label " + clusterNameLabel,
				Suggestion: "label it with the name of the cluster",
			})
		}
		if !owned(secret, o.Kind.Kind, o.Name, true) {
			p.ForObject(i).Report(lint.Finding{
				Path:       lint.Path{"metadata", "ownerReferences"},
				Message:    "the Secret is not controlled by " + quote(o.Kind.Kind+" "+o.Name),
				Suggestion: "make the config its controller",
			})
		}
	},
}

// owned reports whether an object has an owner reference to another one, as its
// controller if controller is set.
func owned(o map[string]any, kind, name string, controller bool) bool {
	return slices.ContainsFunc(decoded.List(o, "metadata", "ownerReferences"), func(item any) bool {
		owner, _ := item.(map[string]any)
		return decoded.Text(owner, "kind") == kind && decoded.Text(owner, "name") == name && (!controller || decoded.Bool(owner, "controller"))
	})
}

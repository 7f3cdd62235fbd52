package check

import (
	"kstatus.dev/author/lint"
	"kstatus.dev/author/roles"
	"kstatus.dev/author/severity"
	"kstatus.dev/internal/decoded"
	"kstatus.dev/status"
)

var kubeconfigSecret = &check{
	ID: "C-CP-6", Name: "kubeconfig-secret", Severity: severity.Error,
	Doc: `an initialized control plane has its kubeconfig in a Secret

The Secret is named <cluster>-kubeconfig and has the label with the name of the
cluster. Core connects to the cluster with it. The check reads only the metadata of
Secrets.`,
	Roles: []roles.Role{roles.ControlPlane},
	Object: func(p *pass, o providerObject) {
		cluster, ok := p.graph.user(o)
		if !ok || !o.initialized() || o.deleting() {
			return
		}
		name := decoded.Text(cluster, "metadata", "name") + "-kubeconfig"
		i, there := p.graph.index[status.ID{Kind: secretKind, Namespace: o.Namespace, Name: name}]
		switch {
		case !there && p.options.Secrets:
			p.reportObject(o, initializedField(o.role, o.contract), "the control plane is initialized, but Secret "+quote(name)+" does not exist", "create it before you report initialized")
		case there && decoded.Text(p.graph.objects[i], "metadata", "labels", clusterNameLabel) == "":
			p.ForObject(i).Report(lint.Finding{
				Path:       lint.Path{"metadata", "labels"},
				Message:    "the Secret with the kubeconfig lacks the label " + clusterNameLabel,
				Suggestion: "label it with the name of the cluster",
			})
		}
	},
}

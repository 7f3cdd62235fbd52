package capi

import (
	"kstatus.dev/lint"
	"kstatus.dev/severity"
)

var kubeconfigSecret = &check{
	ID: "C-CP-6", Name: "kubeconfig-secret", Severity: severity.Error,
	Doc: `a control plane that is initialized has its kubeconfig in a Secret

It is named <cluster>-kubeconfig and labelled with the name of the cluster. Core
reaches the cluster by it. Only the metadata of Secrets is looked at.`,
	Roles: []Role{RoleControlPlane},
	Object: func(p *pass, o providerObject) {
		cluster, ok := p.graph.user(o)
		if !ok || !o.initialized() || o.deleting() {
			return
		}
		name := text(cluster, "metadata", "name") + "-kubeconfig"
		i, there := p.graph.index[ref{"", "Secret", o.namespace, name}]
		switch {
		case !there && p.options.Secrets:
			p.reportObject(o, initializedField(o.role, o.contract), "initialized, and there is no Secret "+quote(name), "create it before saying so")
		case there && text(p.graph.objects[i], "metadata", "labels", clusterNameLabel) == "":
			p.ForObject(i).Report(lint.Finding{
				Path:       lint.Path{"metadata", "labels"},
				Message:    "the Secret with the kubeconfig has no label " + clusterNameLabel,
				Suggestion: "label it with the name of the cluster",
			})
		}
	},
}

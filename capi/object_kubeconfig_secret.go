package capi

import "kstatus.dev/lint"

var kubeconfigSecret = &check{
	ID: "C-CP-6", Name: "kubeconfig-secret", Severity: lint.Error,
	Doc: `a control plane that is initialized has its kubeconfig in a Secret

It is named <cluster>-kubeconfig and labelled with the name of the cluster. Core
reaches the cluster by it. Only the metadata of Secrets is looked at.`,
	Roles: []Role{ControlPlane},
	Object: func(p *pass, t thing) {
		cluster, ok := p.sight.user(t)
		if !ok || !t.initialized() || t.deleting() {
			return
		}
		name := text(cluster, "metadata", "name") + "-kubeconfig"
		i, there := p.sight.index[ref{"", "Secret", t.namespace, name}]
		switch {
		case !there && p.options.Secrets:
			p.found(t, Initialized(t.role, t.contract), "initialized, and there is no Secret "+quote(name), "create it before saying so")
		case there && text(p.sight.objects[i], "metadata", "labels", clusterNameLabel) == "":
			p.ReportOn(i, lint.Path{"metadata", "labels"}, "the Secret with the kubeconfig has no label "+clusterNameLabel, "label it with the name of the cluster", nil)
		}
	},
}

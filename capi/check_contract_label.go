package capi

import (
	"strings"

	"kstatus.dev/lint"
)

var contractLabel = &check{
	ID: "C-RES-2", Name: "contract-label", Severity: lint.Error,
	Doc: `a label says which versions follow which contract (L-29)

Core decides by the labels cluster.x-k8s.io/v1beta2 and cluster.x-k8s.io/v1beta1
of the definition which version of an object it reads, and which fields of it. The
first of them that is not empty counts. Without one every object of the kind fails
with "cannot find any versions matching contract". Most providers add the labels
with kustomize: check what kustomize builds, or say --contract.`,
	Kind: func(p *pass, k kind) {
		if k.labelled || p.options.Contract != "" || k.role == IPPool {
			return
		}
		for _, c := range contracts {
			if k.Labels[c.Label()] != "" {
				return
			}
		}
		p.Report(lint.Path{"metadata", "labels"}, "no label of a contract; judged by "+string(k.contract),
			k.contract.Label()+": "+k.version.Name, k.labels())
	},
}

// labels returns the fix that adds the label of the contract, if the fields that
// core waits for are there.
func (k kind) labels() *lint.Fix {
	if k.version.Name == "" || object(k.Raw, "metadata") == nil || k.role.Reports() && k.lacks(Initialized(k.role, k.contract)) {
		return nil
	}
	names := []string{k.version.Name}
	for _, v := range k.Versions {
		same := v.Schema.At(strings.Split(Initialized(k.role, k.contract), ".")...)
		if v.Name != k.version.Name && v.Served && k.role.Reports() && same.There() {
			names = append(names, v.Name)
		}
	}
	value := strings.Join(names, "_")
	if object(k.Raw, "metadata", "labels") == nil {
		return add(lint.Path{"metadata", "labels"}, map[string]any{k.contract.Label(): value})
	}
	return add(lint.Path{"metadata", "labels", k.contract.Label()}, value)
}

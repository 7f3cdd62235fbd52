package check

import (
	"slices"
	"strings"

	"kstatus.dev/author/lint"
	"kstatus.dev/author/roles"
	"kstatus.dev/author/severity"
	"kstatus.dev/internal/decoded"
)

var contractLabel = &check{
	ID: "C-RES-2", Name: "contract-label", Severity: severity.Error,
	Doc: `a label maps contracts to the versions that follow them (L-29)

The labels cluster.x-k8s.io/v1beta2 and cluster.x-k8s.io/v1beta1 of the definition
decide which version of an object core reads, and which of its fields. The first
label that is not empty counts. Without a label, every object of the kind fails with
"cannot find any versions matching contract". Most providers add the labels with
kustomize: check the output of kustomize, or set --contract. A definition without any
labels, as controller-gen writes it, gets only a finding of level info.`,
	Kind: func(p *pass, k kind) {
		if k.labelled || p.options.Contract != "" || k.role == roles.IPPool {
			return
		}
		for _, c := range contracts {
			if k.Labels[c.Label()] != "" {
				return
			}
		}
		if k.isGenerated(p.Bundle) {
			if k.contract == ContractV1Beta1 {
				return // see contract-deadline
			}
			p.Report(lint.Finding{
				Severity:   severity.Info,
				Path:       lint.Path{"metadata", "labels"},
				Message:    "no contract label yet; checked against " + string(k.contract),
				Suggestion: k.contract.Label() + ": " + k.version.Name + ", here or with kustomize",
			})
			return
		}
		p.Report(lint.Finding{
			Path:       lint.Path{"metadata", "labels"},
			Message:    "no contract label; checked against " + string(k.contract),
			Suggestion: k.contract.Label() + ": " + k.version.Name,
			Fix:        k.labels(),
		})
	},
}

// isGenerated reports whether the definition looks like the output of a generator. Such a
// definition has no labels and is not from a cluster, and its bundle has no
// workloads.
func (k kind) isGenerated(b lint.Bundle) bool {
	if len(decoded.Map(k.Raw, "metadata", "labels")) > 0 || decoded.Text(k.Raw, "metadata", "uid") != "" {
		return false
	}
	return !slices.ContainsFunc(b.Objects, func(o map[string]any) bool { return decoded.Text(o, "kind") == "Deployment" })
}

// labels returns the fix that adds the contract label, if the kind has the
// fields that core waits for.
func (k kind) labels() *lint.Fix {
	if k.version.Name == "" || decoded.Map(k.Raw, "metadata") == nil || k.role.HasStatus() && k.lacks(initializedField(k.role, k.contract)) {
		return nil
	}
	names := []string{k.version.Name}
	for _, v := range k.Versions {
		same := v.Schema.At(strings.Split(initializedField(k.role, k.contract), ".")...)
		if v.Name != k.version.Name && v.Served && k.role.HasStatus() && same.Exists() {
			names = append(names, v.Name)
		}
	}
	value := strings.Join(names, "_")
	if decoded.Map(k.Raw, "metadata", "labels") == nil {
		return add(lint.Path{"metadata", "labels"}, map[string]any{k.contract.Label(): value})
	}
	return add(lint.Path{"metadata", "labels", k.contract.Label()}, value)
}

package check

import (
	"strings"

	"kstatus.dev/author/lint"
	"kstatus.dev/author/severity"
	"kstatus.dev/internal/decoded"
)

var crdName = &check{
	ID: "C-RES-1", Name: "crd-name", Severity: severity.Error,
	Doc: `the definition has the name that core computes (L-35)

Core does not search for the definition of a kind that a Cluster refers to. It
computes the name: the plural of the kind by the rules of gobuffalo/flect, a dot, and
the group. If no definition has that name, each reconcile of the owner fails. If core
never looks the definition up, give it the annotation
clusterctl.cluster.x-k8s.io/skip-crd-name-preflight-check.`,
	Kind: func(p *pass, k kind) {
		_, skipped := decoded.Map(k.Raw, "metadata", "annotations")["clusterctl.cluster.x-k8s.io/skip-crd-name-preflight-check"]
		if p.Options.Plural == nil || skipped {
			return
		}
		if want := p.Options.Plural(strings.ToLower(k.Kind)) + "." + k.Group; k.Name != want {
			p.Report(lint.Finding{
				Path:       lint.Path{"metadata", "name"},
				Message:    "core looks for " + quote(want) + ", so it does not find this definition",
				Suggestion: "name: " + want,
			})
		}
	},
}

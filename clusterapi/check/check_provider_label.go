package check

import (
	"regexp"
	"slices"

	"kstatus.dev/author/lint"
	"kstatus.dev/author/severity"
	"kstatus.dev/internal/decoded"
)

var providerLabel = &check{
	ID: "C-PK-2", Name: "provider-label", Severity: severity.Warning,
	Doc: `definitions have the labels by which clusterctl recognizes them (L-42)

In a components file the label is cluster.x-k8s.io/provider, with the type and the
name of the provider. In a cluster it is clusterctl.cluster.x-k8s.io, which
clusterctl adds when it installs. clusterctl move ignores objects of a kind without
it. That includes kinds that have no role in the contract, and objects with the label
clusterctl.cluster.x-k8s.io/move. For kstatus capi move, that label is enough, on the
object or on the definition.`,
	Bundle: func(p *pass) {
		components := slices.ContainsFunc(p.Bundle.Objects, func(o map[string]any) bool { return decoded.Text(o, "kind") == "Deployment" })
		for _, crd := range p.CRDs() {
			at := lint.Path{"metadata", "labels"}
			_, hasRole := p.options.kindOf(crd)
			switch _, seen := crd.Labels[installedLabel]; {
			case isCoreGroup(crd.Group) && !hasRole:
			case decoded.Text(crd.Raw, "metadata", "uid") != "":
				if !seen && (hasRole || isOfProvider(crd)) {
					p.ForObject(crd.Index).Report(lint.Finding{
						Path:       at,
						Message:    "clusterctl move ignores objects of this kind: the label clusterctl.cluster.x-k8s.io is missing",
						Suggestion: "install with clusterctl, or add the label",
					})
				}
			case components && crd.Labels[providerNameLabel] == "":
				p.ForObject(crd.Index).Report(lint.Finding{
					Path:       at,
					Message:    "the label cluster.x-k8s.io/provider is missing",
					Suggestion: "cluster.x-k8s.io/provider: <type>-<name>",
				})
			}
		}
	},
}

// These match a variable that clusterctl can parse, and a text that looks like
// a variable.
var (
	variablePattern = regexp.MustCompile(`\$\{[^}]*\}?`)
	validVariable   = regexp.MustCompile(`^\$\{ *[A-Za-z_][A-Za-z0-9_]* *((:?[=-]|[:/#%,^]).*)?\}$`)
)

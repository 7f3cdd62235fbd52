package check

import (
	"slices"

	"kstatus.dev/author/lint"
	"kstatus.dev/author/roles"
	"kstatus.dev/author/severity"
	"kstatus.dev/internal/decoded"
)

var apiGroup = &check{
	ID: "C-ALL-4", Name: "api-group", Severity: severity.Warning,
	Doc: `core has permissions on the group

By default core has permissions on infrastructure., bootstrap. and
controlplane.cluster.x-k8s.io. For another group a ClusterRole has to grant them, and
the bundle has none. Check everything that is installed together, or make sure that
the ClusterRole exists.`,
	Kind: func(p *pass, k kind) {
		if k.role != roles.IPPool && !slices.Contains(coveredGroups, k.Group) && !p.hasRoles() {
			p.Report(lint.Finding{
				Path:       lint.Path{"spec", "group"},
				Message:    "core has no permissions on " + quote(k.Group) + " by default, and the input has no ClusterRole",
				Suggestion: "check the ClusterRole too",
			})
		}
	},
}

func (p *pass) hasRoles() bool {
	return slices.ContainsFunc(p.Bundle.Objects, func(o map[string]any) bool { return decoded.Text(o, "kind") == "ClusterRole" })
}

// isGrantedToCore reports whether an aggregated ClusterRole of the bundle grants a
// verb.
func (p *pass) isGrantedToCore(group, resource, verb string) bool {
	for _, o := range p.Bundle.Objects {
		if decoded.Text(o, "kind") != "ClusterRole" || decoded.Text(o, "metadata", "labels", AggregateLabel) != "true" {
			continue
		}
		for _, rule := range decoded.Maps(o, "rules") {
			if names(rule, "apiGroups", group) && names(rule, "resources", resource) && names(rule, "verbs", verb) && decoded.List(rule, "resourceNames") == nil {
				return true
			}
		}
	}
	return false
}

// names reports whether a list of a rule contains a value or the wildcard.
func names(rule map[string]any, key, value string) bool {
	return slices.Contains(decoded.List(rule, key), any(value)) || slices.Contains(decoded.List(rule, key), any("*"))
}

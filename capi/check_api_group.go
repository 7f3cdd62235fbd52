package capi

import (
	"slices"

	"kstatus.dev/lint"
	"kstatus.dev/severity"
)

var apiGroup = &check{
	ID: "C-ALL-4", Name: "api-group", Severity: severity.Warning,
	Doc: `core has rights on the group

Core has them on infrastructure., bootstrap. and controlplane.cluster.x-k8s.io. On
another group a ClusterRole has to grant them, and none stands beside the
definitions: check what is installed together, or see that it is there.`,
	Kind: func(p *pass, k kind) {
		if k.role != RoleIPPool && !slices.Contains(coveredGroups, k.Group) && !p.hasRoles() {
			p.Report(lint.Finding{
				Path:       lint.Path{"spec", "group"},
				Message:    "core has no rights on " + quote(k.Group) + " by itself, and no ClusterRole is among what is checked",
				Suggestion: "check the ClusterRole too",
			})
		}
	},
}

func (p *pass) hasRoles() bool {
	return slices.ContainsFunc(p.Bundle.Objects, func(o map[string]any) bool { return text(o, "kind") == "ClusterRole" })
}

// mayCore reports whether an aggregated role of the bundle grants a verb.
func (p *pass) mayCore(group, resource, verb string) bool {
	for _, o := range p.Bundle.Objects {
		if text(o, "kind") != "ClusterRole" || text(o, "metadata", "labels", AggregateLabel) != "true" {
			continue
		}
		for _, item := range list(o, "rules") {
			rule, _ := item.(map[string]any)
			if names(rule, "apiGroups", group) && names(rule, "resources", resource) && names(rule, "verbs", verb) && list(rule, "resourceNames") == nil {
				return true
			}
		}
	}
	return false
}

// names reports whether a list of a rule names a value, or all.
func names(rule map[string]any, key, value string) bool {
	return slices.Contains(list(rule, key), any(value)) || slices.Contains(list(rule, key), any("*"))
}

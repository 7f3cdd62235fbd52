package capi

import (
	"slices"
	"strings"

	"kstatus.dev/lint"
	"kstatus.dev/severity"
)

// coveredGroups are those on which core has rights by itself.
var coveredGroups = []string{"infrastructure.cluster.x-k8s.io", "bootstrap.cluster.x-k8s.io", "controlplane.cluster.x-k8s.io", "ipam.cluster.x-k8s.io"}

// AggregateLabel is that of ClusterRoles whose rules core takes over.
const AggregateLabel = "cluster.x-k8s.io/aggregate-to-manager"

// The verbs that core needs on objects that it owns, and on templates.
var (
	ownedVerbs    = []string{"create", "delete", "get", "list", "patch", "update", "watch"}
	templateVerbs = []string{"get", "list", "patch", "update", "watch"}
)

var aggregateRole = &check{
	ID: "C-RES-6", Name: "aggregate-role", Severity: severity.Error,
	Doc: `a ClusterRole gives core its rights on a group of its own (L-42)

Core has rights on the groups infrastructure, bootstrap and controlplane of
cluster.x-k8s.io. On any other group it gets them from a ClusterRole labelled
cluster.x-k8s.io/aggregate-to-manager: "true": get, list, watch, create, update,
patch and delete on each kind, for templates without create and delete. Otherwise
core may not even read the object. Checked where roles stand beside definitions.`,
	Bundle: func(p *pass) {
		if !p.hasRoles() {
			return
		}
		for _, k := range p.options.kinds(p.Pass) {
			if k.role == RoleIPPool || slices.Contains(coveredGroups, k.Group) {
				continue
			}
			need := ownedVerbs
			if k.role.IsTemplate() {
				need = templateVerbs
			}
			var lacking []string
			for _, verb := range need {
				if !p.mayCore(k.Group, k.Plural, verb) {
					lacking = append(lacking, verb)
				}
			}
			if lacking != nil {
				p.ForObject(k.Index).Report(lint.Finding{
					Path:       lint.Path{"spec", "group"},
					Message:    "core may not " + strings.Join(lacking, ", ") + " " + quote(k.Plural+"."+k.Group),
					Suggestion: "grant it by a ClusterRole labelled " + AggregateLabel + `: "true"`,
				})
			}
		}
	},
}

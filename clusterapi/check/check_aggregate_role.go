package check

import (
	"slices"
	"strings"

	"kstatus.dev/author/lint"
	"kstatus.dev/author/roles"
	"kstatus.dev/author/severity"
)

// coveredGroups are the groups on which core has permissions by default.
var coveredGroups = []string{"infrastructure.cluster.x-k8s.io", "bootstrap.cluster.x-k8s.io", "controlplane.cluster.x-k8s.io", "ipam.cluster.x-k8s.io"}

// AggregateLabel is the label of ClusterRoles whose rules are added to core's.
const AggregateLabel = "cluster.x-k8s.io/aggregate-to-manager"

// These are the verbs that core needs on objects that it owns, and on
// templates.
var (
	ownedVerbs    = []string{"create", "delete", "get", "list", "patch", "update", "watch"}
	templateVerbs = []string{"get", "list", "patch", "update", "watch"}
)

var aggregateRole = &check{
	ID: "C-RES-6", Name: "aggregate-role", Severity: severity.Error,
	Doc: `a ClusterRole grants core its permissions on a group of the provider's own (L-42)

Core has permissions on the groups infrastructure, bootstrap and controlplane of
cluster.x-k8s.io. For any other group, a ClusterRole with the label
cluster.x-k8s.io/aggregate-to-manager: "true" must grant them. Core needs get, list,
watch, patch and update on each kind. It also needs create and delete, except on
templates. Without these permissions core may not even read the object. This check
runs only where the bundle has roles beside the definitions.`,
	Bundle: func(p *pass) {
		if !p.hasRoles() {
			return
		}
		for _, k := range p.options.kinds(p.Pass) {
			if k.role == roles.IPPool || slices.Contains(coveredGroups, k.Group) {
				continue
			}
			need := ownedVerbs
			if k.role.IsTemplate() {
				need = templateVerbs
			}
			var lacking []string
			for _, verb := range need {
				if !p.isGrantedToCore(k.Group, k.Plural, verb) {
					lacking = append(lacking, verb)
				}
			}
			if lacking != nil {
				p.ForObject(k.Index).Report(lint.Finding{
					Path:       lint.Path{"spec", "group"},
					Message:    "core lacks the permission to " + strings.Join(lacking, ", ") + " " + quote(k.Plural+"."+k.Group),
					Suggestion: "grant it in a ClusterRole labelled " + AggregateLabel + `: "true"`,
				})
			}
		}
	},
}

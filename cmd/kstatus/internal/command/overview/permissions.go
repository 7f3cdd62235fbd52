package overview

import (
	"strings"

	"kstatus.dev/cmd/kstatus/internal/permission"
	"kstatus.dev/cmd/kstatus/internal/selection"
	kubesource "kstatus.dev/kube/source"
)

// Permissions returns what a command line of kstatus without a command reads.
func Permissions(permission.Line) (n permission.Need, err error) {
	n.Explanation, n.Stuck = permission.ExplanationRequired, true
	for _, name := range append(selection.ClusterTypes, definitions.GroupResource().String()) {
		resource, group, _ := strings.Cut(name, ".")
		n.InAllNamespaces = append(n.InAllNamespaces, kubesource.Permission{Purpose: kubesource.PurposeObjects, Group: group, Resource: resource, Verbs: []string{"list"}})
	}
	return n, nil
}

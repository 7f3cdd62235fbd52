package audit

import (
	"context"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"

	"kstatus.dev/author/writes"
	"kstatus.dev/cmd/kstatus/internal/connection"
	"kstatus.dev/cmd/kstatus/internal/permission"
	kubesource "kstatus.dev/kube/source"
)

// Permissions returns what a command line of kstatus audit reads: the writes to kinds.
func Permissions(l permission.Line) (permission.Need, error) {
	return permission.Need{Args: []string{strings.Join(l.Args(), ",")}, Compute: watchPermissions}, nil
}

func watchPermissions(ctx context.Context, c *connection.Cluster, args []string, allNamespaces bool) (needs []kubesource.Permission, _ string, err error) {
	watched := writes.Cluster{Config: c.Config}
	for _, arg := range args {
		watched.Kinds = append(watched.Kinds, strings.Split(arg, ",")...)
	}
	mappings, err := watched.Mappings(ctx)
	for _, m := range mappings {
		n := kubesource.Permission{Purpose: kubesource.PurposeObjects, Group: m.Resource.Group, Resource: m.Resource.Resource, Verbs: []string{"list", "watch"}}
		if m.Scope.Name() == meta.RESTScopeNameNamespace && !allNamespaces {
			n.Namespace = c.Namespace
		}
		needs = append(needs, n)
	}
	return needs, "", err
}

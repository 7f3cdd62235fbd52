package pause

import (
	"context"
	"slices"

	"k8s.io/apimachinery/pkg/api/meta"

	kubepause "kstatus.dev/clusterapi/pause"
	"kstatus.dev/cmd/kstatus/internal/connection"
	"kstatus.dev/cmd/kstatus/internal/pausetarget"
	"kstatus.dev/cmd/kstatus/internal/permission"
	kubesource "kstatus.dev/kube/source"
	"kstatus.dev/status"
)

// Permissions returns what a command line of kstatus capi pause or unpause reads and writes.
func Permissions(l permission.Line) (permission.Need, error) {
	compute := func(ctx context.Context, c *connection.Cluster, args []string, allNamespaces bool) ([]kubesource.Permission, string, error) {
		s := pausetarget.Selection{AllNamespaces: allNamespaces}
		s.Labels, _ = l.Flags().GetString("selector")
		s.All, _ = l.Flags().GetBool("all")
		needs, err := permissionsFor(ctx, c, s, args)
		return needs, "", err
	}
	return permission.Need{Args: l.Args(), Compute: compute, IgnoresSelection: true, NamesRoles: true}, nil
}

func permissionsFor(ctx context.Context, c *connection.Cluster, s pausetarget.Selection, args []string) ([]kubesource.Permission, error) {
	if err := s.Check(args); err != nil {
		return nil, err
	}
	targets, err := s.Targets(ctx, c, args)
	if err != nil {
		return nil, err
	}
	mappings, err := kubepause.Mappings(ctx, c.Config)
	if err != nil {
		return nil, connection.WithExitCode(err)
	}
	needs := []kubesource.Permission{{
		Purpose: kubesource.PurposeObjects, Group: permission.DefinitionsGroup, Resource: permission.DefinitionsResource, Verbs: []string{"get", "list", "watch"},
	}}
	for _, m := range mappings {
		// The command writes targets, and may wake the controller of any object.
		n := kubesource.Permission{
			Purpose: kubesource.PurposeObjects, Group: m.Resource.Group, Resource: m.Resource.Resource, Verbs: []string{"get", "list", "watch", "patch"},
		}
		switch {
		case m.Scope.Name() == meta.RESTScopeNameNamespace && !s.AllNamespaces:
			n.Namespace = c.Namespace
		case m.Scope.Name() != meta.RESTScopeNameNamespace && !slices.ContainsFunc(targets, func(t status.ID) bool { return t.Namespace == "" }):
			continue // cluster-scoped kinds are not below a Cluster
		}
		needs = append(needs, n)
	}
	return needs, nil
}

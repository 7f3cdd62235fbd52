package rbac

import (
	"context"
	"slices"

	"k8s.io/apimachinery/pkg/api/meta"

	kubepause "kstatus.dev/clusterapi/pause"
	"kstatus.dev/cmd/kstatus/internal/connection"
	"kstatus.dev/cmd/kstatus/internal/pausetarget"
	kubesource "kstatus.dev/kube/source"
)

// pauseNeeds returns the permissions of a command line of kstatus capi pause or unpause.
func (r *command) pauseNeeds(ctx context.Context, c *connection.Cluster, args []string) ([]kubesource.Permission, error) {
	flags := r.pause.Flags()
	s := pausetarget.Selection{AllNamespaces: r.objects.AllNamespaces}
	s.Labels, _ = flags.GetString("selector")
	s.All, _ = flags.GetBool("all")
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
		Purpose: kubesource.PurposeObjects, Group: "apiextensions.k8s.io", Resource: definitionsResource, Verbs: []string{"get", "list", "watch"},
	}}
	for _, m := range mappings {
		// The command writes targets, and may wake the controller of any object.
		n := kubesource.Permission{
			Purpose: kubesource.PurposeObjects, Group: m.Resource.Group, Resource: m.Resource.Resource, Verbs: []string{"get", "list", "watch", "patch"},
		}
		switch {
		case m.Scope.Name() == meta.RESTScopeNameNamespace && !s.AllNamespaces:
			n.Namespace = c.Namespace
		case m.Scope.Name() != meta.RESTScopeNameNamespace && !slices.ContainsFunc(targets, func(t kubepause.Target) bool { return t.Namespace == "" }):
			continue // cluster-scoped kinds are not below a Cluster
		}
		needs = append(needs, n)
	}
	return needs, nil
}

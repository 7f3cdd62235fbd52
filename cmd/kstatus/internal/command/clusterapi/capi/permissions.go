package capi

import (
	"context"

	"kstatus.dev/cmd/kstatus/internal/connection"
	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/cmd/kstatus/internal/permission"
	kubesource "kstatus.dev/kube/source"
)

// Permissions returns what a command line of kstatus capi check reads. With --live these are the
// definitions, the role of the core, and the objects of the contract.
func Permissions(l permission.Line) (permission.Need, error) {
	files, err := l.Flags().GetStringArray("filename")
	compute := func(ctx context.Context, c *connection.Cluster, _ []string, allNamespaces bool) ([]kubesource.Permission, string, error) {
		needs, err := checkPermissions(ctx, l, c, allNamespaces)
		if err != nil {
			return nil, "", err
		}
		return permission.OfChecks(l.Env, needs), "", nil
	}
	return permission.Need{Args: append(files, l.Args()...), Compute: compute, IgnoresSelection: true, NamesRoles: true}, err
}

func checkPermissions(ctx context.Context, l permission.Line, c *connection.Cluster, allNamespaces bool) (needs []kubesource.Permission, err error) {
	if scenarios, _ := l.Flags().GetStringArray("scenarios"); len(scenarios) > 0 {
		return nil, exit.Usagef("capi check --scenarios: it creates objects, and kstatus rbac prints only permissions to read")
	}
	if live, _ := l.Flags().GetBool("live"); !live {
		return nil, nil
	}
	namespace := c.Namespace
	if allNamespaces {
		namespace = ""
	}
	needs = append(needs, permission.ToRead(permission.DefinitionsGroup, permission.DefinitionsResource, "", "list"),
		permission.ToRead("rbac.authorization.k8s.io", "clusterroles", "", "list"))
	roles, _ := l.Flags().GetStringArray("role")
	resources, err := liveResources(ctx, c.Client.Interfaces().Dynamic, roles)
	if err != nil {
		return nil, err
	}
	for _, resource := range resources {
		needs = append(needs, permission.ToRead(resource.Group, resource.Resource, namespace, "list"))
	}
	return append(needs, kubesource.Permission{Purpose: permission.PurposeChecks, Namespace: namespace, Resource: permission.SecretsResource, Verbs: []string{"list"}}), nil
}

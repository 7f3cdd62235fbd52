package rbac

import (
	"context"
	"slices"
	"strings"

	"kstatus.dev/cmd/kstatus/internal/command/author/lint"
	"kstatus.dev/cmd/kstatus/internal/command/clusterapi/capi"
	"kstatus.dev/cmd/kstatus/internal/connection"
	"kstatus.dev/cmd/kstatus/internal/exit"
	kubesource "kstatus.dev/kube/source"
)

// purposeChecks is the purpose of permissions for the checks of Secrets.
const purposeChecks kubesource.Purpose = "checks"

// checkNeeds returns the permissions of a command line of kstatus lint or kstatus capi check.
func (r *command) checkNeeds(ctx context.Context, c *connection.Cluster, args []string) (needs []kubesource.Permission, err error) {
	flags := r.checks.Flags()
	live, _ := flags.GetBool("live")
	patch, _ := flags.GetString("patch")
	need := func(group, resource, namespace, verb string, names ...string) {
		needs = append(needs, kubesource.Permission{Purpose: kubesource.PurposeObjects, Group: group, Resource: resource, Namespace: namespace, Names: names, Verbs: []string{verb}})
	}
	const definitionsGroup = "apiextensions.k8s.io"
	if live {
		need(definitionsGroup, definitionsResource, "", "list")
	}
	switch scenarios, _ := flags.GetStringArray("scenarios"); {
	case live && patch != "":
		return nil, exit.Usagef("lint --live --patch: want crd/NAME, since --patch reads the objects of each definition")
	case len(scenarios) > 0:
		return nil, exit.Usagef("capi check --scenarios: it creates objects, and kstatus rbac prints only permissions to read")
	case r.checks.Name() == "lint":
		for _, arg := range args {
			name, ok := lint.DefinitionNamed(arg)
			if !ok {
				continue
			}
			need(definitionsGroup, definitionsResource, "", "get", name)
			if resource, group, _ := strings.Cut(name, "."); patch != "" {
				need(group, resource, "", "list")
			}
		}
	case live:
		namespace := c.Namespace
		if r.objects.AllNamespaces {
			namespace = ""
		}
		need("rbac.authorization.k8s.io", "clusterroles", "", "list")
		roles, _ := flags.GetStringArray("role")
		resources, err := capi.LiveResources(ctx, c.Client.Interfaces().Dynamic, roles)
		if err != nil {
			return nil, err
		}
		for _, resource := range resources {
			need(resource.Group, resource.Resource, namespace, "list")
		}
		needs = append(needs, kubesource.Permission{Purpose: purposeChecks, Namespace: namespace, Resource: secretsResource, Verbs: []string{"list"}})
	}
	if len(needs) == 0 {
		r.env.Print("note: this command line needs no permissions: it reads only files")
	}
	return mergedByName(needs), nil
}

// mergedByName returns the permissions with one permission for all names of a resource.
func mergedByName(needs []kubesource.Permission) (merged []kubesource.Permission) {
	for _, n := range needs {
		i := slices.IndexFunc(merged, func(m kubesource.Permission) bool {
			return len(m.Names) > 0 && len(n.Names) > 0 && m.Group == n.Group && m.Resource == n.Resource
		})
		if i < 0 {
			merged = append(merged, n)
			continue
		}
		merged[i].Names = append(merged[i].Names, n.Names...)
	}
	return merged
}

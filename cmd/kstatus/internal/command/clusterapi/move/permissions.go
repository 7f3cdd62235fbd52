package move

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	kubemove "kstatus.dev/clusterapi/move"
	"kstatus.dev/clusterapi/move/plan"
	"kstatus.dev/cmd/kstatus/internal/connection"
	"kstatus.dev/cmd/kstatus/internal/permission"
	"kstatus.dev/internal/text"
	kubesource "kstatus.dev/kube/source"
)

// Permissions returns what a command line of kstatus capi move reads and writes, in both clusters.
func Permissions(l permission.Line) (permission.Need, error) {
	compute := func(ctx context.Context, c *connection.Cluster, _ []string, allNamespaces bool) ([]kubesource.Permission, string, error) {
		return permissionsFor(ctx, c, l.Flags(), allNamespaces)
	}
	return permission.Need{Args: l.Args(), Compute: compute, IgnoresSelection: true}, nil
}

// The verbs that a move needs for the objects of the source and of the target.
var (
	folderVerbs = []string{"get", "list", "watch", "patch"} // of the source, if the target is a folder
	targetVerbs = []string{"get", "list", "watch", "create", "update", "patch", "delete"}
)

// admissions are the resources that say which deletions a webhook or a policy may refuse. Without
// them, a move tries each deletion as a dry run.
var admissions = []string{"validatingwebhookconfigurations", "mutatingwebhookconfigurations", "validatingadmissionpolicies"}

// labeledMappings returns the mappings of custom resources that only the labels of their objects make
// part of a move. A note says which may be missing, with the command that adds them.
func labeledMappings(ctx context.Context, c *connection.Cluster, flags *pflag.FlagSet, allNamespaces bool) (all []*meta.RESTMapping, note string) {
	var scope plan.Scope
	scope.Clusters, _ = flags.GetStringSlice("cluster")
	scope.Selector, _ = flags.GetString("selector")
	if !allNamespaces {
		scope.Namespaces = []string{c.Namespace}
	}
	folder, _ := flags.GetString("from-directory")
	if folder == "" && !scope.IsWhole() {
		return nil, "" // labels do not count
	}
	const incomplete, command = "Incomplete: these roles lack custom resources whose definitions have no label of Cluster API%s. " +
		"To move such an object, label its definition, and print the roles again: ", "kubectl label crd %s clusterctl.cluster.x-k8s.io="
	if folder != "" {
		return nil, fmt.Sprintf(incomplete+command, "", "NAME")
	}
	all, unlisted, err := kubemove.LabeledMappings(ctx, c.Config, scope)
	if err != nil {
		return nil, fmt.Sprintf(incomplete+command, ", because the labels of their objects cannot be read: "+text.Line(err.Error()), "NAME")
	}
	var names []string
	for _, u := range unlisted {
		if strings.Contains(u.Group, ".") && !strings.HasSuffix(u.Group, ".k8s.io") {
			names = append(names, u.String())
		}
	}
	if len(names) == 0 {
		return all, ""
	}
	return all, fmt.Sprintf(incomplete+command, ", because you may not list "+text.And(names), strings.Join(names, " "))
}

// permissionsFor returns the permissions of a command line with these flags. The result for two
// clusters is what the target needs. It contains what the source needs. A note says what is missing.
func permissionsFor(ctx context.Context, c *connection.Cluster, flags *pflag.FlagSet, allNamespaces bool) (needs []kubesource.Permission, note string, err error) {
	mappings, err := kubemove.Mappings(ctx, c.Config)
	if err != nil {
		return nil, "", connection.WithExitCode(err)
	}
	labeled, note := labeledMappings(ctx, c, flags, allNamespaces)
	for _, m := range labeled {
		isKnown := func(k *meta.RESTMapping) bool { return k.Resource.GroupResource() == m.Resource.GroupResource() }
		if !slices.ContainsFunc(mappings, isKnown) {
			mappings = append(mappings, m)
		}
	}
	folder, _ := flags.GetString("to-directory")
	journal, _ := flags.GetString("journal-namespace")
	verbs := targetVerbs
	if folder != "" {
		verbs = folderVerbs
	}
	needs = []kubesource.Permission{
		{Group: permission.DefinitionsGroup, Resource: permission.DefinitionsResource, Verbs: []string{"get", "list", "watch"}},
		{Resource: "namespaces", Names: []string{metav1.NamespaceSystem}, Verbs: []string{"get"}}, // its UID identifies the cluster
	}
	if folder == "" {
		needs = append(needs, kubesource.Permission{Resource: "namespaces", Verbs: []string{"get", "create"}})
		for _, resource := range admissions {
			needs = append(needs, kubesource.Permission{Group: "admissionregistration.k8s.io", Resource: resource, Verbs: []string{"list"}})
		}
	}
	for _, m := range mappings {
		n := kubesource.Permission{Group: m.Resource.Group, Resource: m.Resource.Resource, Verbs: verbs}
		if m.Scope.Name() == meta.RESTScopeNameNamespace && !allNamespaces {
			n.Namespace = c.Namespace
		}
		needs = append(needs, n)
	}
	if journal != "" {
		needs = append(needs,
			kubesource.Permission{Resource: "configmaps", Namespace: journal, Verbs: []string{"get", "list", "create", "update", "delete"}},
			kubesource.Permission{Group: "coordination.k8s.io", Resource: "leases", Namespace: journal, Verbs: []string{"get", "create", "update", "delete"}})
	}
	for i := range needs {
		needs[i].Purpose = permission.PurposeMove
	}
	return needs, note, nil
}

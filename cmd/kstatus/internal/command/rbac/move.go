package rbac

import (
	"context"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	kubemove "kstatus.dev/clusterapi/move"
	"kstatus.dev/cmd/kstatus/internal/connection"
	kubesource "kstatus.dev/kube/source"
)

// purposeMove is the purpose of permissions for a move.
const purposeMove kubesource.Purpose = "move"

// The verbs that a move needs for the objects of the source and of the target.
var (
	folderVerbs = []string{"get", "list", "watch", "patch"} // of the source, if the target is a folder
	targetVerbs = []string{"get", "list", "watch", "create", "update", "patch", "delete"}
)

// foreignNote says what the roles of a move do not include.
const foreignNote = "Incomplete: these roles lack custom resources whose definitions have no label of Cluster API. " +
	"To move such an object, label its definition, and print the roles again: kubectl label crd NAME clusterctl.cluster.x-k8s.io="

// admissions are the resources that say which deletions a webhook or a policy may refuse. Without
// them, a move tries each deletion as a dry run.
var admissions = []string{"validatingwebhookconfigurations", "mutatingwebhookconfigurations", "validatingadmissionpolicies"}

// moveNeeds returns the permissions of a command line of kstatus capi move. The result for two
// clusters is what the target needs. It contains what the source needs.
func (r *command) moveNeeds(ctx context.Context, c *connection.Cluster) ([]kubesource.Permission, error) {
	flags := r.move.Flags()
	mappings, err := kubemove.Mappings(ctx, c.Config)
	if err != nil {
		return nil, connection.WithExitCode(err)
	}
	folder, _ := flags.GetString("to-directory")
	journal, _ := flags.GetString("journal-namespace")
	verbs := targetVerbs
	if folder != "" {
		verbs = folderVerbs
	}
	needs := []kubesource.Permission{
		{Group: "apiextensions.k8s.io", Resource: definitionsResource, Verbs: []string{"get", "list", "watch"}},
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
		if m.Scope.Name() == meta.RESTScopeNameNamespace && !r.objects.AllNamespaces {
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
		needs[i].Purpose = purposeMove
	}
	return needs, nil
}

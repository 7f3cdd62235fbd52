package rbac

import (
	"fmt"
	"slices"

	rbacv1 "k8s.io/api/rbac/v1"

	"kstatus.dev/cmd/kstatus/internal/permission"
	"kstatus.dev/internal/text"
	kubesource "kstatus.dev/kube/source"
)

// withoutSecrets removes the permissions to read all Secrets of a namespace, unless --secrets
// requests them. missing has a text for each removed permission. For explanations, withheld has
// the namespaces instead, where an empty name means all.
func (r *command) withoutSecrets(needs []kubesource.Permission) (kept []kubesource.Permission, missing []string, withheld map[string]bool) {
	withheld = map[string]bool{}
	for _, n := range needs {
		if r.secrets || n.Group != "" || n.Resource != permission.SecretsResource || len(n.Names) > 0 {
			kept = append(kept, n)
			continue
		}
		if n.Purpose == deletions {
			continue // Secrets are left out
		}
		if n.Purpose == explanations {
			withheld[n.Namespace] = true // a comment of the role names it
			continue
		}
		why := "A selection of Secrets names none, so it needs them."
		switch n.Purpose {
		case purposeSets:
			why = "Helm releases need them, since each revision is in another Secret."
		case permission.PurposeMove:
			why = "A move copies the Secrets of Clusters and Machines."
		case permission.PurposeChecks:
			why = "Without them, Secrets are not checked."
		}
		missing = append(missing, fmt.Sprintf("Incomplete: these roles lack %s on all Secrets %s. %s The account can read the values if you add them with --secrets.",
			text.And(n.Verbs), scopeText(n.Namespace), why))
	}
	return kept, missing, withheld
}

// scopeText returns the scope of a role as text.
func scopeText(namespace string) string {
	if namespace == "" {
		return "of the cluster"
	}
	return "of namespace " + namespace
}

// secretsComment returns a comment about the Secrets that a role permits to read; empty if there
// are none.
func secretsComment(k roleKey, rules []rbacv1.PolicyRule) (text string) {
	for _, rule := range rules {
		if rule.APIGroups[0] != "" || !slices.Contains(rule.Resources, permission.SecretsResource) {
			continue
		}
		if len(rule.ResourceNames) == 0 {
			return "It permits reading the values of ALL Secrets " + scopeText(k.namespace) + ". kstatus reads only their metadata, except for releases of Helm and in moves."
		}
		text = "It permits reading the values of the Secrets that it names. kstatus reads only their metadata."
	}
	return text
}

package rbac

import (
	"cmp"
	"maps"
	"slices"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	kubesource "kstatus.dev/kube/source"
)

// A manifest is an object to apply, with the lines of the comment before it.
type manifest struct {
	comments []string
	object   runtime.Object
}

// A roleKey identifies a role. Without a namespace, it is a ClusterRole.
type roleKey struct {
	namespace string
	use       kubesource.Purpose // empty for required permissions
}

// explanations is the purpose of permissions that only explanations need.
const explanations kubesource.Purpose = "explanations"

// deletions is the purpose of permissions to find objects of all kinds whose deletion does not end.
const deletions kubesource.Purpose = "deletions"

// optional holds the comments about optional permissions.
var optional = map[kubesource.Purpose]string{
	kubesource.PurposeDefinitions: "Optional: with it kstatus knows which custom resources promise a status, which claims wait for a Pod by design, and which Pods were evicted.",
	explanations:                  "Optional: with it, kstatus explains why objects are not ready.",
	deletions:                     "Optional: with it, kstatus finds objects of all types whose deletion does not end.",
}

// manifestsFor returns a role for each namespace, one for the whole cluster, and separate roles
// for optional permissions. If there is a subject, each role has a binding. The roles for
// explanations in the namespaces of withheld have a comment about their Secrets.
func manifestsFor(needs []kubesource.Permission, withheld map[string]bool, name string, subject *rbacv1.Subject) (all []manifest) {
	needsOf := map[roleKey][]kubesource.Permission{}
	for _, n := range needs {
		key := roleKey{namespace: n.Namespace}
		if optional[n.Purpose] != "" {
			key.use = n.Purpose
		}
		needsOf[key] = append(needsOf[key], n)
	}
	ordered := slices.SortedFunc(maps.Keys(needsOf), func(a, b roleKey) int {
		return cmp.Or(cmp.Compare(a.use, b.use), compareBools(a.namespace == "", b.namespace == ""), cmp.Compare(a.namespace, b.namespace))
	})
	for _, key := range ordered {
		all = append(all, key.role(name, rulesFor(needsOf[key]), withheld[key.namespace]))
		if subject != nil {
			all = append(all, key.binding(name, *subject))
		}
	}
	return all
}

// compareBools orders false before true.
func compareBools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

func (k roleKey) meta(kind, name string) (metav1.TypeMeta, metav1.ObjectMeta) {
	if k.namespace == "" {
		kind = "Cluster" + kind
	}
	if k.use != "" {
		name += "-" + string(k.use)
	}
	return metav1.TypeMeta{APIVersion: rbacv1.SchemeGroupVersion.String(), Kind: kind}, metav1.ObjectMeta{Namespace: k.namespace, Name: name}
}

// role returns the role. A ClusterRole has the same form as a Role. withheld means that the role
// lacks the permission to read all Secrets, which explanations use.
func (k roleKey) role(name string, rules []rbacv1.PolicyRule, withheld bool) manifest {
	kind, meta := k.meta("Role", name)
	m := manifest{object: &rbacv1.Role{TypeMeta: kind, ObjectMeta: meta, Rules: rules}}
	if text := optional[k.use]; text != "" {
		m.comments = append(m.comments, text)
	}
	switch text := secretsComment(k, rules); {
	case text != "":
		m.comments = append(m.comments, text)
	case k.use == explanations && withheld:
		m.comments = append(m.comments, "It does not permit reading Secrets, since that includes their values. Add it with --secrets.")
	}
	return m
}

func (k roleKey) binding(name string, subject rbacv1.Subject) manifest {
	kind, meta := k.meta("RoleBinding", name)
	role, named := k.meta("Role", name)
	return manifest{object: &rbacv1.RoleBinding{
		TypeMeta: kind, ObjectMeta: meta, Subjects: []rbacv1.Subject{subject},
		RoleRef: rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: role.Kind, Name: named.Name},
	}}
}

// rulesFor returns the rules of one role. Resources of one group with the same verbs share a
// rule, unless the rule names objects.
func rulesFor(needs []kubesource.Permission) (rules []rbacv1.PolicyRule) {
	for _, n := range needs {
		i := slices.IndexFunc(rules, func(r rbacv1.PolicyRule) bool {
			return len(r.ResourceNames) == 0 && len(n.Names) == 0 && r.APIGroups[0] == n.Group && slices.Equal(r.Verbs, n.Verbs)
		})
		if i >= 0 {
			rules[i].Resources = append(rules[i].Resources, n.Resource)
			continue
		}
		rules = append(rules, rbacv1.PolicyRule{
			APIGroups: []string{n.Group}, Resources: []string{n.Resource}, ResourceNames: n.Names, Verbs: n.Verbs,
		})
	}
	return rules
}

package main

import (
	"cmp"
	"maps"
	"slices"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	kubesource "kstatus.dev/kube/source"
)

// A grant is an object to be applied, and a comment of one line before it.
type grant struct {
	comment string
	object  runtime.Object
}

// An office is what one role is for. A role without a namespace is a ClusterRole.
type office struct {
	namespace string
	use       kubesource.Use // empty for what cannot be done without
}

// explanations is what permissions are for that only explanations use.
const explanations kubesource.Use = "explanations"

// What is said of what can be done without.
var optional = map[kubesource.Use]string{
	kubesource.Definitions: "# Optional: with it kstatus knows which custom resources promise a status, and which claims wait for a Pod by design.\n",
	explanations:           "# Optional: with it kstatus explains why objects are not there. Secrets are not in it, since who may read their names may read their values.\n",
}

// grantsFor returns a role for each namespace, one for the whole cluster, and
// others for what can be done without; each with its binding if there is a subject.
func grantsFor(needs []kubesource.Need, name string, subject *rbacv1.Subject) (all []grant) {
	offices := map[office][]kubesource.Need{}
	for _, n := range needs {
		o := office{namespace: n.Namespace}
		if optional[n.Use] != "" {
			o.use = n.Use
		}
		offices[o] = append(offices[o], n)
	}
	ordered := slices.SortedFunc(maps.Keys(offices), func(a, b office) int {
		return cmp.Or(cmp.Compare(a.use, b.use), order(a.namespace == "", b.namespace == ""), cmp.Compare(a.namespace, b.namespace))
	})
	for _, o := range ordered {
		all = append(all, o.role(name, rulesFor(offices[o])))
		if subject != nil {
			all = append(all, o.binding(name, *subject))
		}
	}
	return all
}

// order puts what is not so before what is.
func order(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

func (o office) meta(kind, name string) (metav1.TypeMeta, metav1.ObjectMeta) {
	if o.namespace == "" {
		kind = "Cluster" + kind
	}
	if o.use != "" {
		name += "-" + string(o.use)
	}
	return metav1.TypeMeta{APIVersion: rbacv1.SchemeGroupVersion.String(), Kind: kind}, metav1.ObjectMeta{Namespace: o.namespace, Name: name}
}

// role returns the role. A ClusterRole is written as a Role is.
func (o office) role(name string, rules []rbacv1.PolicyRule) (g grant) {
	kind, meta := o.meta("Role", name)
	g.comment = optional[o.use]
	g.object = &rbacv1.Role{TypeMeta: kind, ObjectMeta: meta, Rules: rules}
	return g
}

func (o office) binding(name string, subject rbacv1.Subject) grant {
	kind, meta := o.meta("RoleBinding", name)
	role, named := o.meta("Role", name)
	return grant{object: &rbacv1.RoleBinding{
		TypeMeta: kind, ObjectMeta: meta, Subjects: []rbacv1.Subject{subject},
		RoleRef: rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: role.Kind, Name: named.Name},
	}}
}

// rulesFor returns the rules for what is needed in one place. Resources of one
// group that need the same share a rule, unless it names objects.
func rulesFor(needs []kubesource.Need) (rules []rbacv1.PolicyRule) {
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

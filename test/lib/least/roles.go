package least

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	authorizationv1 "k8s.io/api/authorization/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"

	"kstatus.dev/test/lib/poll"
)

// grantTimeout is how long the API server may take to apply a role.
const grantTimeout = poll.Patience

// A grant is one verb of one rule of a role.
type grant struct {
	role                             string // its name without the random part
	namespace, verb, group, resource string
	names                            []string // empty: all
}

// grants stores a rule of the last role of each scope. When it applies, the API server has
// processed all roles.
type grants struct {
	rules   map[string]grant // by namespace; empty: the whole cluster
	subject rbacv1.Subject
}

// apply creates a role or a binding in the cluster. Cluster-scoped ones are deleted after the
// test, others with the namespace.
func (s *Server) apply(stage *Stage, object map[string]any) (all []grant, err error) {
	ctx := context.Background()
	rbac := s.client.RbacV1()
	convert := runtime.DefaultUnstructuredConverter.FromUnstructured
	var name string
	var remove func(context.Context, string, metav1.DeleteOptions) error
	switch kind := object["kind"]; kind {
	case "Role":
		var role rbacv1.Role
		if err = convert(object, &role); err == nil {
			_, err = rbac.Roles(role.Namespace).Create(ctx, &role, metav1.CreateOptions{})
		}
		all = grantsOf(role.Name, role.Namespace, role.Rules)
	case "ClusterRole":
		var role rbacv1.ClusterRole
		if err = convert(object, &role); err == nil {
			_, err = rbac.ClusterRoles().Create(ctx, &role, metav1.CreateOptions{})
		}
		all = grantsOf(role.Name, "", role.Rules)
		name, remove = role.Name, rbac.ClusterRoles().Delete
	case "RoleBinding":
		var binding rbacv1.RoleBinding
		if err = convert(object, &binding); err == nil {
			_, err = rbac.RoleBindings(binding.Namespace).Create(ctx, &binding, metav1.CreateOptions{})
		}
	case "ClusterRoleBinding":
		var binding rbacv1.ClusterRoleBinding
		if err = convert(object, &binding); err == nil {
			_, err = rbac.ClusterRoleBindings().Create(ctx, &binding, metav1.CreateOptions{})
		}
		name, remove = binding.Name, rbac.ClusterRoleBindings().Delete
	default:
		err = fmt.Errorf("printed is a %v", kind)
	}
	if err == nil && remove != nil {
		stage.t.Cleanup(func() {
			if err := remove(ctx, name, metav1.DeleteOptions{}); err != nil {
				stage.t.Errorf("removing %s: %v", name, err)
			}
		})
	}
	return all, err
}

// grantsOf returns the grants of rules.
func grantsOf(role, namespace string, rules []rbacv1.PolicyRule) (all []grant) {
	for _, rule := range rules {
		for _, group := range rule.APIGroups {
			for _, resource := range rule.Resources {
				for _, verb := range rule.Verbs {
					all = append(all, grant{role, namespace, verb, group, resource, rule.ResourceNames})
				}
			}
		}
	}
	return all
}

// note records an applied role or binding.
func (g *grants) note(object map[string]any) {
	var o struct {
		Kind     string
		Metadata struct{ Name, Namespace string }
		Rules    []rbacv1.PolicyRule
		Subjects []rbacv1.Subject
	}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(object, &o); err != nil {
		return // apply has rejected it
	}
	if len(o.Subjects) > 0 {
		g.subject = o.Subjects[0]
	}
	if all := grantsOf(o.Metadata.Name, o.Metadata.Namespace, o.Rules); len(all) > 0 {
		if g.rules == nil {
			g.rules = map[string]grant{}
		}
		g.rules[o.Metadata.Namespace] = all[len(all)-1]
	}
}

// wait waits until the API server applies the roles and their bindings. It reads each kind by a
// watch of its own, in the order of their creation.
func (g *grants) wait(client kubernetes.Interface) error {
	ctx, cancel := context.WithTimeoutCause(context.Background(), grantTimeout, errors.New("the API server does not learn of the roles"))
	defer cancel()
	for _, last := range g.rules {
		ask := &authorizationv1.ResourceAttributes{Namespace: last.namespace, Verb: last.verb, Group: last.group}
		ask.Resource, ask.Subresource = splitResource(last.resource)
		if len(last.names) > 0 {
			ask.Name = last.names[0]
		}
		review := &authorizationv1.SubjectAccessReview{Spec: authorizationv1.SubjectAccessReviewSpec{
			User: "system:serviceaccount:" + g.subject.Namespace + ":" + g.subject.Name, ResourceAttributes: ask,
		}}
		for {
			answer, err := client.AuthorizationV1().SubjectAccessReviews().Create(ctx, review, metav1.CreateOptions{})
			if err == nil && answer.Status.Allowed {
				break
			}
			if err != nil && !apierrors.IsServerTimeout(err) {
				return errors.Join(err, context.Cause(ctx))
			}
			select {
			case <-ctx.Done():
				return context.Cause(ctx)
			case <-time.After(10 * time.Millisecond):
			}
		}
	}
	return nil
}

// permits reports whether a grant permits a request.
func (g grant) permits(e event) bool {
	r := e.ObjectRef
	resource, subresource := splitResource(g.resource)
	return r != nil && g.verb == e.Verb && g.group == r.APIGroup && resource == r.Resource && subresource == r.Subresource &&
		(g.namespace == "" || g.namespace == r.Namespace) && (len(g.names) == 0 || slices.Contains(g.names, r.Name))
}

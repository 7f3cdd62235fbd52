package cluster

import (
	"context"
	"crypto/rand"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// As returns a configuration that impersonates another user with some groups. The user has only
// the permissions that RBAC grants to them: by default none.
func (c *Cluster) As(user string, groups ...string) *rest.Config {
	config := c.Config()
	config.Impersonate = rest.ImpersonationConfig{UserName: user, Groups: groups}
	return config
}

// Grant is a permission of a user. Namespace empty means the whole cluster. Resources are
// written "deployments.apps", "pods" and "pods/log".
type Grant struct {
	Namespace string
	Verbs     []string
	Resources []string
}

// User creates a service account in a namespace with exactly the given grants. It returns a
// kubeconfig file that authenticates as the account. Everything is deleted after the test.
func (c *Cluster) User(t testing.TB, namespace, name string, grants ...Grant) (kubeconfig string) {
	t.Helper()
	ctx := context.Background()
	client, err := kubernetes.NewForConfig(c.config)
	if err != nil {
		t.Fatal(err)
	}
	account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: name}}
	if _, err := client.CoreV1().ServiceAccounts(namespace).Create(ctx, account, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	c.Permit(t, namespace, name, grants...)
	request := &authenticationv1.TokenRequest{}
	answer, err := client.CoreV1().ServiceAccounts(namespace).CreateToken(ctx, name, request, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	config := c.Config()
	config.BearerToken = answer.Status.Token
	path := filepath.Join(t.TempDir(), name+".kubeconfig")
	if err := WriteKubeconfig(path, config, namespace); err != nil {
		t.Fatal(err)
	}
	return path
}

// Permit grants more to a service account of User. It returns once the API server applies the
// grants: it reads roles and bindings by watches of its own.
func (c *Cluster) Permit(t testing.TB, namespace, name string, grants ...Grant) {
	t.Helper()
	client, err := kubernetes.NewForConfig(c.config)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeoutCause(context.Background(), startTimeout, fmt.Errorf("not granted within %s", startTimeout))
	defer cancel()
	for _, g := range grants {
		if err := grant(ctx, t, client, rbacv1.Subject{Kind: "ServiceAccount", Namespace: namespace, Name: name}, g); err != nil {
			t.Fatal(err)
		}
		account := "system:serviceaccount:" + namespace + ":" + name
		if err := until(ctx, pause, func() error { return g.isInEffect(ctx, client, account) }); err != nil {
			t.Fatalf("%s: %v", account, err)
		}
	}
}

// isInEffect asks the API server whether a user has the last permission of the grant.
func (g Grant) isInEffect(ctx context.Context, client kubernetes.Interface, user string) error {
	rules := g.rules()
	if len(rules) == 0 || len(g.Verbs) == 0 {
		return nil
	}
	rule := rules[len(rules)-1]
	resource, subresource, _ := strings.Cut(rule.Resources[0], "/")
	review := &authorizationv1.SubjectAccessReview{Spec: authorizationv1.SubjectAccessReviewSpec{User: user, ResourceAttributes: &authorizationv1.ResourceAttributes{
		Namespace: g.Namespace, Verb: g.Verbs[len(g.Verbs)-1], Group: rule.APIGroups[0], Resource: resource, Subresource: subresource}}}
	answer, err := client.AuthorizationV1().SubjectAccessReviews().Create(ctx, review, metav1.CreateOptions{})
	if err == nil && !answer.Status.Allowed {
		err = fmt.Errorf("may not %s %s", review.Spec.ResourceAttributes.Verb, rule.Resources[0])
	}
	return err
}

// grant binds a new role to a subject. Cluster roles are deleted after the test.
func grant(ctx context.Context, t testing.TB, client kubernetes.Interface, who rbacv1.Subject, g Grant) error {
	meta := metav1.ObjectMeta{Name: who.Name + "-" + strings.ToLower(rand.Text()[:8]), Namespace: g.Namespace}
	rules := g.rules()
	rbac := client.RbacV1()
	if g.Namespace != "" {
		role := &rbacv1.Role{ObjectMeta: meta, Rules: rules}
		if _, err := rbac.Roles(g.Namespace).Create(ctx, role, metav1.CreateOptions{}); err != nil {
			return err
		}
		binding := &rbacv1.RoleBinding{ObjectMeta: meta, Subjects: []rbacv1.Subject{who}, RoleRef: rbacv1.RoleRef{Kind: "Role", Name: meta.Name}}
		_, err := rbac.RoleBindings(g.Namespace).Create(ctx, binding, metav1.CreateOptions{})
		return err
	}
	role := &rbacv1.ClusterRole{ObjectMeta: meta, Rules: rules}
	if _, err := rbac.ClusterRoles().Create(ctx, role, metav1.CreateOptions{}); err != nil {
		return err
	}
	t.Cleanup(func() {
		if err := rbac.ClusterRoles().Delete(context.Background(), meta.Name, metav1.DeleteOptions{}); err != nil {
			t.Errorf("removing ClusterRole %s: %v", meta.Name, err)
		}
	})
	binding := &rbacv1.ClusterRoleBinding{ObjectMeta: meta, Subjects: []rbacv1.Subject{who}, RoleRef: rbacv1.RoleRef{Kind: "ClusterRole", Name: meta.Name}}
	if _, err := rbac.ClusterRoleBindings().Create(ctx, binding, metav1.CreateOptions{}); err != nil {
		return err
	}
	t.Cleanup(func() {
		if err := rbac.ClusterRoleBindings().Delete(context.Background(), meta.Name, metav1.DeleteOptions{}); err != nil {
			t.Errorf("removing ClusterRoleBinding %s: %v", meta.Name, err)
		}
	})
	return nil
}

// rules converts a grant to RBAC rules, one for each resource.
func (g Grant) rules() []rbacv1.PolicyRule {
	var rules []rbacv1.PolicyRule
	for _, r := range g.Resources {
		resource, group, _ := strings.Cut(r, ".")
		rules = append(rules, rbacv1.PolicyRule{Verbs: g.Verbs, APIGroups: []string{group}, Resources: []string{resource}})
	}
	return rules
}

// Namespace creates a namespace named after the test, and waits until it accepts Pods. It
// deletes the namespace after the test.
func (c *Cluster) Namespace(t testing.TB) string {
	t.Helper()
	ctx, cancel := context.WithTimeoutCause(context.Background(), startTimeout, fmt.Errorf("no namespace within %s", startTimeout))
	defer cancel()
	client, err := kubernetes.NewForConfig(c.config)
	if err != nil {
		t.Fatal(err)
	}
	name := namespaceName(t.Name(), strings.ToLower(rand.Text()[:6]))
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}
	if _, err := client.CoreV1().Namespaces().Create(ctx, namespace, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		// It does not wait for the end of the deletion. If a test has stopped the API server,
		// the namespace stays.
		if c.Pid(APIServer) == 0 {
			return
		}
		err := client.CoreV1().Namespaces().Delete(context.Background(), name, metav1.DeleteOptions{})
		if err != nil && !apierrors.IsNotFound(err) {
			t.Errorf("removing namespace %s: %v", name, err)
		}
	})
	err = until(ctx, pause, func() error {
		if _, err := client.CoreV1().ServiceAccounts(name).Get(ctx, "default", metav1.GetOptions{}); err != nil {
			return err
		}
		_, err := client.CoreV1().ConfigMaps(name).Get(ctx, "kube-root-ca.crt", metav1.GetOptions{})
		return err
	})
	if err != nil {
		t.Fatalf("namespace %s: %v", name, err)
	}
	return name
}

// namespaceName returns a valid, unique name from that of a test.
func namespaceName(test, unique string) string {
	clean := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, strings.ToLower(test))
	if len(clean) > 50 {
		clean = clean[:50]
	}
	return strings.Trim(clean, "-") + "-" + unique
}

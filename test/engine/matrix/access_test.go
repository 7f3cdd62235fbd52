package matrix

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"kstatus.dev/observe"
	"kstatus.dev/status"
	"kstatus.dev/test/lib/cluster"
	"kstatus.dev/test/lib/manifest"
	"kstatus.dev/test/lib/poll"
	"kstatus.dev/test/lib/witness"
)

// An account is a service account with the permissions of roles in its namespace.
type account struct {
	tb        *testing.T
	client    kubernetes.Interface
	namespace string
}

func accountIn(t *testing.T, c *cluster.Cluster, namespace string) account {
	t.Helper()
	client, err := kubernetes.NewForConfig(c.Config())
	if err != nil {
		t.Fatal(err)
	}
	a := account{t, client, namespace}
	_, err = client.CoreV1().ServiceAccounts(namespace).Create(t.Context(), &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: "ci"}}, metav1.CreateOptions{})
	a.requireNoError(err)
	return a
}

func (a account) requireNoError(err error) {
	a.tb.Helper()
	if err != nil {
		a.tb.Fatal(err)
	}
}

// grant grants reading a resource, with a role of that name.
func (a account) grant(group, resource string) {
	a.tb.Helper()
	meta := metav1.ObjectMeta{Name: resource}
	_, err := a.client.RbacV1().Roles(a.namespace).Create(a.tb.Context(), &rbacv1.Role{ObjectMeta: meta, Rules: []rbacv1.PolicyRule{
		{Verbs: []string{"get", "list", "watch"}, APIGroups: []string{group}, Resources: []string{resource}},
	}}, metav1.CreateOptions{})
	a.requireNoError(err)
	_, err = a.client.RbacV1().RoleBindings(a.namespace).Create(a.tb.Context(), &rbacv1.RoleBinding{ObjectMeta: meta,
		Subjects: []rbacv1.Subject{{Kind: "ServiceAccount", Namespace: a.namespace, Name: "ci"}},
		RoleRef:  rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "Role", Name: resource},
	}, metav1.CreateOptions{})
	a.requireNoError(err)
}

// revokeRead revokes that permission.
func (a account) revokeRead(resource string) {
	a.tb.Helper()
	a.requireNoError(a.client.RbacV1().RoleBindings(a.namespace).Delete(a.tb.Context(), resource, metav1.DeleteOptions{}))
}

// token returns a token that is valid as long as the Secret of that name exists. It creates the
// Secret.
func (a account) token(secret string) string {
	a.tb.Helper()
	made, err := a.client.CoreV1().Secrets(a.namespace).Create(a.tb.Context(), &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: secret}}, metav1.CreateOptions{})
	a.requireNoError(err)
	answer, err := a.client.CoreV1().ServiceAccounts(a.namespace).CreateToken(a.tb.Context(), "ci", &authenticationv1.TokenRequest{
		Spec: authenticationv1.TokenRequestSpec{BoundObjectRef: &authenticationv1.BoundObjectReference{
			APIVersion: "v1", Kind: "Secret", Name: secret, UID: made.UID,
		}},
	}, metav1.CreateOptions{})
	a.requireNoError(err)
	return answer.Status.Token
}

// revoke invalidates a token, and returns once the server rejects it.
func (a account) revoke(c *cluster.Cluster, secret, token string) {
	a.tb.Helper()
	a.requireNoError(a.client.CoreV1().Secrets(a.namespace).Delete(a.tb.Context(), secret, metav1.DeleteOptions{}))
	config := c.Config()
	config.BearerToken = token
	client, err := kubernetes.NewForConfig(config)
	a.requireNoError(err)
	poll.Wait(a.tb, "the server rejects the token", func() bool { // it caches tokens for a while
		_, err := client.CoreV1().ConfigMaps(a.namespace).Get(a.tb.Context(), "m", metav1.GetOptions{})
		return apierrors.IsUnauthorized(err)
	})
}

// A tokenEngine is an engine that authenticates with the token in a file.
type tokenEngine struct {
	account
	file string
	line *serverConn
	*engine
}

// newTokenEngine starts an engine with a first token, which permits reading ConfigMaps.
func newTokenEngine(t *testing.T, c *cluster.Cluster, targets ...observe.Target) (h tokenEngine, first string) {
	t.Helper()
	h = tokenEngine{account: accountIn(t, c, targets[0].Namespace), file: filepath.Join(t.TempDir(), "token")}
	h.grant("", "configmaps")
	first = h.token("first")
	h.write(first)
	config := c.Config()
	config.BearerToken, config.BearerTokenFile = "", h.file
	config, h.line = newServerConn(config)
	h.engine = watch(t, config, observe.Requirements{}, nil, targets...)
	return h, first
}

func (h tokenEngine) write(token string) {
	h.requireNoError(os.WriteFile(h.file, []byte(token), 0o600))
}

// Tokens of service accounts are short-lived, and come in files that are replaced. A wait
// continues with the new token when the old one is rejected.
func TestTokenThatIsRotated(t *testing.T) {
	t.Parallel()
	c := live.Cluster(t)
	ns := c.Namespace(t)
	c.Apply(t, ns, manifest.ConfigMap("m"))
	m, comes := manifest.Target("", "ConfigMap", ns, "m"), manifest.Target("", "ConfigMap", ns, "comes")
	h, first := newTokenEngine(t, c, m, comes)
	h.waitForStatus(m, status.CurrentStatus)
	h.waitForStatus(comes, status.NotFoundStatus)

	h.write(h.token("second"))
	h.revoke(c, "first", first)
	h.line.CloseAll() // otherwise the open watches continue for minutes
	c.Apply(t, ns, manifest.ConfigMap("comes"))
	h.waitForStatus(comes, status.CurrentStatus)
	h.waitForStatus(m, status.CurrentStatus)
	checkAgreement(t, c, h.engine, m, comes)
}

// While the server rejects every token, the last state stays, marked as stale, and does not
// count as reached. An accepted token resolves this. (Package kube/source tests how long a wait
// lasts without a valid token.)
func TestTokenThatIsRevoked(t *testing.T) {
	t.Parallel()
	c := live.Cluster(t)
	ns := c.Namespace(t)
	c.Apply(t, ns, manifest.ConfigMap("m"))
	m := manifest.Target("", "ConfigMap", ns, "m")
	h, first := newTokenEngine(t, c, m)
	h.waitForStatus(m, status.CurrentStatus)
	h.revoke(c, "first", first)
	h.line.CloseAll()
	h.waitUntil("it is stale", func(board map[observe.Target]observe.Update) bool { return !board[m].StaleSince.IsZero() })
	h.write(h.token("second"))
	h.waitForStatus(m, status.CurrentStatus)
	updates, _ := h.since(0)
	for _, u := range updates {
		if u.Result.Status != status.CurrentStatus || !u.StaleSince.IsZero() && u.Progress == observe.ProgressReached {
			t.Errorf("told %s", witness.FormatUpdate(u))
		}
	}
}

// After the permission for one kind is revoked, its objects are reported as unreadable at the
// next check; the others continue. With the permission restored, they are read again.
func TestPermissionThatIsTakenAway(t *testing.T) {
	t.Parallel()
	c := live.Cluster(t)
	ns := c.Namespace(t)
	c.Apply(t, ns, manifest.ConfigMap("m")+"---\n"+manifest.Deployment("web", manifest.Runs+":1"))
	a := accountIn(t, c, ns)
	a.grant("", "configmaps")
	a.grant("apps", "deployments")
	config := c.Config()
	config.BearerToken = a.token("only")
	config, line := newServerConn(config)
	m, web := manifest.Target("", "ConfigMap", ns, "m"), manifest.Target("apps", "Deployment", ns, "web")
	e := watch(t, config, observe.Requirements{}, nil, m, web)
	e.waitForStatus(m, status.CurrentStatus)
	first := e.waitForStatus(web, status.CurrentStatus)

	a.revokeRead("configmaps")
	a.waitUntilForbidden(config)
	line.CloseAll()
	if u := e.waitForStatus(m, status.UnknownStatus, "Forbidden"); u.Progress != observe.ProgressUnreadable {
		t.Errorf("told %s, want %s", witness.FormatUpdate(u), observe.ProgressUnreadable)
	}
	c.Apply(t, ns, manifest.Deployment("web", manifest.Runs+":2"))
	e.waitUntil("the new generation of the Deployment is current", func(board map[observe.Target]observe.Update) bool {
		u := board[web]
		return u.Result.Status == status.CurrentStatus && u.Version.Generation > first.Version.Generation
	})

	_, err := a.client.RbacV1().RoleBindings(a.namespace).Create(t.Context(), &rbacv1.RoleBinding{ObjectMeta: metav1.ObjectMeta{Name: "again"},
		Subjects: []rbacv1.Subject{{Kind: "ServiceAccount", Namespace: a.namespace, Name: "ci"}},
		RoleRef:  rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "Role", Name: "configmaps"},
	}, metav1.CreateOptions{})
	a.requireNoError(err)
	e.waitForStatus(m, status.CurrentStatus)
	updates, _ := e.since(0)
	for _, u := range updates {
		if u.Target == web && u.Result.Status == status.UnknownStatus {
			t.Errorf("what may still be read: told %s", witness.FormatUpdate(u))
		}
	}
}

// waitUntilForbidden waits until reading ConfigMaps is forbidden: the server applies that with a
// delay.
func (a account) waitUntilForbidden(config *rest.Config) {
	a.tb.Helper()
	client, err := kubernetes.NewForConfig(config)
	a.requireNoError(err)
	poll.Wait(a.tb, "reading is forbidden", func() bool {
		_, err := client.CoreV1().ConfigMaps(a.namespace).Get(context.WithoutCancel(a.tb.Context()), "m", metav1.GetOptions{})
		return apierrors.IsForbidden(err)
	})
}

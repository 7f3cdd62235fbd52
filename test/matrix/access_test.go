package matrix

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"kstatus.dev/observe"
	"kstatus.dev/status"
	"kstatus.dev/test/cluster"
	"kstatus.dev/test/manifest"
	"kstatus.dev/test/witness"
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
	a.must(err)
	return a
}

func (a account) must(err error) {
	a.tb.Helper()
	if err != nil {
		a.tb.Fatal(err)
	}
}

// may grants reading a resource, with a role of that name.
func (a account) may(group, resource string) {
	a.tb.Helper()
	meta := metav1.ObjectMeta{Name: resource}
	_, err := a.client.RbacV1().Roles(a.namespace).Create(a.tb.Context(), &rbacv1.Role{ObjectMeta: meta, Rules: []rbacv1.PolicyRule{
		{Verbs: []string{"get", "list", "watch"}, APIGroups: []string{group}, Resources: []string{resource}},
	}}, metav1.CreateOptions{})
	a.must(err)
	_, err = a.client.RbacV1().RoleBindings(a.namespace).Create(a.tb.Context(), &rbacv1.RoleBinding{ObjectMeta: meta,
		Subjects: []rbacv1.Subject{{Kind: "ServiceAccount", Namespace: a.namespace, Name: "ci"}},
		RoleRef:  rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "Role", Name: resource},
	}, metav1.CreateOptions{})
	a.must(err)
}

// mayNot revokes that permission.
func (a account) mayNot(resource string) {
	a.tb.Helper()
	a.must(a.client.RbacV1().RoleBindings(a.namespace).Delete(a.tb.Context(), resource, metav1.DeleteOptions{}))
}

// token returns a token that is valid as long as the Secret of that name exists. It creates the
// Secret.
func (a account) token(secret string) string {
	a.tb.Helper()
	made, err := a.client.CoreV1().Secrets(a.namespace).Create(a.tb.Context(), &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Name: secret}}, metav1.CreateOptions{})
	a.must(err)
	answer, err := a.client.CoreV1().ServiceAccounts(a.namespace).CreateToken(a.tb.Context(), "ci", &authenticationv1.TokenRequest{
		Spec: authenticationv1.TokenRequestSpec{BoundObjectRef: &authenticationv1.BoundObjectReference{
			APIVersion: "v1", Kind: "Secret", Name: secret, UID: made.UID,
		}},
	}, metav1.CreateOptions{})
	a.must(err)
	return answer.Status.Token
}

// revoke invalidates a token, and returns once the server rejects it.
func (a account) revoke(c *cluster.Cluster, secret, token string) {
	a.tb.Helper()
	a.must(a.client.CoreV1().Secrets(a.namespace).Delete(a.tb.Context(), secret, metav1.DeleteOptions{}))
	config := c.Config()
	config.BearerToken = token
	client, err := kubernetes.NewForConfig(config)
	a.must(err)
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(100 * time.Millisecond) { // it caches tokens for a while
		_, err := client.CoreV1().ConfigMaps(a.namespace).Get(a.tb.Context(), "m", metav1.GetOptions{})
		if apierrors.IsUnauthorized(err) {
			return
		}
	}
	a.tb.Fatal("the server goes on to accept the token")
}

// A holder is an engine that authenticates with the token in a file.
type holder struct {
	account
	file string
	line *line
	*engine
}

// holderOf starts an engine with a first token, which permits reading ConfigMaps.
func holderOf(t *testing.T, c *cluster.Cluster, targets ...observe.Target) (h holder, first string) {
	t.Helper()
	h = holder{account: accountIn(t, c, targets[0].Namespace), file: filepath.Join(t.TempDir(), "token")}
	h.may("", "configmaps")
	first = h.token("first")
	h.write(first)
	config := c.Config()
	config.BearerToken, config.BearerTokenFile = "", h.file
	config, h.line = over(config)
	h.engine = watch(t, config, observe.Requirements{}, nil, targets...)
	return h, first
}

func (h holder) write(token string) { h.must(os.WriteFile(h.file, []byte(token), 0o600)) }

// Tokens of service accounts are short-lived, and come in files that are replaced. A wait
// continues with the new token when the old one is rejected.
func TestTokenThatIsRotated(t *testing.T) {
	t.Parallel()
	c := live.Cluster(t)
	ns := c.Namespace(t)
	c.Apply(t, ns, manifest.ConfigMap("m"))
	m, comes := manifest.Target("", "ConfigMap", ns, "m"), manifest.Target("", "ConfigMap", ns, "comes")
	h, first := holderOf(t, c, m, comes)
	h.stands(m, status.CurrentStatus)
	h.stands(comes, status.NotFoundStatus)

	h.write(h.token("second"))
	h.revoke(c, "first", first)
	h.line.CloseAll() // otherwise the open watches continue for minutes
	c.Apply(t, ns, manifest.ConfigMap("comes"))
	h.stands(comes, status.CurrentStatus)
	h.stands(m, status.CurrentStatus)
	agrees(t, c, h.engine, m, comes)
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
	h, first := holderOf(t, c, m)
	h.stands(m, status.CurrentStatus)
	h.revoke(c, "first", first)
	h.line.CloseAll()
	h.until("it is stale", func(board map[observe.Target]observe.Update) bool { return !board[m].StaleSince.IsZero() })
	h.write(h.token("second"))
	h.stands(m, status.CurrentStatus)
	told, _ := h.since(0)
	for _, u := range told {
		if u.Result.Status != status.CurrentStatus || !u.StaleSince.IsZero() && u.Progress == observe.ProgressReached {
			t.Errorf("told %s", witness.Line(u))
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
	a.may("", "configmaps")
	a.may("apps", "deployments")
	config := c.Config()
	config.BearerToken = a.token("only")
	config, line := over(config)
	m, web := manifest.Target("", "ConfigMap", ns, "m"), manifest.Target("apps", "Deployment", ns, "web")
	e := watch(t, config, observe.Requirements{}, nil, m, web)
	e.stands(m, status.CurrentStatus)
	first := e.stands(web, status.CurrentStatus)

	a.mayNot("configmaps")
	a.refused(config)
	line.CloseAll()
	if u := e.stands(m, status.UnknownStatus, "Forbidden"); u.Progress != observe.ProgressUnreadable {
		t.Errorf("told %s, want %s", witness.Line(u), observe.ProgressUnreadable)
	}
	c.Apply(t, ns, manifest.Deployment("web", manifest.Runs+":2"))
	e.until("the new generation of the Deployment is current", func(board map[observe.Target]observe.Update) bool {
		u := board[web]
		return u.Result.Status == status.CurrentStatus && u.Version.Generation > first.Version.Generation
	})

	_, err := a.client.RbacV1().RoleBindings(a.namespace).Create(t.Context(), &rbacv1.RoleBinding{ObjectMeta: metav1.ObjectMeta{Name: "again"},
		Subjects: []rbacv1.Subject{{Kind: "ServiceAccount", Namespace: a.namespace, Name: "ci"}},
		RoleRef:  rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "Role", Name: "configmaps"},
	}, metav1.CreateOptions{})
	a.must(err)
	e.stands(m, status.CurrentStatus)
	told, _ := e.since(0)
	for _, u := range told {
		if u.Target == web && u.Result.Status == status.UnknownStatus {
			t.Errorf("what may still be read: told %s", witness.Line(u))
		}
	}
}

// refused waits until reading ConfigMaps is forbidden: the server applies that with a delay.
func (a account) refused(config *rest.Config) {
	a.tb.Helper()
	client, err := kubernetes.NewForConfig(config)
	a.must(err)
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		_, err := client.CoreV1().ConfigMaps(a.namespace).Get(context.WithoutCancel(a.tb.Context()), "m", metav1.GetOptions{})
		if apierrors.IsForbidden(err) {
			return
		}
	}
	a.tb.Fatal("the server goes on to answer")
}

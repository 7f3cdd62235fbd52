package e2e

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"kstatus.dev/kube/source"
	"kstatus.dev/observe"
	"kstatus.dev/test/lib/cluster"
	"kstatus.dev/test/lib/manifest"
)

// configOfUser returns a config for the user of a kubeconfig.
func configOfUser(t *testing.T, kubeconfig string) *rest.Config {
	t.Helper()
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	return config
}

// grantConfigMaps grants verbs on ConfigMaps to the service account of a namespace, for the given
// names or for all.
func grantConfigMaps(t *testing.T, c *cluster.Cluster, ns, account string, verbs []string, names ...string) {
	t.Helper()
	client, err := kubernetes.NewForConfig(c.Config())
	if err != nil {
		t.Fatal(err)
	}
	role := &rbacv1.Role{ObjectMeta: metav1.ObjectMeta{GenerateName: account + "-"}, Rules: []rbacv1.PolicyRule{
		{Verbs: verbs, APIGroups: []string{""}, Resources: []string{"configmaps"}, ResourceNames: names},
	}}
	if role, err = client.RbacV1().Roles(ns).Create(t.Context(), role, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	_, err = client.RbacV1().RoleBindings(ns).Create(t.Context(), &rbacv1.RoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: role.Name},
		Subjects:   []rbacv1.Subject{{Kind: "ServiceAccount", Namespace: ns, Name: account}},
		RoleRef:    rbacv1.RoleRef{Kind: "Role", Name: role.Name},
	}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
}

// A noteRecorder records notes.
type noteRecorder struct {
	mu    sync.Mutex // guards notes
	notes []string
}

func (h *noteRecorder) add(note string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.notes = append(h.notes, note)
}

func (h *noteRecorder) all() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Sorted(slices.Values(h.notes))
}

// Any way of reading is sufficient for a wait: it sees changes and deletions.
func TestReadingWithFewPermissions(t *testing.T) {
	c := live.Cluster(t)
	rows := []struct {
		it    string
		verbs []string
		names []string
		count int // number of targets
		said  string
	}{
		{"gets one by name", []string{"get"}, nil, 1, "may not list configmaps in namespace NS: its objects are got every few seconds"},
		{"gets those it may", []string{"get"}, []string{"m0", "m1"}, 2, "may not list configmaps in namespace NS: its objects are got every few seconds"},
		{"gets many by name", []string{"get"}, nil, 60, "may not list configmaps in namespace NS: its objects are read by name"},
		{"lists one", []string{"list"}, nil, 1, "may not watch configmaps in namespace NS: it is listed every few seconds"},
		{"lists many", []string{"get", "list"}, nil, 8, "may not watch configmaps in namespace NS: it is listed every few seconds"},
		{"watches those it may", []string{"get", "list", "watch"}, []string{"m0", "m1", "m2", "m3", "m4", "m5", "m6"}, 7,
			"may not list configmaps in namespace NS: its objects are read by name"},
		{"watches without being permitted to list", []string{"watch"}, nil, 8, ""},
		{"watches", []string{"list", "watch"}, nil, 8, ""},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			t.Parallel()
			ns := c.Namespace(t)
			var targets []observe.Target
			var manifests []string
			for i := range row.count {
				name := fmt.Sprintf("m%d", i)
				targets = append(targets, manifest.Target("", "ConfigMap", ns, name))
				manifests = append(manifests, manifest.ConfigMap(name))
			}
			c.Apply(t, ns, strings.Join(manifests, "---\n"))
			config := configOfUser(t, c.User(t, ns, "ci"))
			grantConfigMaps(t, c, ns, "ci", row.verbs, row.names...)
			said := &noteRecorder{}
			w := observe.Watcher{Source: &source.Cluster{Client: clientOf(t, config, c.Config()), OnNote: said.add}}
			ctx, cancel := context.WithTimeout(t.Context(), longTimeout)
			defer cancel()
			last := map[string]string{}
			deleted := false
			for u, err := range w.Updates(ctx, targets...) {
				if err != nil {
					t.Fatal(err)
				}
				last[u.Target.Name] = u.Result.Reason
				there := 0
				for _, reason := range last {
					if reason == "NoStatusExpected" {
						there++
					}
				}
				if there == row.count && !deleted {
					deleted = true
					c.Delete(t, ns, manifest.ConfigMap("m0"))
				}
				if deleted && last["m0"] == "Deleted" {
					break
				}
			}
			if !deleted || last["m0"] != "Deleted" {
				t.Errorf("it %s: deleted %t, have %v", row.it, deleted, last)
			}
			want := []string(nil)
			if row.said != "" {
				want = []string{"user system:serviceaccount:" + ns + ":ci " + strings.ReplaceAll(row.said, "NS", ns)}
			}
			if have := said.all(); !slices.Equal(have, want) {
				t.Errorf("it %s: said %q, want %q", row.it, have, want)
			}
		})
	}
}

// A forbidden read is retried, because permissions may be granted later.
func TestPermissionsThatComeLater(t *testing.T) {
	c := live.Cluster(t)
	rows := []struct {
		it     string
		verbs  []string
		target func(ns string) observe.Target
	}{
		{"may get", []string{"get"}, func(ns string) observe.Target { return manifest.Target("", "ConfigMap", ns, "m") }},
		{"may do all", []string{"get", "list", "watch"}, func(ns string) observe.Target { return manifest.Target("", "ConfigMap", ns, "m") }},
		{"may list what it selects", []string{"list", "watch"}, func(ns string) observe.Target { return manifest.Target("", "ConfigMap", ns, "") }},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			t.Parallel()
			ns := c.Namespace(t)
			c.Apply(t, ns, manifest.ConfigMap("m"))
			config := configOfUser(t, c.User(t, ns, "ci"))
			ctx, cancel := context.WithTimeout(t.Context(), longTimeout)
			defer cancel()
			var seen []string
			for u, err := range (observe.Watcher{Source: &source.Cluster{Client: clientOf(t, config, c.Config())}}).Updates(ctx, row.target(ns)) {
				if err != nil {
					t.Fatal(err)
				}
				if seen = append(seen, u.Result.Reason); len(seen) == 1 {
					grantConfigMaps(t, c, ns, "ci", row.verbs)
				}
				if u.Target.Name == "m" && u.Result.Reason == "NoStatusExpected" {
					break
				}
			}
			if text := strings.Join(slices.Compact(seen), " "); text != "Forbidden NoStatusExpected" {
				t.Errorf("it %s: have %s", row.it, text)
			}
		})
	}
}

// Over many namespaces, a kind is read in the whole cluster where that is permitted, and
// otherwise in each namespace.
func TestReadingManyNamespaces(t *testing.T) {
	c := live.Cluster(t)
	var targets []observe.Target
	var spaces []string
	grants := []cluster.Grant{}
	const many = 22
	for range many {
		ns := c.Namespace(t)
		spaces = append(spaces, ns)
		targets = append(targets, manifest.Target("", "ConfigMap", ns, "kube-root-ca.crt"))
		grants = append(grants, cluster.Grant{Namespace: ns, Verbs: []string{"get", "list", "watch"}, Resources: []string{"configmaps"}})
	}
	rows := []struct {
		it      string
		config  *rest.Config
		atMost  int64
		atLeast int64
	}{
		{"reads the cluster", c.Config(), 1, 1},
		{"reads each namespace", configOfUser(t, c.User(t, spaces[0], "ci", grants...)), many + 4, many},
	}
	for _, row := range rows {
		config, n := countRequests(row.config)
		ctx, cancel := context.WithTimeout(t.Context(), longTimeout)
		outcome, _, err := observe.Watcher{Source: &source.Cluster{Config: config}}.Wait(ctx, observe.Policy{}, targets...)
		cancel()
		if err != nil || outcome != observe.OutcomeSuccess {
			t.Errorf("it %s: have %s, %v, want %s", row.it, outcome, err, observe.OutcomeSuccess)
		}
		if got := n.Load(); got < row.atLeast || got > row.atMost {
			t.Errorf("it %s: %d requests, want %d to %d", row.it, got, row.atLeast, row.atMost)
		}
	}
}

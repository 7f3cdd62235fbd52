package connection

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"k8s.io/cli-runtime/pkg/genericclioptions"

	"kstatus.dev/cmd/kstatus/internal/cli"
	"kstatus.dev/kube/sets"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// The time of a failed revision is that of the failure if Helm has recorded it.
func TestReleaseText(t *testing.T) {
	began, failed := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), time.Date(2026, 3, 1, 12, 5, 0, 0, time.UTC)
	rows := []struct {
		revision sets.Revision
		want     string
	}{
		{sets.Revision{Number: 3, Status: "failed", Began: began, Since: failed, Description: "no."}, "revision 3 failed at 2026-03-01T12:05:00Z: no"},
		{sets.Revision{Number: 3, Status: "failed", Began: began}, "revision 3 began at 2026-03-01T12:00:00Z and failed"},
		{sets.Revision{Number: 3, Status: "pending-upgrade", Began: began, Since: began}, "revision 3 is pending-upgrade since 2026-03-01T12:00:00Z"},
		{sets.Revision{Number: 3, Status: "uninstalled", Began: began}, "revision 3 began at 2026-03-01T12:00:00Z and is uninstalled"},
		{sets.Revision{Number: 3, Status: "failed"}, "revision 3 failed"},
	}
	for _, row := range rows {
		if have := (Release{Revision: row.revision}).String(); have != row.want {
			t.Errorf("have %q, want %q", have, row.want)
		}
	}
}

func TestAdvice(t *testing.T) {
	rows := []struct{ status, description, want, wantInterrupted string }{
		{"deployed", "Install complete", "", ""},
		{"pending-install", "Initial install underway", "", "If no helm process is running any more, Helm was interrupted. To start over: helm uninstall web -n shop"},
		{"pending-upgrade", "Preparing upgrade", "", "If no helm process is running any more, Helm was interrupted. To go back: helm history web -n shop, then helm rollback web -n shop"},
		{"failed", `Upgrade "web" failed: cannot patch "web"`, "To see all revisions: helm history web -n shop", ""},
		{"failed", `Upgrade "web" failed: post-upgrade hooks failed: timed out`, "kstatus does not follow Helm hooks. To see why the hook failed: kstatus explain jobs -n shop", ""},
		{
			"failed", `Release "web" failed: failed post-install: 1 error occurred: * job web-migrate failed: BackoffLimitExceeded`,
			"kstatus does not follow Helm hooks. To see why the hook failed: kstatus explain job/web-migrate -n shop, helm history web -n shop", "",
		},
		{"uninstalled", "Uninstallation complete", "helm rollback web 3 -n shop installs it again", ""},
	}
	for _, row := range rows {
		t.Run(row.status+" "+row.description, func(t *testing.T) {
			r := Release{
				Owner:    sets.Owner{Type: sets.TypeHelm, Name: "web", Namespace: "shop"},
				Revision: sets.Revision{Number: 3, Status: row.status, Description: row.description},
			}
			if have := r.Advice(); have != row.want {
				t.Errorf("advice: have %q, want %q", have, row.want)
			}
			if have := r.InterruptedAdvice(); have != row.wantInterrupted {
				t.Errorf("after an interruption: have %q, want %q", have, row.wantInterrupted)
			}
		})
	}
}

// The user requested an object in the namespace of its set, or of its topmost owner.
func TestHome(t *testing.T) {
	target := func(kind, namespace, name string) observe.Target {
		return observe.Target{Kind: status.Kind{Kind: kind}, Namespace: namespace, Name: name}
	}
	app, web, pod := target("Application", "argocd", "web"), target("Deployment", "shop", "web"), target("Pod", "shop", "web-1")
	var c Cluster
	c.Owners = map[observe.Target]observe.Target{web: app, pod: web, target("A", "x", "a"): target("B", "x", "b"), target("B", "x", "b"): target("A", "x", "a")}
	c.KeepHome([]observe.Target{target("Pod", "vault", "keeper"), target("Role", "", "all")}, "shop")
	for _, row := range []struct {
		it   string
		of   observe.Target
		want string
	}{
		{"is that of the object", target("Pod", "other", "x"), "other"},
		{"is that of the set", target("Pod", "vault", "keeper"), "shop"},
		{"is that of the set for a cluster-scoped object", target("Role", "", "all"), "shop"},
		{"is that of the topmost owner", pod, "argocd"},
		{"ends in a circle of owners", target("A", "x", "a"), "x"},
	} {
		t.Run(row.it, func(t *testing.T) {
			if have := c.Home(row.of); have != row.want {
				t.Errorf("have %q, want %q", have, row.want)
			}
		})
	}
}

// The token in the environment counts as that of --token, which comes first.
func TestTokenVariable(t *testing.T) {
	file := filepath.Join(t.TempDir(), "config")
	const config = `{"apiVersion": "v1", "kind": "Config", "current-context": "c", "clusters": [{"name": "c", "cluster": {"server": "https://127.0.0.1:1"}}],
"users": [{"name": "c", "user": {"token": "of the file"}}], "contexts": [{"name": "c", "context": {"cluster": "c", "user": "c"}}]}`
	if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct{ it, flag, variable, want string }{
		{"uses the kubeconfig", "", "", "of the file"},
		{"uses the variable", "", "of the variable", "of the variable"},
		{"uses the flag", "of the flag", "of the variable", "of the flag"},
	} {
		t.Run(row.it, func(t *testing.T) {
			flags := genericclioptions.NewConfigFlags(true)
			flags.KubeConfig, flags.BearerToken = &file, &row.flag
			c, err := Connect(t.Context(), cli.Env{Environ: []string{"KSTATUS_TOKEN=" + row.variable}}, flags)
			if err != nil {
				t.Fatal(err)
			}
			if have := c.Config.BearerToken; have != row.want {
				t.Errorf("have %q, want %q", have, row.want)
			}
		})
	}
}

package examples

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"kstatus.dev/test/lib/poll"
)

func TestGate(t *testing.T) {
	t.Parallel()
	ns := live.Cluster(t).Namespace(t)
	applyDeployments(t, ns, deployment("web", good)+"---"+deployment("api", broken))
	for _, row := range []struct {
		it      string
		args    []string
		code    int
		outcome string // of the report; empty: no report
		junit   string // a part of the JUnit XML report
	}{
		{"opens for what is Current", []string{"Deployment.apps/web"}, 0, "ok", `failures="0" errors="0"`},
		{"opens for an object without a namespace", []string{"Namespace/" + ns}, 0, "ok", ns},
		{"opens for a selection", []string{"-l", "app=web", "Pod"}, 0, "ok", `classname="Pod" name="` + ns + `/web-`},
		{"stays shut for what cannot be pulled", []string{"Deployment.apps/web", "Deployment.apps/api"}, 1, "failed", broken},
		{"stays shut for a selection with one of them", []string{"-l", "app=shop", "Deployment.apps"}, 1, "failed", broken},
		{"stays shut for what does not exist", []string{"Deployment.apps/nowhere"}, 1, "timeout", "nowhere"},
		{"does not take a name with a selector", []string{"-l", "app=web", "Deployment.apps/web"}, 2, "", ""},
		{"does not take a kind without a name", []string{"Deployment.apps"}, 2, "", ""},
		{"wants an argument", nil, 2, "", ""},
	} {
		t.Run(row.it, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			files := []string{filepath.Join(dir, "report.xml"), filepath.Join(dir, "report.json")}
			timeout := "5s"
			if row.code == 0 {
				timeout = poll.Patience.String()
			}
			r := execute(t, "gate", append([]string{"-n", ns, "-timeout", timeout, "-junit", files[0], "-json", files[1]}, row.args...)...)
			if r.code != row.code || (r.code == 0) != (r.stderr == "") {
				t.Fatalf("want exit code %d: %s", row.code, r)
			}
			if row.outcome == "" {
				return
			}
			var report struct {
				Result struct {
					Outcome  string
					ExitCode int
				}
			}
			if err := json.Unmarshal([]byte(read(t, files[1])), &report); err != nil {
				t.Fatal(err)
			}
			if report.Result.Outcome != row.outcome || report.Result.ExitCode != row.code {
				t.Errorf("the report says %+v, want %s", report.Result, row.outcome)
			}
			if xml := read(t, files[0]); !strings.Contains(xml, row.junit) {
				t.Errorf("want %s in\n%s", row.junit, xml)
			}
		})
	}
}

// Without permissions there is no verdict.
func TestGateWithoutPermissions(t *testing.T) {
	t.Parallel()
	c := live.Cluster(t)
	ns := c.Namespace(t)
	c.Apply(t, ns, deployment("web", good))
	cmd := newCommand(t, "gate", "-n", ns, "-timeout", "10s", "Deployment.apps/web")
	cmd.Env = append(cmd.Env, "KUBECONFIG="+c.User(t, ns, "nobody"))
	if r := finish(t, cmd); r.code != 2 || !strings.Contains(r.stderr, "orbidden") {
		t.Errorf("want exit code 2: %s", r)
	}
}

package provider

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"kstatus.dev/test/lib/command"
)

// shelfObjects are objects of the example provider as users write them.
const shelfObjects = `
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: ShelfCluster
metadata: {name: any}
---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: ShelfMachine
metadata: {name: any}
spec: {size: small}
`

// kstatus capi check finds nothing in the objects of the example provider on a real cluster. It
// finds the problems after the removal of the provider, and plays scenarios.
//
// It is not parallel, so that it runs before all parallel tests: it checks the whole cluster,
// in which the naive provider causes many findings.
func TestCapiCheckOfACluster(t *testing.T) {
	w := newFixture(t)
	stop := w.runProvider(w.Cluster.Config(), nil)
	w.Apply(shop)
	w.WaitUntil(clusters, "shop", "provisioned", provisioned)
	w.WaitUntil(machines, "web", "provisioned", allOf(provisioned, hasCondition("InfrastructureReady=True")))
	check := w.kstatus()

	// The definitions were not installed by clusterctl.
	out, code := check("--live", "--strict", "--skip", "provider-label,template-capacity")
	if code != 0 || !strings.HasPrefix(out, "nothing found in ") {
		t.Errorf("exit code %d; want 0 and nothing found:\n%s", code, out)
	}

	file := filepath.Join(t.TempDir(), "objects.yaml")
	if err := os.WriteFile(file, []byte(shelfObjects), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, code := check("--scenarios", file, "--only", "orphan", "--patience", patience.String()); code != 0 {
		t.Errorf("scenario: exit code %d; want 0:\n%s", code, out)
	}

	stop()
	w.Patch(clusters, "shop", `{"spec": {"paused": true}}`)
	w.Patch(shelfClusters, "shop", `{"metadata": {"labels": {"cluster.x-k8s.io/managed-by": "somebody"}}}`)
	out, code = check("--live", "--strict", "--skip", "provider-label,template-capacity")
	for _, want := range []string{"[C-ALL-8 pause-acknowledged]", "[C-IC-7 managed-by-label]", "ShelfMachine " + w.Namespace + "/web"} {
		if !strings.Contains(out, want) {
			t.Errorf("there is no %s in\n%s", want, out)
		}
	}
	if code != 7 {
		t.Errorf("exit code %d; want 7", code)
	}

	// A user without permissions gets a message about them, and no object is taken for missing.
	nobody := w.Cluster.User(t, w.Namespace, "nobody")
	out, code = check("--live", "--kubeconfig", nobody)
	if code != 6 || !strings.Contains(out, "forbidden") {
		t.Errorf("without rights: exit code %d; want 6:\n%s", code, out)
	}
}

// kstatus returns a function that runs kstatus capi check in the namespace.
func (w *fixture) kstatus() func(args ...string) (output string, code int) {
	w.T.Helper()
	dir, err := command.Build()
	if err != nil {
		w.T.Fatal(err)
	}
	w.T.Cleanup(func() { os.RemoveAll(dir) })
	return func(args ...string) (string, int) {
		cmd := exec.CommandContext(w.T.Context(), filepath.Join(dir, "kstatus"), append([]string{"capi", "check", "-n", w.Namespace}, args...)...)
		cmd.Env = append(os.Environ(), "KUBECONFIG="+w.Cluster.Kubeconfig())
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		_ = cmd.Run() // the exit code is sufficient
		return out.String(), cmd.ProcessState.ExitCode()
	}
}

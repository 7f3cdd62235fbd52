package provider

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"kstatus.dev/test/lib/cluster"
	"kstatus.dev/test/lib/command"
)

// Lint and check find nothing in the manifests of the provider, even in the strictest profile.
func TestManifestsAreClean(t *testing.T) {
	t.Parallel()
	dir, err := command.Build()
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	const manifests = "../../../examples/openstack/"
	files := []string{manifests + "config/crd", manifests + "config", manifests + "metadata.yaml"}
	for name, args := range map[string][]string{
		"lint":       {"lint", "--profile", "strict"},
		"capi check": {"capi", "check", "--strict", "--skip", "provider-label,template-capacity"},
	} {
		out, err := exec.Command(filepath.Join(dir, "kstatus"), append(args, files...)...).CombinedOutput()
		if err != nil || len(out) == 0 || out[0] != 'n' { // "nothing found in 4 definitions"
			t.Errorf("kstatus %s: %v\n%s", name, err, out)
		}
	}
}

// kstatus capi check finds nothing in the live objects.
func TestCapiCheckOfACluster(t *testing.T) {
	cluster.Long(t)
	t.Parallel()
	w := newReady(t)
	dir, err := command.Build()
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	// The definitions were not installed by clusterctl.
	cmd := exec.CommandContext(t.Context(), filepath.Join(dir, "kstatus"), "capi", "check", "-n", w.Namespace, "--live", "--strict", "--skip", "provider-label,template-capacity")
	cmd.Env = append(os.Environ(), "KUBECONFIG="+w.Cluster.Kubeconfig())
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v:\n%s", err, out)
	}
	w.end()
}

package provider

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"kstatus.dev/test/lib/command"
)

// Lint finds nothing in the manifests of the example, even in the strictest profile.
func TestExampleIsClean(t *testing.T) {
	dir, err := command.Build()
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	const manifests = "../../../examples/provider/"
	files := []string{manifests + "config/crd", manifests + "config", manifests + "metadata.yaml"}
	for name, args := range map[string][]string{
		"lint":       {"lint", "--profile", "strict"},
		"capi check": {"capi", "check"},
	} {
		out, err := exec.Command(filepath.Join(dir, "kstatus"), append(args, files...)...).CombinedOutput()
		if err != nil || len(out) == 0 || out[0] != 'n' { // "nothing found in 4 definitions"
			t.Errorf("kstatus %s: %v\n%s", name, err, out)
		}
	}
}

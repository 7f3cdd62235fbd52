package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kstatus.dev/test/lib/manifest"
)

// One timeout applies to all: fifty stuck objects take as long as one, and each is reported.
func TestFiftyStuckObjectsTimeOutTogether(t *testing.T) {
	const stuck = 50
	c := live.Cluster(t)
	namespace := c.Namespace(t)
	var manifests strings.Builder
	for i := range stuck {
		manifests.WriteString("---\n" + manifest.Object("v1", "Pod", fmt.Sprintf("stuck-%d", i)) + "spec: {containers: [{name: c, " + unreadyPod + "}]}\n")
	}
	c.Apply(t, namespace, manifests.String())
	cmd := exec.Command(filepath.Join(bin, "kstatus"), "wait", "-n", namespace, "-f", "-", "--timeout", "2s", "--progress=full")
	cmd.Env = append(os.Environ(), "KUBECONFIG="+c.Kubeconfig(), "HOME="+t.TempDir())
	cmd.Stdin = strings.NewReader(manifests.String())
	began := time.Now()
	out, err := cmd.Output()
	took := time.Since(began)
	code, err := codeOf(err)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d objects that are stuck, with a timeout of 2s: %s", stuck, took.Round(time.Millisecond))
	switch open := strings.Count(string(out), " NOT MET "); {
	case code != 4, open != stuck:
		t.Errorf("exit code %d and %d objects told of, want 4 and %d\n%s", code, open, stuck, out)
	case took > stuck*time.Second:
		t.Errorf("it took %s; a timeout for each object would take %s\n%s", took, stuck*2*time.Second, out)
	}
}

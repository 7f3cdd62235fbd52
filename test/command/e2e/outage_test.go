package e2e

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"kstatus.dev/test/lib/faults"
	"kstatus.dev/test/lib/manifest"
)

// During a server outage the last verdicts stay. The output mentions once that they stay, their
// age with each heartbeat, and the end of the outage.
func TestOutageIsReported(t *testing.T) {
	t.Parallel()
	c := live.Cluster(t)
	namespace := c.Namespace(t)
	c.Apply(t, namespace, manifest.Deployment("slow", unreadyPod))
	proxy := faults.Start(t, c.Config())
	kubeconfig, err := proxy.Kubeconfig(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(filepath.Join(bin, "kstatus"), "wait", "-n", namespace, "deployment/slow", "configmap/none", "--timeout", "3m", "--every", "1s")
	cmd.Env = append(os.Environ(), "KUBECONFIG="+kubeconfig, "HOME="+t.TempDir())
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := make(chan string)
	go func() {
		defer close(lines)
		for s := bufio.NewScanner(out); s.Scan(); {
			lines <- s.Text()
		}
	}()
	var told []string
	expect := func(text string) {
		t.Helper()
		late := time.After(longTimeout)
		for {
			select {
			case line, ok := <-lines:
				told = append(told, line)
				if strings.Contains(line, text) {
					return
				}
				if ok {
					continue
				}
			case <-late:
			}
			_ = cmd.Process.Kill() // the test has failed already
			t.Fatalf("it does not tell %q:\n%s", text, strings.Join(told, "\n"))
		}
	}
	expect(" InProgress  Deployment/")
	outage := proxy.Inject(faults.Match{}, faults.Reset{})
	expect(" STALE       ")
	expect("(not seen for ")
	outage.Off()
	expect(" FRESH       ")
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	expect(" RESULT      interrupted: 1 in progress, 1 not found, ")
	for range lines {
	}
	if code, err := codeOf(cmd.Wait()); code != 130 || err != nil {
		t.Errorf("exit code %d, %v, want 130", code, err)
	}
	all := strings.Join(told, "\n")
	if strings.Contains(all, " Unknown ") || strings.Count(all, " STALE ") > 2 {
		t.Errorf("want what was seen to stand, and the outage told of once:\n%s", all)
	}
}

// A permanent server outage is the cause of an unknown outcome.
func TestServerThatIsLost(t *testing.T) {
	t.Parallel()
	c := live.Cluster(t)
	namespace := c.Namespace(t)
	c.Apply(t, namespace, manifest.Deployment("slow", unreadyPod))
	proxy := faults.Start(t, c.Config())
	kubeconfig, err := proxy.Kubeconfig(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(filepath.Join(bin, "kstatus"), "wait", "-n", namespace, "deployment/slow", "--timeout", "12s")
	cmd.Env = append(os.Environ(), "KUBECONFIG="+kubeconfig, "HOME="+t.TempDir())
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var told strings.Builder
	for s := bufio.NewScanner(out); s.Scan(); {
		if told.WriteString(s.Text() + "\n"); strings.Contains(s.Text(), " InProgress  Deployment/") {
			proxy.Close()
		}
	}
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code != 1 {
		t.Errorf("it exits with %d, want 1:\n%s", code, told.String())
	}
	for _, want := range []string{
		" STALE       connection lost; showing the last known state: ", "  Cause     the API server has given no usable answer for ", " RESULT      error: 1 in progress, took ",
	} {
		if !strings.Contains(told.String(), want) {
			t.Errorf("it does not tell %q:\n%s", want, told.String())
		}
	}
	if strings.Contains(told.String(), "https://") {
		t.Errorf("it tells a URL:\n%s", told.String())
	}
}

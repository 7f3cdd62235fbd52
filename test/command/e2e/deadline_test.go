//go:build unix

package e2e

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"kstatus.dev/kube/source"
	"kstatus.dev/observe"
	"kstatus.dev/test/lib/manifest"
	"kstatus.dev/test/lib/poll"
)

// createStuckDeployments creates Deployments that never become available, and returns their
// targets.
func createStuckDeployments(t *testing.T, many int) (namespace string, targets []observe.Target) {
	t.Helper()
	c := live.Cluster(t)
	namespace = c.Namespace(t)
	manifests := ""
	for i := range many {
		name := fmt.Sprintf("stuck-%d", i)
		manifests += "---\n" + manifest.Deployment(name, unpullablePod)
		targets = append(targets, manifest.Target("apps", "Deployment", namespace, name))
	}
	c.Apply(t, namespace, manifests)
	return namespace, targets
}

// One deadline applies to all stuck objects, however many. A deadline for each object would take
// more than twice as long as is permitted. The grace does not end before it.
func TestManyStuckObjectsEndAtTheDeadline(t *testing.T) {
	t.Parallel()
	const many, timeout = 50, 8 * time.Second // until then, all objects must have been read
	namespace, targets := createStuckDeployments(t, many)
	c := live.Cluster(t)
	rows := []struct {
		it   string
		wait func(t *testing.T) (outcome string, open int)
	}{
		{"is the engine", func(t *testing.T) (string, int) {
			ctx, cancel := context.WithTimeoutCause(t.Context(), timeout, observe.ErrTimeout)
			defer cancel()
			outcome, board, err := observe.Watcher{Source: &source.Cluster{Config: c.Config()}, Requirements: observe.Requirements{Grace: map[string]time.Duration{"": time.Hour}}}.Wait(ctx, observe.Policy{}, targets...)
			if err != nil {
				t.Fatal(err)
			}
			return string(outcome), len(board.Unmet())
		}},
		{"is the command", func(t *testing.T) (string, int) {
			cmd := exec.Command(filepath.Join(bin, "kstatus"), "wait", "deployments", "-n", namespace, "--timeout", timeout.String(), "--grace", "1h", "--progress=full")
			cmd.Env = append(os.Environ(), "KUBECONFIG="+c.Kubeconfig(), "HOME="+t.TempDir())
			out, err := cmd.Output()
			code, err := codeOf(err)
			if err != nil {
				t.Fatal(err)
			}
			return map[int]string{3: "failed"}[code], strings.Count(string(out), " NOT MET ")
		}},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			t.Parallel()
			began := time.Now()
			outcome, open := row.wait(t)
			took := time.Since(began)
			if outcome != "failed" || open != many {
				t.Fatalf("it %s: have %q and %d that are open, want failed and %d", row.it, outcome, open, many)
			}
			t.Logf("it %s: %s", row.it, took)
			if took > many*timeout/2 {
				t.Errorf("it %s: it took %s", row.it, took)
			}
		})
	}
}

// Ctrl-C during a wait for many objects prints the open ones and ends the command. A second one
// right after it ends the command at once, even during its output.
func TestCtrlCDuringWait(t *testing.T) {
	t.Parallel()
	namespace, targets := createStuckDeployments(t, 20)
	c := live.Cluster(t)
	for times := 1; times <= 2; times++ {
		t.Run(fmt.Sprintf("%d times", times), func(t *testing.T) {
			cmd := exec.Command(filepath.Join(bin, "kstatus"), "wait", "deployments", "-n", namespace, "--progress=full")
			cmd.Env = append(os.Environ(), "KUBECONFIG="+c.Kubeconfig(), "HOME="+t.TempDir())
			out := &lineBuffer{lines: 1 + len(targets), reached: make(chan struct{})}
			cmd.Stdout = out
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			select {
			case <-out.reached:
			case <-time.After(poll.Patience):
				t.Error("it does not tell of every object")
			}
			for range times {
				if err := cmd.Process.Signal(os.Interrupt); err != nil && times == 1 {
					t.Fatal(err)
				}
			}
			err := cmd.Wait()
			status, _ := cmd.ProcessState.Sys().(syscall.WaitStatus)
			told := bytes.Count(out.text.Bytes(), []byte(" NOT MET "))
			if cmd.ProcessState.ExitCode() != 130 && !(times == 2 && status.Signaled() && status.Signal() == syscall.SIGINT) {
				t.Errorf("it ends with %v, want exit code 130", err)
			}
			if times == 1 && (told != len(targets) || !bytes.Contains(out.text.Bytes(), []byte("RESULT      interrupted"))) {
				t.Errorf("it tells of %d of %d that are open:\n%s", told, len(targets), out.text.Bytes())
			}
		})
	}
}

//go:build unix

package e2e

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// A first signal lets the command say what is open; a second one ends it at
// once, here while it cannot say it since nobody reads.
func TestSecondSignalEndsAtOnce(t *testing.T) {
	c := live.Cluster(t)
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	args := []string{"wait"}
	for i := range 2000 { // more than a pipe holds
		args = append(args, fmt.Sprintf("configmap/there-is-no-such-thing-%d", i))
	}
	cmd := exec.Command(filepath.Join(bin, "kstatus"), args...)
	cmd.Env = append(os.Environ(), "KUBECONFIG="+c.Kubeconfig(), "HOME="+t.TempDir())
	cmd.Stdout = writer
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	writer.Close()
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	time.Sleep(2 * time.Second)
	for n := 1; n <= 2; n++ {
		if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		select {
		case err := <-ended:
			exit, _ := errors.AsType[*exec.ExitError](err)
			if n == 1 || exit == nil || !exit.Sys().(syscall.WaitStatus).Signaled() {
				t.Fatalf("after signal %d it ended with %v, want it to end by the second one", n, err)
			}
			return
		case <-time.After(time.Second):
		}
	}
	t.Error("it goes on after two signals")
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-ended
}

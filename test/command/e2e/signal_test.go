//go:build unix

package e2e

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"kstatus.dev/test/lib/poll"
)

// The first signal lets the command print the open objects. A second one ends it at once. Here
// the command cannot print, because its output is not read.
func TestSecondSignalEndsAtOnce(t *testing.T) {
	t.Parallel()
	c := live.Cluster(t)
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	args := []string{"wait"}
	for i := range 2000 { // more than a pipe can buffer
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
	if _, err := io.ReadFull(reader, make([]byte, 1)); err != nil { // it has begun to print
		t.Fatal(err)
	}
	for n := 1; n <= 5; n++ { // a busy process may see the first ones within a second, which count as one
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
		case <-time.After(2 * time.Second):
		}
	}
	t.Error("it goes on after the second signal")
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-ended
}

// A server that accepts a connection and never answers does not block the command: neither
// beyond its timeout nor after a signal. The command first reports that it waits.
func TestServerThatDoesNotAnswer(t *testing.T) {
	release := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-release }))
	t.Cleanup(server.Close)
	t.Cleanup(func() { close(release) })
	rows := []struct {
		it     string
		args   []string
		signal os.Signal // sent after the first lines
		lines  int
		want   int
	}{
		{"times out while a TYPE is listed", []string{"wait", "deployment", "--timeout", "1s"}, nil, 1, 4},
		{"times out while an object is looked up", []string{"wait", "-f", "testdata/configmap.yaml", "--timeout", "1s"}, nil, 1, 4},
		{"is interrupted while a TYPE is listed", []string{"wait", "deployment"}, syscall.SIGINT, 1, 130},
		{"is interrupted while an object is looked up", []string{"wait", "-f", "testdata/configmap.yaml"}, syscall.SIGINT, 2, 130},
	}
	for _, row := range rows {
		t.Run(row.it, func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command(filepath.Join(bin, "kstatus"), append(row.args, "--server", server.URL)...)
			cmd.Env = append(os.Environ(), "KUBECONFIG=", "HOME="+t.TempDir())
			out := &lineBuffer{lines: row.lines, reached: make(chan struct{})}
			cmd.Stdout = out
			start := time.Now()
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			select {
			case <-out.reached:
				t.Logf("the first line came after %s", time.Since(start).Round(time.Millisecond))
			case <-time.After(poll.Patience):
				t.Error("it says nothing")
			}
			if row.signal != nil {
				if err := cmd.Process.Signal(row.signal); err != nil {
					t.Fatal(err)
				}
			}
			code, err := codeOf(cmd.Wait())
			// A request that is not canceled would wait forever.
			if err != nil || code != row.want {
				t.Errorf("it %s: have exit code %d, %v, want %d", row.it, code, err, row.want)
			}
			text := out.text.String()
			if !strings.Contains(text, " START ") || !strings.Contains(text, ": the API server has not responded yet\n") && strings.Contains(text, "START       1 object") {
				t.Errorf("it %s: want a start, and what has not been heard of:\n%s", row.it, text)
			}
		})
	}
}

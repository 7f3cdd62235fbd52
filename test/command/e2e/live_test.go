//go:build unix

package e2e

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"

	"kstatus.dev/test/lib/cluster"
	"kstatus.dev/test/lib/poll"
)

// A session is a command whose standard error is a terminal, as for interactive users.
type session struct {
	t      *testing.T
	cmd    *exec.Cmd
	master *os.File
	stdout bytes.Buffer
	ended  chan error

	mu     sync.Mutex // guards the fields below
	screen bytes.Buffer
}

// onTerminal starts the command on a controlling terminal of 100 columns.
func onTerminal(t *testing.T, c *cluster.Cluster, namespace string, args ...string) *session {
	t.Helper()
	master, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	s := &session{t: t, master: master, ended: make(chan error, 1)}
	s.resize(100)
	s.cmd = exec.Command(filepath.Join(bin, "kstatus"), append(args, "-n", namespace)...)
	s.cmd.Env = append(os.Environ(), "KUBECONFIG="+c.Kubeconfig(), "HOME="+t.TempDir(), "TERM=xterm-256color", "LC_ALL=C.UTF-8",
		"CI=", "NO_COLOR=", "KSTATUS_HISTORY=", "KSTATUS_PROGRESS=", "GITHUB_ACTIONS=")
	s.cmd.Stdin, s.cmd.Stderr, s.cmd.Stdout = tty, tty, &s.stdout
	if args[0] == "get" { // which is live only if nothing else reads its output
		s.cmd.Stdout = tty
	}
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	tty.Close()
	go func() {
		_, _ = io.Copy(writerFunc(func(p []byte) (int, error) {
			s.mu.Lock()
			defer s.mu.Unlock()
			return s.screen.Write(p)
		}), master)
		s.ended <- s.cmd.Wait()
	}()
	t.Cleanup(func() {
		_ = s.cmd.Process.Kill() // if it has not exited
		master.Close()
	})
	return s
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

func (s *session) resize(columns uint16) {
	s.t.Helper()
	if err := pty.Setsize(s.master, &pty.Winsize{Rows: 24, Cols: columns}); err != nil {
		s.t.Fatal(err)
	}
}

func (s *session) shown() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.screen.String()
}

// until waits until the terminal has received a text.
func (s *session) until(text string) {
	s.t.Helper()
	poll.Check(s.t, func() error {
		if shown := s.shown(); !strings.Contains(shown, text) {
			return fmt.Errorf("the terminal is never sent %q, but\n%q", text, shown)
		}
		return nil
	})
}

// end waits for the command and returns its exit code.
func (s *session) end() int {
	s.t.Helper()
	select {
	case err := <-s.ended:
		if exit, ok := errors.AsType[*exec.ExitError](err); ok {
			return exit.ExitCode()
		}
		return 0
	case <-time.After(poll.Patience):
		s.t.Fatalf("the command does not end; the terminal was sent\n%q", s.shown())
		return -1
	}
}

// The start of a frame, and the sequence that shows the cursor again.
const frameBegins, cursorShown = "\x1b[?2026h", "\x1b[?25h"

const twoSettings = `
apiVersion: v1
kind: ConfigMap
metadata: {name: settings}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: late}
`

// A wait on a terminal has a live view on standard error, in any size. The final state stays on
// it, and standard output contains only the result.
func TestWaitLive(t *testing.T) {
	c := live.Cluster(t)
	ns := c.Namespace(t)
	settings, late, _ := strings.Cut(twoSettings, "---")
	c.Apply(t, ns, settings)
	s := onTerminal(t, c, ns, "wait", "configmap/settings", "configmap/late")
	s.until("1/2 current, 1 not found")
	s.until("✓\x1b[m \x1b[32mCurrent")
	s.resize(60)
	before := strings.Count(s.shown(), "1/2 current")
	if _, err := s.master.WriteString("typed\n"); err != nil {
		t.Fatal(err)
	}
	poll.Wait(t, "all is drawn anew for the new size", func() bool { return strings.Count(s.shown(), "1/2 current") > before })
	c.Apply(t, ns, late)
	if code := s.end(); code != 0 {
		t.Errorf("exit code %d, want 0", code)
	}
	all := s.shown()
	_, last, found := strings.Cut(all, cursorShown)
	if !found || !strings.Contains(last, "2/2 current") || !strings.Contains(last, "2: ConfigMap 2") {
		t.Errorf("at the end the terminal shows %q, want where everything stands", last)
	}
	if strings.Contains(all, "typed") {
		t.Error("what is typed is shown in the frame")
	}
	if out := s.stdout.String(); strings.Count(out, "\n") != 1 || !strings.Contains(out, "RESULT      ok: 2 current") {
		t.Errorf("standard output has %q, want the result", out)
	}
}

// Ctrl-C ends a live wait: it restores the terminal, and prints the open objects.
func TestWaitLiveInterrupted(t *testing.T) {
	c := live.Cluster(t)
	ns := c.Namespace(t)
	s := onTerminal(t, c, ns, "wait", "configmap/nope", "-o", "json")
	s.until("0/1 current, 1 not found")
	if _, err := s.master.WriteString("\x03"); err != nil {
		t.Fatal(err)
	}
	if code := s.end(); code != 130 {
		t.Errorf("exit code %d, want 130; %q", code, s.shown())
	}
	_, last, found := strings.Cut(s.shown(), cursorShown)
	if !found || !strings.Contains(last, "ConfigMap/nope") || !strings.Contains(last, "RESULT      interrupted: 1 not found") {
		t.Errorf("at the end the terminal shows %q, want what is open", last)
	}
	for line := range strings.Lines(s.stdout.String()) {
		if !strings.HasPrefix(line, `{"v":1,`) {
			t.Errorf("standard output has %q, want JSON", line)
		}
	}
}

// A wait that Ctrl-Z stops restores the terminal, and draws again when it continues.
func TestWaitLiveStopped(t *testing.T) {
	c := live.Cluster(t)
	ns := c.Namespace(t)
	s := onTerminal(t, c, ns, "wait", "configmap/nope")
	s.until("0/1 current, 1 not found")
	if err := s.cmd.Process.Signal(syscall.SIGTSTP); err != nil {
		t.Fatal(err)
	}
	s.until(cursorShown)
	var state syscall.WaitStatus
	if _, err := syscall.Wait4(s.cmd.Process.Pid, &state, syscall.WUNTRACED, nil); err != nil || !state.Stopped() {
		t.Fatalf("the process is not stopped: %v, %v", state, err)
	}
	drawn := strings.Count(s.shown(), "0/1 current")
	if err := s.cmd.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	poll.Wait(t, "it draws again", func() bool { return strings.Count(s.shown(), "0/1 current") > drawn })
	if _, err := s.master.WriteString("\x03"); err != nil {
		t.Fatal(err)
	}
	if code := s.end(); code != 130 {
		t.Errorf("exit code %d, want 130", code)
	}
}

// get -w on a terminal has a live view too, and leaves the last state on it.
func TestGetWatchLive(t *testing.T) {
	c := live.Cluster(t)
	ns := c.Namespace(t)
	settings, late, _ := strings.Cut(twoSettings, "---")
	c.Apply(t, ns, settings)
	s := onTerminal(t, c, ns, "get", "configmap", "--field-selector", "metadata.name!=kube-root-ca.crt", "-w")
	s.until("1: ConfigMap 1")
	c.Apply(t, ns, late)
	s.until("2: ConfigMap 2")
	if _, err := s.master.WriteString("\x03"); err != nil {
		t.Fatal(err)
	}
	if code := s.end(); code != 130 {
		t.Errorf("exit code %d, want 130", code)
	}
	_, last, found := strings.Cut(s.shown(), cursorShown)
	if !found || !strings.Contains(last, "2: ConfigMap 2") || strings.Contains(s.shown(), "RESULT") {
		t.Errorf("at the end the terminal shows %q, want where everything stood", last)
	}
}

// A wait has no live view where it is impossible or not requested.
func TestWaitNotLive(t *testing.T) {
	t.Parallel()
	c := live.Cluster(t)
	ns := c.Namespace(t)
	for _, row := range []struct {
		it   string
		args []string
		env  string
		out  string
		code int
	}{
		{"is a log where that is wanted", []string{"--progress=log"}, "", "START", 5},
		{"is a log where that is wanted by the environment", nil, "KSTATUS_PROGRESS=log", "START", 5},
		{"is a log on a dumb terminal", nil, "TERM=dumb", "START", 5},
		{"is a log for continuous integration", nil, "CI=true", "START", 5},
		{"tells the end only where that is wanted", []string{"--progress=none"}, "", "RESULT", 5},
	} {
		t.Run(row.it, func(t *testing.T) {
			master, tty, err := pty.Open()
			if err != nil {
				t.Fatal(err)
			}
			defer master.Close()
			defer tty.Close()
			cmd := exec.Command(filepath.Join(bin, "kstatus"), append([]string{"wait", "configmap/nope", "-n", ns, "--missing=fail"}, row.args...)...)
			cmd.Env = append(os.Environ(), "KUBECONFIG="+c.Kubeconfig(), "HOME="+t.TempDir(), "TERM=xterm", "CI=", row.env)
			cmd.Stderr = tty
			out, err := cmd.Output()
			if code, _ := codeOf(err); code != row.code || !strings.Contains(string(out), row.out) || strings.Contains(string(out), "\x1b") {
				t.Errorf("it %s: exit code %d and %q, want %d and a line %s", row.it, code, out, row.code, row.out)
			}
		})
	}
}

// get -w prints lines for added, changed and deleted objects.
func TestGetWatch(t *testing.T) {
	c := live.Cluster(t)
	ns := c.Namespace(t)
	settings, late, _ := strings.Cut(twoSettings, "---")
	c.Apply(t, ns, settings)
	cmd := exec.Command(filepath.Join(bin, "kstatus"), "get", "configmap", "--field-selector", "metadata.name!=kube-root-ca.crt", "-w", "-n", ns)
	cmd.Env = append(os.Environ(), "KUBECONFIG="+c.Kubeconfig(), "HOME="+t.TempDir())
	out := &lineBuffer{lines: 2, reached: make(chan struct{})}
	more := &lineBuffer{lines: 3, reached: make(chan struct{})}
	cmd.Stdout = io.MultiWriter(out, more)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	wait := func(w *lineBuffer, what string) {
		select {
		case <-w.reached:
		case <-time.After(poll.Patience):
			t.Errorf("it never tells of %s", what)
		}
	}
	wait(out, "what is there")
	c.Apply(t, ns, late)
	wait(more, "what is new")
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if code, _ := codeOf(cmd.Wait()); code != 130 {
		t.Errorf("exit code %d, want 130", code)
	}
	lines := strings.Split(out.text.String(), "\n")
	for i, want := range []string{"OBJECT", "ConfigMap/settings", "ConfigMap/late"} {
		if i >= len(lines) || !strings.HasPrefix(lines[i], want) || i > 0 && !strings.Contains(lines[i], "Current") {
			t.Errorf("line %d of\n%s\nis not about %s", i+1, out.text.String(), want)
		}
	}
}

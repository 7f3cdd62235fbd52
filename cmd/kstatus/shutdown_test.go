//go:build unix

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/termios"
	"github.com/creack/pty"
	"golang.org/x/sys/unix"

	"kstatus.dev/cmd/kstatus/internal/cli"
	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/kube/wiretest"
)

// A changingServer is an API server with one Pod that is not ready. Each value that is sent to
// changes changes the Pod.
type changingServer struct {
	*httptest.Server
	changes chan string // of the Pod's phase
}

func newChangingServer(t *testing.T) *changingServer {
	s := &changingServer{changes: make(chan string)}
	ended := make(chan struct{})
	version := 1
	object := func(phase string) string {
		version++
		return fmt.Sprintf(`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web","namespace":"default","uid":"1","resourceVersion":"%d"},"status":{"phase":%q}}`, version, phase)
	}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		switch {
		case r.URL.Path == "/api":
			fmt.Fprint(w, `{"kind":"APIVersions","versions":["v1"]}`)
		case r.URL.Path == "/apis":
			fmt.Fprint(w, `{"kind":"APIGroupList","apiVersion":"v1","groups":[]}`)
		case r.URL.Path == "/api/v1":
			fmt.Fprint(w, `{"kind":"APIResourceList","groupVersion":"v1","resources":[{"name":"pods","singularName":"pod","namespaced":true,"kind":"Pod","verbs":["get","list","watch"]}]}`)
		case r.URL.Path == "/api/v1/namespaces/default/pods" && r.URL.Query().Get("watch") != "":
			w.WriteHeader(http.StatusOK)
			w.(http.Flusher).Flush()
			for {
				select {
				case phase := <-s.changes:
					fmt.Fprintf(w, `{"type":"MODIFIED","object":%s}`+"\n", object(phase))
					w.(http.Flusher).Flush()
				case <-r.Context().Done():
					return
				case <-ended:
					return
				}
			}
		case r.URL.Path == "/api/v1/namespaces/default/pods":
			fmt.Fprintf(w, `{"apiVersion":"v1","kind":"PodList","metadata":{"resourceVersion":"1"},"items":[%s]}`, object("Pending"))
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(func() {
		close(ended)
		s.CloseClientConnections()
		s.Close()
	})
	return s
}

// change changes the Pod, unless the watch has ended.
func (s *changingServer) change(t *testing.T, phase string) {
	t.Helper()
	select {
	case s.changes <- phase:
	case <-time.After(20 * time.Second):
		t.Errorf("nobody watches the Pod become %s", phase)
	}
}

// A terminalScreen is the text that a terminal has received.
type terminalScreen struct {
	tty  *os.File
	mu   sync.Mutex // guards text
	text bytes.Buffer
}

func newScreen(t *testing.T) *terminalScreen {
	t.Helper()
	terminal, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	if err := pty.Setsize(tty, &pty.Winsize{Rows: 24, Cols: 80}); err != nil {
		t.Fatal(err)
	}
	s := &terminalScreen{tty: tty}
	go func() {
		buffer := make([]byte, 4096)
		for {
			n, err := terminal.Read(buffer)
			s.mu.Lock()
			s.text.Write(buffer[:n])
			s.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	t.Cleanup(func() {
		tty.Close()
		terminal.Close()
	})
	return s
}

func (s *terminalScreen) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// isEchoing reports whether the terminal echoes input.
func (s *terminalScreen) isEchoing(t *testing.T) bool {
	t.Helper()
	had, err := termios.GetTermios(int(s.tty.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	return had.Lflag&unix.ECHO != 0
}

// waitUntil waits until holds returns true, with a wide margin.
func waitUntil(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for range 3000 {
		if holds() {
			return
		}
		time.Sleep(10 * time.Millisecond) // between two looks at the state of another process
	}
	t.Fatalf("it never is so: %s", what)
}

// checkRestored checks that a terminal is restored: it echoes input and shows its cursor.
func (s *terminalScreen) checkRestored(t *testing.T) {
	t.Helper()
	if !s.isEchoing(t) {
		t.Error("the terminal does not show what is typed")
	}
	waitUntil(t, "the cursor is shown", func() bool {
		text := s.String()
		return strings.LastIndex(text, ansi.SetModeTextCursorEnable) > strings.LastIndex(text, ansi.ResetModeTextCursorEnable)
	})
}

func (s *terminalScreen) waitForFrame(t *testing.T) {
	t.Helper()
	waitUntil(t, "a frame is drawn", func() bool {
		return strings.Contains(s.String(), ansi.ResetModeTextCursorEnable) && !s.isEchoing(t)
	})
}

// startLiveWait starts a live wait on a terminal.
func startLiveWait(t *testing.T, screen *terminalScreen, stdout *os.File, server *changingServer, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command("kstatus", append([]string{"wait", "pod/web", "-n", "default", "--server", server.URL, "--progress", "live", "--explain", "none"}, args...)...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = screen.tty, stdout, screen.tty
	cmd.Env = append(os.Environ(), "TERM=xterm", "KUBECONFIG="+filepath.Join(t.TempDir(), "none"), "GITHUB_ACTIONS=", "CI=")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	return cmd
}

// waitForExit waits for the end of a process, and returns its exit code or signal.
func waitForExit(t *testing.T, cmd *exec.Cmd) (code int, signal syscall.Signal) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		_ = cmd.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Fatal("the process does not end")
	}
	status, _ := cmd.ProcessState.Sys().(syscall.WaitStatus)
	if status.Signaled() {
		return -1, status.Signal()
	}
	return status.ExitStatus(), 0
}

// A signal that ends a live wait restores the terminal.
func TestSignalsRestoreTheTerminal(t *testing.T) {
	for _, row := range []struct {
		signal syscall.Signal
		code   int
		by     syscall.Signal
	}{
		{syscall.SIGINT, 130, 0},
		{syscall.SIGTERM, 143, 0},
		{syscall.SIGHUP, 129, 0},
		{syscall.SIGQUIT, 2, 0}, // the Go runtime prints the stacks and exits with 2
	} {
		t.Run(row.signal.String(), func(t *testing.T) {
			handled := make(chan os.Signal, 1)
			signal.Notify(handled, row.signal) // so that the process does not inherit that nohup ignores a signal
			defer signal.Stop(handled)
			screen := newScreen(t)
			cmd := startLiveWait(t, screen, screen.tty, newChangingServer(t))
			screen.waitForFrame(t)
			if err := cmd.Process.Signal(row.signal); err != nil {
				t.Fatal(err)
			}
			if code, by := waitForExit(t, cmd); code != row.code || by != row.by {
				t.Errorf("it exits with %d, by %v, want %d, %v", code, by, row.code, row.by)
			}
			screen.checkRestored(t)
		})
	}
}

// A wait without a terminal prints its result when a signal ends it.
func TestSignalsPrintTheResult(t *testing.T) {
	for _, row := range []struct {
		signal syscall.Signal
		code   exit.Code
		want   string
	}{
		{syscall.SIGINT, exit.Interrupted, "RESULT      interrupted: "},
		{syscall.SIGTERM, exit.Terminated, "RESULT      terminated: "},
		{syscall.SIGHUP, exit.HungUp, "RESULT      hangup: "},
	} {
		t.Run(row.signal.String(), func(t *testing.T) {
			handled := make(chan os.Signal, 1)
			signal.Notify(handled, row.signal) // so that the process does not inherit that nohup ignores a signal
			defer signal.Stop(handled)
			cmd := exec.Command("kstatus", "wait", "pod/web", "-n", "default", "--server", newChangingServer(t).URL)
			cmd.Env = append(os.Environ(), "KUBECONFIG="+filepath.Join(t.TempDir(), "none"), "GITHUB_ACTIONS=", "CI=")
			var out textBuffer
			cmd.Stdout, cmd.Stderr = &out, &out
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = cmd.Process.Kill() })
			waitUntil(t, "the wait has begun", func() bool { return strings.Contains(out.String(), "START") })
			if err := cmd.Process.Signal(row.signal); err != nil {
				t.Fatal(err)
			}
			if code, by := waitForExit(t, cmd); code != int(row.code) || by != 0 || !strings.Contains(out.String(), row.want) {
				t.Errorf("it exits with %d, by %v:\n%s", code, by, out.String())
			}
		})
	}
}

// If the reader of the output exits, a live wait restores the terminal and ends. With a record
// and reports the wait continues, and all of them are complete.
func TestClosedPipes(t *testing.T) {
	t.Run("it ends without another output", func(t *testing.T) {
		screen, server := newScreen(t), newChangingServer(t)
		in, out, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		cmd := startLiveWait(t, screen, out, server, "-o", "json")
		out.Close()
		screen.waitForFrame(t)
		in.Close()
		server.change(t, "Unknown")
		if code, by := waitForExit(t, cmd); code != 141 || by != 0 {
			t.Errorf("it exits with %d, by %v, want 141", code, by)
		}
		screen.checkRestored(t)
	})
	for _, format := range []string{"json", "name", "text"} {
		t.Run("it completes a record and a report with -o "+format, func(t *testing.T) {
			server, dir := newChangingServer(t), t.TempDir()
			record, report, junit := filepath.Join(dir, "r.ndjson"), filepath.Join(dir, "r.json"), filepath.Join(dir, "r.xml")
			cmd := exec.Command("kstatus", "wait", "pod/web", "-n", "default", "--server", server.URL, "-o", format, "--record", record, "--report", "json="+report+",junit="+junit, "--explain", "none")
			cmd.Env = append(os.Environ(), "KUBECONFIG="+filepath.Join(dir, "none"), "GITHUB_ACTIONS=", "CI=")
			in, out, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			cmd.Stdout, cmd.Stderr = out, out
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = cmd.Process.Kill() })
			out.Close()
			if format != "name" { // the format name prints nothing before the end
				if _, err := bufio.NewReader(in).ReadString('\n'); err != nil {
					t.Fatal(err)
				}
			}
			in.Close()
			server.change(t, "Unknown")
			server.change(t, "Failed")
			if code, by := waitForExit(t, cmd); code != int(exit.Failed) || by != 0 {
				t.Errorf("it exits with %d, by %v, want %d", code, by, exit.Failed)
			}
			lines, err := os.ReadFile(record)
			if err != nil || !strings.Contains(string(lines), `"type":"result"`) || !strings.Contains(string(lines), `"outcome":"failed"`) {
				t.Errorf("the record has no end: %v, %s", err, lines)
			}
			var run struct{ Result struct{ Outcome string } }
			text, err := os.ReadFile(report)
			if err == nil {
				err = json.Unmarshal(text, &run)
			}
			if err != nil || run.Result.Outcome != "failed" {
				t.Errorf("the report is not complete: %v, %s", err, text)
			}
			if text, err := os.ReadFile(junit); err != nil || !strings.Contains(string(text), `failures="1"`) {
				t.Errorf("the JUnit report is not complete: %v, %s", err, text)
			}
		})
	}
}

// A brokenWriter panics when another goroutine than the first one writes to it, once.
type brokenWriter struct {
	io.Writer
	once *sync.Once
}

func (w brokenWriter) Write(p []byte) (int, error) {
	if bytes.Contains(debug.Stack(), []byte("/internal/crash.")) {
		w.once.Do(func() { panic("nobody \x1b[2Jexpected this") })
	}
	return w.Writer.Write(p)
}

// panics is kstatus with a panic in a goroutine that reads a cluster.
func panics() {
	env := processEnv()
	env.Err = brokenWriter{os.Stderr, new(sync.Once)}
	runProcess(env)
}

// A panic exits like an error of kstatus and not like wrong usage, and restores the terminal.
func TestPanics(t *testing.T) {
	const want = "error: kstatus has a bug: nobody \ufffd[2Jexpected this"
	t.Run("of a command", func(t *testing.T) {
		var out, stderr strings.Builder
		env := cli.Env{In: strings.NewReader(""), Out: &out, Err: &stderr, Now: func() time.Time { panic("nobody \x1b[2Jexpected this") }}
		file := filepath.Join(t.TempDir(), "widget.yaml")
		if err := os.WriteFile(file, []byte(widget), 0o600); err != nil {
			t.Fatal(err)
		}
		if code := run(t.Context(), env, []string{"kstatus", "get", "--local", "-f", file}); code != exit.Uncertain {
			t.Errorf("it exits with %d, want %d", code, exit.Uncertain)
		}
		if !strings.HasPrefix(stderr.String(), want) || !strings.Contains(stderr.String(), "shutdown_test.go") || strings.Contains(stderr.String(), "\x1b") {
			t.Errorf("it says %q", stderr.String())
		}
	})
	t.Run("of another goroutine", func(t *testing.T) {
		c := newMemoryCluster(t, starting(""))
		c.On(wiretest.Rule{Match: wiretest.Match{Verbs: []string{"watch"}}, Reply: wiretest.Forbidden})
		program, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.CommandContext(t.Context(), program)
		cmd.Args = append([]string{"panics", "wait", "deployment/web", "--timeout", "1m"}, c.flags...)
		var stderr strings.Builder
		cmd.Stderr = &stderr
		_ = cmd.Run() // the state has the exit code
		if code := exit.Code(cmd.ProcessState.ExitCode()); code != exit.Uncertain {
			t.Errorf("it exits with %d, want %d", code, exit.Uncertain)
		}
		if !strings.Contains(stderr.String(), want) || !strings.Contains(stderr.String(), "shutdown_test.go") {
			t.Errorf("it says %q", stderr.String())
		}
	})
	t.Run("of a live view", func(t *testing.T) {
		screen, server := newScreen(t), newChangingServer(t)
		var broken atomic.Bool
		env := cli.Env{In: strings.NewReader(""), Out: io.Discard, Err: screen.tty, Environ: []string{"TERM=xterm"}, Now: func() time.Time {
			if broken.Load() {
				panic("nobody \x1b[2Jexpected this")
			}
			return time.Now()
		}}
		codes := make(chan exit.Code, 1)
		go func() {
			codes <- run(t.Context(), env, []string{"kstatus", "wait", "pod/web", "-n", "default", "--server", server.URL, "--progress", "live", "--kubeconfig", os.DevNull})
		}()
		screen.waitForFrame(t)
		broken.Store(true)
		waitUntil(t, "the view panics", func() bool {
			select {
			case server.changes <- "Unknown":
			default:
			}
			return len(codes) > 0
		})
		if code := <-codes; code != exit.Uncertain {
			t.Errorf("it exits with %d, want %d", code, exit.Uncertain)
		}
		screen.checkRestored(t)
		waitUntil(t, "the screen shows the panic", func() bool { return strings.Contains(screen.String(), want) })
	})
}

// On a terminal, the diff of a hostile file has no control characters. In a pipe, the diff is
// exact.
func TestDiffOnTerminal(t *testing.T) {
	file := filepath.Join(t.TempDir(), "lamp.yaml")
	if err := os.WriteFile(file, []byte(lampCRD+"# cleared\u202e\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, stderr strings.Builder
	env := cli.Env{In: strings.NewReader(""), Out: &out, Err: &stderr, Now: time.Now}
	args := []string{"kstatus", "lint", file, "--unsafe", "--diff"}
	run(t.Context(), env, args)
	if !strings.Contains(out.String(), "# cleared\u202e\n") {
		t.Errorf("the diff is %q, %s", out.String(), stderr.String())
	}
	screen := newScreen(t)
	env.Out = screen.tty
	run(t.Context(), env, args)
	waitUntil(t, "the diff is printed", func() bool { return strings.Contains(screen.String(), "cleared") })
	if text := screen.String(); strings.Contains(text, "\u202e") {
		t.Errorf("on a terminal it is %q", text)
	}
}

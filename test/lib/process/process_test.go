//go:build unix

package process

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"kstatus.dev/test/lib/poll"
)

// allGone returns an error if one of some processes still runs. An exited process may stay in the
// process table as a zombie until its new parent reaps it.
func allGone(pids ...int) error {
	for _, pid := range pids {
		if err := syscall.Kill(pid, 0); errors.Is(err, syscall.ESRCH) {
			continue
		}
		state, err := exec.Command("ps", "-o", "state=,comm=", "-p", strconv.Itoa(pid)).Output()
		if err != nil || strings.HasPrefix(strings.TrimSpace(string(state)), "Z") {
			continue
		}
		return fmt.Errorf("process %d still runs: %s", pid, state)
	}
	return nil
}

// A suspended program does nothing until it is resumed.
func TestSuspend(t *testing.T) {
	p := &Process{
		Name: "counter", Path: "/bin/sh", Args: []string{"-c", "while true; do echo line; sleep 0.02; done"},
		Log: filepath.Join(t.TempDir(), "counter.log"), Tell: os.Stderr,
	}
	size := func() int64 {
		info, err := os.Stat(p.Log)
		if err != nil {
			return 0
		}
		return info.Size()
	}
	grows := func(from int64) func() error {
		return func() error {
			if size() <= from {
				return fmt.Errorf("the log has %d bytes, want more", size())
			}
			return nil
		}
	}
	if err := p.Suspend(); err == nil {
		t.Error("a program that does not run is suspended")
	}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	poll.Check(t, grows(0))
	if err := p.Suspend(); err != nil {
		t.Fatal(err)
	}
	poll.Check(t, func() error { // until the signal has its effect
		state, err := exec.Command("ps", "-o", "state=", "-p", strconv.Itoa(p.Pid())).Output()
		if err == nil && !strings.HasPrefix(strings.TrimSpace(string(state)), "T") {
			err = fmt.Errorf("the program is in state %s", state)
		}
		return err
	})
	held := size()
	if out, err := exec.Command(p.Path, "-c", "for i in 1 2 3 4 5 6 7 8 9; do sleep 0.02; echo line; done").Output(); err != nil || len(out) == 0 {
		t.Fatalf("a program that is not suspended: %q, %v", out, err)
	}
	if size() != held {
		t.Error("the suspended program writes")
	}
	if err := p.Resume(); err != nil {
		t.Fatal(err)
	}
	poll.Check(t, grows(held))
	if err := p.Stop(true); err != nil {
		t.Fatal(err)
	}
}

// The shell that macOS uses in place of a signal works on every Unix, so this test runs
// everywhere. When our end of the pipe closes, the shell kills the program and its children.
func TestWatcherKillsWhenItsPipeCloses(t *testing.T) {
	script := filepath.Join(t.TempDir(), "program.sh")
	if err := os.WriteFile(script, []byte("sleep 300 & echo $!; sleep 300\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("/bin/sh", script)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	w, err := startWatched(cmd)
	if err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	grandchild, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil {
		t.Fatal(err)
	}
	if err := w.pipe.Close(); err != nil { // as the kernel does at the end of this process
		t.Fatal(err)
	}
	if err := cmd.Wait(); err == nil || !strings.Contains(err.Error(), "killed") {
		t.Errorf("the program ends with %v, want a kill", err)
	}
	poll.Check(t, func() error { return allGone(cmd.Process.Pid, grandchild) })
}

// A released watcher ends with its program.
func TestWatcherLeaves(t *testing.T) {
	cmd := exec.Command("/bin/sh", "-c", "exit 0")
	w, err := startWatched(cmd)
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	w.release()
	poll.Check(t, func() error { return allGone(w.shell.Process.Pid) })
}

// The log reports a program that exits by itself, with its last lines.
func TestUnexpectedExitIsReported(t *testing.T) {
	var log lockedBuilder
	p := &Process{
		Name: "etcd", Path: "/bin/sh", Args: []string{"-c", "echo out of luck; exit 3"},
		Log: filepath.Join(t.TempDir(), "etcd.log"), Tell: &log,
	}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	poll.Check(t, func() error {
		for _, want := range []string{"etcd ended by itself (exit status 3)", "out of luck"} {
			if !strings.Contains(log.String(), want) {
				return fmt.Errorf("told: %q, want %q", log.String(), want)
			}
		}
		return nil
	})
	if err := p.Stop(true); err != nil {
		t.Errorf("stopping what has ended: %v", err)
	}
}

// A program that ignores the signal to terminate is killed.
func TestStopKillsAfterGrace(t *testing.T) {
	var log lockedBuilder
	dir := t.TempDir()
	p := &Process{
		Name: "etcd", Path: "/bin/sh", Args: []string{"-c", "trap '' TERM; echo up; while true; do sleep 0.1; done"},
		Log: filepath.Join(dir, "etcd.log"), Tell: &log, Grace: 300 * time.Millisecond,
	}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	poll.Check(t, func() error {
		if data, err := os.ReadFile(p.Log); err != nil || string(data) != "up\n" {
			return fmt.Errorf("the log says %q, %v", data, err)
		}
		return nil
	})
	if err := p.Start(); err == nil {
		t.Error("a program that runs is started again")
	}
	pid := p.Pid()
	if err := p.Stop(false); err != nil {
		t.Error(err)
	}
	if err := allGone(pid); err != nil {
		t.Error(err)
	}
	if log.String() != "" {
		t.Errorf("told of an end that was wanted: %s", log.String())
	}
}

// A suspended program handles the signal to terminate, like one that runs.
func TestStopOfASuspendedProgram(t *testing.T) {
	p := &Process{
		Name: "etcd", Path: "/bin/sh", Args: []string{"-c", "trap 'echo bye; exit' TERM; echo up; while true; do sleep 0.1; done"},
		Log: filepath.Join(t.TempDir(), "etcd.log"), Tell: os.Stderr, Grace: poll.Patience,
	}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	says := func(want string) {
		t.Helper()
		poll.Check(t, func() error {
			if data, err := os.ReadFile(p.Log); err != nil || string(data) != want {
				return fmt.Errorf("the log says %q, %v, want %q", data, err, want)
			}
			return nil
		})
	}
	says("up\n")
	if err := p.Suspend(); err != nil {
		t.Fatal(err)
	}
	if err := p.Stop(false); err != nil {
		t.Error(err)
	}
	says("up\nbye\n")
}

// lockedBuilder is a strings.Builder for several goroutines.
type lockedBuilder struct {
	mu   sync.Mutex
	text strings.Builder
}

func (b *lockedBuilder) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *lockedBuilder) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

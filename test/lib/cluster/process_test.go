//go:build unix

package cluster

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"kstatus.dev/test/lib/poll"
	"kstatus.dev/test/lib/process"
	"kstatus.dev/test/lib/stutter"
)

// childMode is the environment variable that sets how TestChild ends, in a test binary started
// by another one.
const childMode = "KSTATUS_TEST_CHILD"

// A cluster ends with its test binary, whatever ends the binary. Each case runs this test
// binary again as a child, which starts a cluster in TestChild.
func TestNoProcessIsLeft(t *testing.T) {
	t.Parallel()
	for mode, test := range map[string]struct {
		signal  syscall.Signal
		code    int  // -1 means a signal
		cleaned bool // the folder is removed too
	}{
		"passes":   {0, 0, true},
		"fails":    {0, 1, true},
		"panics":   {0, 2, false},
		"exits":    {0, 9, false},
		"SIGINT":   {syscall.SIGINT, 130, true},
		"SIGTERM":  {syscall.SIGTERM, 130, true},
		"SIGKILL":  {syscall.SIGKILL, -1, false},
		"starting": {syscall.SIGINT, 130, true}, // the signal comes during the start
	} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			parent := t.TempDir() // of the child's temporary folder
			cmd := exec.Command(os.Args[0], "-test.run=^TestChild$")
			cmd.Env = append(os.Environ(), childMode+"="+mode, "TMPDIR="+parent)
			var stderr lockedBuilder
			cmd.Stderr = &stderr
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			defer func() {
				if t.Failed() {
					t.Logf("the test binary said:\n%s", stderr.String())
				}
			}()
			var pids []int
			if mode == "starting" {
				pids = someChildren(t, cmd.Process.Pid)
			} else {
				pids = childPids(t, bufio.NewScanner(out))
			}
			if test.signal != 0 {
				if err := cmd.Process.Signal(test.signal); err != nil {
					t.Error(err)
				}
			}
			err = cmd.Wait()
			if code := cmd.ProcessState.ExitCode(); code != test.code {
				t.Errorf("the test binary ends with %d (%v), want %d", code, err, test.code)
			}
			poll.Check(t, func() error { return allGone(pids) })
			left, err := filepath.Glob(filepath.Join(parent, folderPrefix+"*"))
			if err != nil || (len(left) == 0) != test.cleaned {
				t.Errorf("folders left: %q, %v; want none: %t", left, err, test.cleaned)
			}
		})
	}
}

// childPids reads the line of TestChild with the process IDs of its cluster.
func childPids(t *testing.T, lines *bufio.Scanner) []int {
	t.Helper()
	var other strings.Builder
	for lines.Scan() {
		other.WriteString(lines.Text() + "\n")
		said, ok := strings.CutPrefix(lines.Text(), "pids:")
		if !ok {
			continue
		}
		var pids []int
		for _, field := range strings.Fields(said) {
			pid, err := strconv.Atoi(field)
			if err != nil || pid <= 1 {
				t.Fatalf("the child says %q", lines.Text())
			}
			pids = append(pids, pid)
		}
		return pids
	}
	t.Fatalf("the child says nothing of its cluster:\n%s", other.String())
	return nil
}

// someChildren waits until a process has two children, and returns them.
func someChildren(t *testing.T, parent int) []int {
	t.Helper()
	var pids []int
	poll.Check(t, func() error {
		pids = nil
		out, err := exec.Command("ps", "-A", "-o", "pid=,ppid=").Output()
		if err != nil {
			return err
		}
		for line := range strings.Lines(string(out)) {
			var pid, ppid int
			if n, err := fmt.Sscan(line, &pid, &ppid); err == nil && n == 2 && ppid == parent {
				pids = append(pids, pid)
			}
		}
		if len(pids) < 2 {
			return fmt.Errorf("process %d has the children %v, want two", parent, pids)
		}
		return nil
	})
	return pids
}

// allGone returns an error if one of some processes still runs. An exited process may stay in the
// process table as a zombie until its new parent reaps it.
func allGone(pids []int) error {
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

// TestChild is the test that TestNoProcessIsLeft runs in child processes. Started in another way,
// it tests one more case: a normal end.
func TestChild(t *testing.T) {
	mode := os.Getenv(childMode)
	c := live.Cluster(t)
	pids := "pids:"
	for _, name := range startOrder {
		if c.Pid(name) == 0 {
			t.Errorf("%s has no process", name)
		}
		pids += fmt.Sprintf(" %d", c.Pid(name))
	}
	if mode == "" {
		return
	}
	fmt.Println(pids)
	switch mode {
	case "fails":
		t.FailNow()
	case "panics":
		panic("as a test may")
	case "exits":
		os.Exit(9)
	case "SIGINT", "SIGTERM", "SIGKILL":
		select {} // until the signal
	}
}

// The environment stops and continues a program of the cluster, which runs when the cluster ends.
func TestStutter(t *testing.T) {
	t.Setenv(stutter.Variable, "kwok=20ms/20ms")
	plan, err := stutterPlan()
	if err != nil {
		t.Fatal(err)
	}
	p := &process.Process{Name: "kwok", Path: "/bin/sleep", Args: []string{"600"}, Log: filepath.Join(t.TempDir(), "log"), Tell: os.Stderr}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = p.Stop(true) }() // it runs as long as this process at most
	isIn := func(state string) {
		t.Helper()
		poll.Check(t, func() error {
			out, err := exec.Command("ps", "-o", "state=", "-p", strconv.Itoa(p.Pid())).Output()
			if err == nil && !strings.HasPrefix(string(out), state) {
				err = fmt.Errorf("the program is in state %s, want %s", out, state)
			}
			return err
		})
	}
	c := &Cluster{plan: plan, processes: map[Program]*process.Process{Kwok: p}}
	life, cancel := context.WithCancel(t.Context())
	c.localServers.cancel = cancel
	c.stutter(life)
	for range 3 {
		isIn("T")
		isIn("S")
	}
	c.localServers.stop()
	isIn("S")
}

// A program that the cluster does not have is a mistake in the environment.
func TestStutterOfAnUnknownProgram(t *testing.T) {
	t.Setenv(stutter.Variable, "kubelet=1s/1s")
	if _, err := prepare(Options{Dir: t.TempDir(), Log: io.Discard}, nil); err == nil || !strings.Contains(err.Error(), `have "kubelet"`) {
		t.Errorf("have %v, want an error about the kubelet", err)
	}
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

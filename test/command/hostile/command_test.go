package hostile

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"kstatus.dev/test/lib/command"
)

// binary is the tested command: that of KSTATUS_BINARY, or one that the tests build.
var binary = os.Getenv("KSTATUS_BINARY")

func TestMain(m *testing.M) {
	flag.Parse()
	// Most tests wait for the timeout of a command, and need no processor meanwhile.
	if err := flag.Set("test.parallel", "8"); err != nil {
		panic(err)
	}
	if binary != "" {
		os.Exit(m.Run())
	}
	dir, err := command.Build()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	binary = filepath.Join(dir, "kstatus")
	code := m.Run()
	_ = os.RemoveAll(dir) // a temporary folder
	os.Exit(code)
}

// kstatus runs the command, and returns its exit code with its whole output. It fails the test
// if the command does not exit within a minute.
func kstatus(t *testing.T, args ...string) (code int, out string) {
	t.Helper()
	code, out, _ = measured(t, args...)
	return code, out
}

// measured is kstatus, and also returns the peak memory of the command in MiB. It is zero where
// the system does not report it.
func measured(t *testing.T, args ...string) (code int, out string, memory int64) {
	t.Helper()
	u := usage(t, args...)
	return u.code, u.out, u.memory
}

// A used is what a command has used and printed.
type used struct {
	code            int
	out             string
	memory          int64 // in MiB
	took, processor time.Duration
}

// usage runs the command. It fails the test if the command does not exit within a minute.
func usage(t *testing.T, args ...string) (u used) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, binary, args...)
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir(), "GITHUB_ACTIONS=", "CI=")
	began := time.Now()
	data, err := cmd.CombinedOutput()
	if cmd.ProcessState != nil {
		u = used{out: string(data), memory: peak(cmd.ProcessState), took: time.Since(began), processor: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()}
	}
	if ctx.Err() != nil {
		t.Fatalf("kstatus %q does not end:\n%s", args, data)
	}
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		u.code = exit.ExitCode()
		return u
	}
	if err != nil {
		t.Fatal(err)
	}
	return u
}

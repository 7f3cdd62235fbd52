package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"kstatus.dev/test/lib/cluster"
	"kstatus.dev/test/lib/poll"
)

// asCommand is the environment variable that makes this test binary run as the command.
const asCommand = "KSTATUS_TEST_CLUSTER_COMMAND"

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		main()
	}
	os.Exit(m.Run())
}

// sandbox returns an environment with a separate cache folder, in which up keeps its cluster.
// The folder links to the existing programs, because building them takes minutes.
func sandbox(t *testing.T) (env []string, home string) {
	t.Helper()
	if err := cluster.Build(t.Context(), os.Stderr); err != nil {
		t.Fatal(err)
	}
	shared, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	t.Setenv("HOME", root)
	t.Setenv("XDG_CACHE_HOME", filepath.Join(root, "cache"))
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(cache, "kstatus"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(shared, "kstatus", "programs"), filepath.Join(cache, "kstatus", "programs")); err != nil {
		t.Fatal(err)
	}
	return append(os.Environ(), asCommand+"=1", "TMPDIR="+root), filepath.Join(cache, "kstatus", "cluster")
}

// result is the result of a run of the command.
type result struct {
	code        int
	out, stderr string
}

func start(t *testing.T, env []string, args ...string) (*exec.Cmd, func() result) {
	t.Helper()
	var out, stderr bytes.Buffer
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env, cmd.Stdout, cmd.Stderr = env, &out, &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, func() result {
		var exit *exec.ExitError
		if err := cmd.Wait(); err != nil && !errors.As(err, &exit) {
			t.Fatal(err)
		}
		return result{cmd.ProcessState.ExitCode(), out.String(), stderr.String()}
	}
}

func runCommand(t *testing.T, env []string, args ...string) result {
	t.Helper()
	_, wait := start(t, env, args...)
	return wait()
}

// A cluster started by up keeps running, accepts manifests, and is stopped by down.
func TestUpAndDown(t *testing.T) {
	env, home := sandbox(t)
	defer func() { runCommand(t, env, "down") }() // even if the test fails
	want := "export KUBECONFIG=" + filepath.Join(home, "kubeconfig") + "\n"
	for _, told := range []string{"cluster: running", "running already"} {
		r := runCommand(t, env, "up")
		if r.code != 0 || r.out != want || !strings.Contains(r.stderr, told) {
			t.Fatalf("up = %+v, want %q and, told, %q", r, want, told)
		}
	}
	pid, running := serving(home)
	if !running || pid == 0 {
		t.Fatalf("after up, serving = %d, %t", pid, running)
	}
	manifest := filepath.Join(t.TempDir(), "manifest.yaml")
	if err := os.WriteFile(manifest, []byte("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	inside := append(env, "KUBECONFIG="+filepath.Join(home, "kubeconfig"))
	if r := runCommand(t, inside, "apply", "-f", manifest); r.code != 0 || r.out != "configmap/c applied\n" {
		t.Errorf("apply = %+v", r)
	}
	if r := runCommand(t, inside, "delete", "-f", manifest); r.code != 0 || r.out != "configmap/c deleted\n" {
		t.Errorf("delete = %+v", r)
	}
	if r := runCommand(t, inside, "delete", "-f", manifest); r.code != 0 || r.out != "" {
		t.Errorf("deleting again = %+v, want nothing", r)
	}
	for _, told := range []string{"cluster: stopped", "none is running"} {
		if r := runCommand(t, env, "down"); r.code != 0 || !strings.Contains(r.stderr, told) {
			t.Errorf("down = %+v, want %q", r, told)
		}
	}
	if err := syscall.Kill(pid, 0); !errors.Is(err, syscall.ESRCH) && !zombie(pid) {
		t.Errorf("process %d is still there: %v", pid, err)
	}
	if _, err := os.Stat(home); !os.IsNotExist(err) {
		t.Errorf("the folder of the cluster is left: %v", err)
	}
}

// Ctrl-C during up leaves no cluster running.
func TestUpInterrupted(t *testing.T) {
	env, home := sandbox(t)
	up, wait := start(t, env, "up")
	poll.Wait(t, "a cluster runs", func() bool { return cluster.Running(home) })
	if err := up.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if r := wait(); r.code != 130 || r.out != "" {
		t.Errorf("up, interrupted = %+v, want exit code 130", r)
	}
	if cluster.Running(home) {
		t.Error("a cluster runs after up was interrupted")
	}
}

// run starts a cluster for a command, and exits with the command's exit code.
func TestRun(t *testing.T) {
	env, _ := sandbox(t)
	r := runCommand(t, env, "run", "--", "sh", "-c", `test -s "$KUBECONFIG" && echo "$KUBECONFIG" && exit 7`)
	if r.code != 7 {
		t.Fatalf("run = %+v, want the command's exit code 7", r)
	}
	if _, err := os.Stat(filepath.Dir(strings.TrimSpace(r.out))); !os.IsNotExist(err) {
		t.Errorf("the cluster's folder %q is left: %v", r.out, err)
	}
}

func TestUsage(t *testing.T) {
	t.Parallel()
	env := append(os.Environ(), asCommand+"=1")
	for _, args := range [][]string{{}, {"fly"}, {"run"}, {"run", "--"}, {"apply"}, {"apply", "-x", "."}, {"serve"}} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			if r := runCommand(t, env, args...); r.code != 2 || !strings.HasPrefix(r.stderr, "usage: ") {
				t.Errorf("cluster %q = %+v, want the usage and exit code 2", args, r)
			}
		})
	}
	if r := runCommand(t, env, "apply", "-f", "none.yaml"); r.code != 1 || !strings.Contains(r.stderr, "none.yaml") {
		t.Errorf("applying what is not there = %+v, want an error that names it", r)
	}
}

// zombie reports whether a process has exited and waits to be reaped.
func zombie(pid int) bool {
	out, err := exec.Command("ps", "-o", "state=", "-p", strconv.Itoa(pid)).Output()
	return err != nil || strings.HasPrefix(strings.TrimSpace(string(out)), "Z")
}

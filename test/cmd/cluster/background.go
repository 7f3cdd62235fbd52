package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"kstatus.dev/test/lib/cluster"
)

// stateFolder returns the folder of the cluster that up leaves running, with its data, logs,
// kubeconfig and process.
func stateFolder() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(cache, "kstatus", "cluster"), nil
}

// up starts a cluster in the background, unless one runs there already. It prints the line that
// sets KUBECONFIG.
func up(ctx context.Context, _ []string) error {
	dir, err := stateFolder()
	if err != nil {
		return err
	}
	if _, running := serving(dir); running {
		fmt.Fprintln(os.Stderr, "cluster: it is running already; stop it with make cluster-down")
		return export(dir)
	}
	// Build in the foreground, where the user sees the progress.
	if err := cluster.Build(ctx, os.Stderr); err != nil {
		return err
	}
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	fmt.Fprintln(os.Stderr, "cluster: starting, which takes some seconds")
	if err := launch(ctx, dir); err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "cluster: running; its logs are in %s; stop it with make cluster-down\n", dir)
	return export(dir)
}

func export(dir string) error {
	_, err := fmt.Printf("export KUBECONFIG=%s\n", filepath.Join(dir, "kubeconfig"))
	return err
}

// launch starts the serving process and waits until it reports on standard output that the
// cluster is ready. If we are interrupted, so is that process.
func launch(ctx context.Context, dir string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	log, err := os.Create(filepath.Join(dir, "serve.log"))
	if err != nil {
		return err
	}
	defer log.Close()
	cmd := exec.Command(self, "serve", dir)
	cmd.Stderr = log
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // Ctrl-C in this terminal must not reach it
	ready, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	unregister := context.AfterFunc(ctx, func() { _ = cmd.Process.Signal(syscall.SIGTERM) })
	defer unregister()
	said, err := io.ReadAll(ready)
	if err != nil {
		return err
	}
	if string(said) == readyWord {
		return cmd.Process.Release()
	}
	err = cmd.Wait()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	told, readErr := os.ReadFile(log.Name())
	return errors.Join(fmt.Errorf("it does not start (%v):\n%s", err, told), readErr)
}

// readyWord is the line that the serving process prints once when the cluster is ready.
const readyWord = "ready\n"

// serve runs a cluster in a folder until it is signaled.
func serve(ctx context.Context, args []string) error {
	if len(args) != 1 {
		return errUsage
	}
	c, err := cluster.Start(ctx, cluster.Options{Dir: args[0]})
	if err != nil {
		return err
	}
	pid := fmt.Appendf(nil, "%d\n", os.Getpid())
	err = os.WriteFile(filepath.Join(args[0], "pid"), pid, 0o644)
	if err == nil {
		_, err = os.Stdout.WriteString(readyWord)
	}
	if err == nil {
		err = os.Stdout.Close()
	}
	if err == nil {
		<-ctx.Done()
	}
	return errors.Join(err, c.Stop())
}

// serving returns the process that serves the cluster in dir, if it runs. The lock of the
// folder ends with that process, so its process ID cannot be that of another process.
func serving(dir string) (pid int, running bool) {
	if !cluster.Running(dir) {
		return 0, false
	}
	data, err := os.ReadFile(filepath.Join(dir, "pid"))
	if err != nil {
		return 0, true
	}
	pid, err = strconv.Atoi(strings.TrimSpace(string(data)))
	if err != nil {
		return 0, true
	}
	return pid, true
}

// down stops the cluster that up left running and removes its folder.
func down(ctx context.Context, _ []string) error {
	dir, err := stateFolder()
	if err != nil {
		return err
	}
	pid, running := serving(dir)
	switch {
	case running && pid == 0:
		return fmt.Errorf("a cluster is being started in %s", dir)
	case !running:
		fmt.Fprintln(os.Stderr, "cluster: none is running")
		return os.RemoveAll(dir)
	}
	if err := syscall.Kill(pid, syscall.SIGTERM); err != nil {
		return fmt.Errorf("process %d: %w", pid, err)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, time.Minute, fmt.Errorf("process %d does not end", pid))
	defer cancel()
	for cluster.Running(dir) {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(50 * time.Millisecond):
		}
	}
	fmt.Fprintln(os.Stderr, "cluster: stopped")
	return os.RemoveAll(dir)
}

//go:build unix

package cluster

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"time"
)

// interrupt sends the program a signal to terminate.
func interrupt(cmd *exec.Cmd) error { return cmd.Process.Signal(syscall.SIGTERM) }

// kill kills the program and its children: every program leads a process group.
func kill(cmd *exec.Cmd) error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }

// ownGroup puts the program into its own process group. Then Ctrl-C in the terminal reaches
// only this process, which ends the programs in the right order.
func ownGroup(cmd *exec.Cmd) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Setpgid = true
}

// watcher is a shell that reads from a pipe of ours, to which this process never writes. The
// pipe closes when this process ends, for any reason; then the shell kills its program.
type watcher struct {
	pipe  *os.File
	shell *exec.Cmd
}

// startWatched starts a program and its watcher.
func startWatched(cmd *exec.Cmd) (*watcher, error) {
	ownGroup(cmd)
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	w, err := watch(cmd.Process.Pid)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("watching process %d: %w", cmd.Process.Pid, err), kill(cmd), cmd.Wait())
	}
	return w, nil
}

func watch(pid int) (*watcher, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	shell := exec.Command("/bin/sh", "-c", `cat; kill -KILL "-$1"`, "watcher", strconv.Itoa(pid))
	shell.Stdin = r
	ownGroup(shell)
	if err := shell.Start(); err != nil {
		w.Close()
		return nil, err
	}
	return &watcher{w, shell}, nil
}

// release ends a watcher whose program has exited. It ends the shell before the pipe closes, so
// that the shell never kills another process with the same process ID.
func (w *watcher) release() {
	_ = kill(w.shell) // it may have exited already
	_ = w.shell.Wait()
	w.pipe.Close()
}

// lock takes a lock on a file, which ends with this process. It calls waiting once if another
// process holds the lock.
func lock(ctx context.Context, path string, waiting func()) (unlock func(), err error) {
	for first := true; ; first = false {
		unlock, err := tryLock(path)
		if !errors.Is(err, errLocked) {
			return unlock, err
		}
		if first {
			waiting()
		}
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-time.After(200 * time.Millisecond):
		}
	}
}

// errLocked means that another process holds the lock.
var errLocked = errors.New("locked by another process")

func tryLock(path string) (unlock func(), err error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR|syscall.O_CLOEXEC, 0o644)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		f.Close()
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, errLocked
		}
		return nil, fmt.Errorf("locking %s: %w", path, err)
	}
	return func() { f.Close() }, nil
}

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

// interrupt asks the program to end.
func interrupt(cmd *exec.Cmd) error { return cmd.Process.Signal(syscall.SIGTERM) }

// kill ends the program and whatever it started: every program leads a process group.
func kill(cmd *exec.Cmd) error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }

// ownGroup puts the program into a process group of its own, so that Ctrl-C in the
// terminal reaches us alone and we decide what ends when.
func ownGroup(cmd *exec.Cmd) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Setpgid = true
}

// watcher is a shell that reads from a pipe of ours. Nothing is ever written there: when
// the pipe closes because this process is gone, whatever ended it, the shell kills the
// program that it was started for.
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

// release ends a watcher whose program has ended. The watcher goes before its pipe is
// closed, so that it never kills a stranger that has inherited the number.
func (w *watcher) release() {
	_ = kill(w.shell) // it may be gone already
	_ = w.shell.Wait()
	w.pipe.Close()
}

// lock takes a lock on a file that ends with this process; waiting is called once
// if somebody else holds it.
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

// errLocked says that another process holds the lock.
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

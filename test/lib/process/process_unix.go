//go:build unix

package process

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"syscall"
)

// interrupt sends the program a signal to terminate.
func interrupt(cmd *exec.Cmd) error { return cmd.Process.Signal(syscall.SIGTERM) }

// suspend stops the program until resume.
func suspend(cmd *exec.Cmd) error { return cmd.Process.Signal(syscall.SIGSTOP) }

func resume(cmd *exec.Cmd) error { return cmd.Process.Signal(syscall.SIGCONT) }

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

//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package terminal

import (
	"os"
	"os/signal"
	"sync"
	"syscall"

	xterm "github.com/charmbracelet/x/term"
	"github.com/charmbracelet/x/termios"
	"golang.org/x/sys/unix"

	"kstatus.dev/internal/crash"
)

// withoutEcho disables the echo of a terminal until it is restored. Keys that send signals still
// work.
func withoutEcho(file xterm.File) (restore func()) {
	fd := int(file.Fd())
	had, err := termios.GetTermios(fd)
	if err != nil || had.Lflag&unix.ECHO == 0 || !InForeground(file) {
		return func() {}
	}
	echo := func(on bool) {
		// If the terminal cannot be changed, it only shows the input.
		_ = termios.SetTermios(fd, uint32(had.Ispeed), uint32(had.Ospeed), nil, nil, nil, nil, map[termios.L]bool{termios.ECHO: on})
	}
	echo(false)
	return func() { echo(true) }
}

// InForeground reports whether this process is in the foreground of its terminal. Otherwise it
// must neither change the terminal nor draw on it.
func InForeground(file xterm.File) bool {
	group, err := unix.IoctlGetInt(int(file.Fd()), unix.TIOCGPGRP)
	return err != nil || group == unix.Getpgrp()
}

// OnSuspend calls before when the user stops the process (SIGTSTP) and after when it continues,
// until done.
func OnSuspend(before, after func()) (done func()) {
	stops, ended := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(stops, syscall.SIGTSTP)
	crash.Go(func() {
		for {
			select {
			case <-ended:
				return
			case <-stops:
				before()
				_ = syscall.Kill(syscall.Getpid(), syscall.SIGSTOP) // the terminal has signalled the other processes of the pipeline
				after()
			}
		}
	})
	return func() {
		signal.Stop(stops)
		close(ended)
	}
}

// onFatalSignal calls restore before SIGQUIT ends the process. It then lets the signal have its usual
// effect. It handles the signal until done is called.
func onFatalSignal(restore func()) (done func()) {
	signals, ended := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(signals, syscall.SIGQUIT)
	crash.Go(func() {
		var got os.Signal
		select {
		case <-ended:
			return
		case got = <-signals:
		}
		restore()
		signal.Reset(got)
		number, _ := got.(syscall.Signal)
		_ = syscall.Kill(syscall.Getpid(), number)
	})
	return sync.OnceFunc(func() {
		signal.Stop(signals)
		close(ended)
	})
}

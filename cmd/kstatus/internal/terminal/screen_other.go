//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package terminal

import xterm "github.com/charmbracelet/x/term"

// withoutEcho leaves a terminal as it is.
func withoutEcho(xterm.File) (restore func()) { return func() {} }

// beforeDeath has nothing to wait for: there are no such signals.
func beforeDeath(func()) (done func()) { return func() {} }

// InForeground reports that what is typed on a terminal is for this process.
func InForeground(xterm.File) bool { return true }

// OnSuspend has nothing to wait for: there is no such signal.
func OnSuspend(_, _ func()) (done func()) { return func() {} }

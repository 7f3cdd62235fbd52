//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package terminal

import xterm "github.com/charmbracelet/x/term"

// withoutEcho leaves a terminal as it is.
func withoutEcho(xterm.File) (restore func()) { return func() {} }

// InForeground reports that what is typed on a terminal is for this process.
func InForeground(xterm.File) bool { return true }

// AroundStops has nothing to wait for: there is no such signal.
func AroundStops(_, _ func()) (done func()) { return func() {} }

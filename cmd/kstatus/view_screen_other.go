//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package main

import xterm "github.com/charmbracelet/x/term"

// withoutEcho leaves a terminal as it is.
func withoutEcho(xterm.File) (restore func()) { return func() {} }

// inForeground reports that what is typed on a terminal is for this process.
func inForeground(xterm.File) bool { return true }

// aroundStops has nothing to wait for: there is no such signal.
func aroundStops(_, _ func()) (done func()) { return func() {} }

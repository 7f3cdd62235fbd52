//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd)

package terminal

import xterm "github.com/charmbracelet/x/term"

// withoutEcho does nothing.
func withoutEcho(xterm.File) (restore func()) { return func() {} }

// onFatalSignal does nothing, since this signal does not exist.
func onFatalSignal(func()) (done func()) { return func() {} }

// InForeground always reports true.
func InForeground(xterm.File) bool { return true }

// OnSuspend does nothing, since this signal does not exist.
func OnSuspend(_, _ func()) (done func()) { return func() {} }

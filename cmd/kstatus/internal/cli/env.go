// Package cli is what all commands know of the process that runs them: its
// streams and environment, signals, terminals, and the flags that most of them
// have.
package cli

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"kstatus.dev/internal/text"
)

// Notes returns how to print notes, from any goroutine.
func Notes(out io.Writer) func(string) {
	var mu sync.Mutex // guards out
	return func(note string) {
		mu.Lock()
		defer mu.Unlock()
		fmt.Fprintln(out, "note: "+text.Line(note))
	}
}

// An Env is everything of the outside world that a command may touch.
type Env struct {
	In       io.Reader
	Out, Err io.Writer
	Environ  []string
	Now      func() time.Time
}

// Getenv returns the value of a variable, empty if it is not set.
func (e Env) Getenv(name string) string {
	for i := len(e.Environ) - 1; i >= 0; i-- {
		if key, value, _ := strings.Cut(e.Environ[i], "="); key == name {
			return value
		}
	}
	return ""
}

// PrintError tells of an error, which may repeat what a cluster or a file says: each of its
// lines as it may be shown on a terminal.
func (e Env) PrintError(err error) {
	for line := range strings.Lines("error: " + err.Error()) {
		fmt.Fprintln(e.Err, text.Line(strings.TrimSuffix(line, "\n")))
	}
}

// Print prints one line for people, beside the output, as it may be shown on a
// terminal.
func (e Env) Print(format string, args ...any) {
	fmt.Fprintln(e.Err, text.Line(fmt.Sprintf(format, args...)))
}

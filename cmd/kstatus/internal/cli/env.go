// Package cli gives commands access to the streams, environment, signals and terminals of the
// process. It also defines the flags that most commands have.
package cli

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"kstatus.dev/cmd/kstatus/internal/manifest"
	"kstatus.dev/internal/text"
	"kstatus.dev/redact"
)

// NotePrinter returns a function that prints notes to out. Any goroutine may call it.
func NotePrinter(out io.Writer) func(string) {
	var mu sync.Mutex // guards out
	return func(note string) {
		mu.Lock()
		defer mu.Unlock()
		fmt.Fprintln(out, "note: "+text.Line(redact.Text(note)))
	}
}

// An Env is the part of the process that a command uses.
type Env struct {
	In       io.Reader
	Out, Err io.Writer
	Environ  []string
	Now      func() time.Time
	Program  string // this program, to run it again; empty to stay in this process
}

// Reader returns a reader of manifests that prints warnings as notes.
func (e Env) Reader(ctx context.Context) manifest.Reader {
	read := manifest.NewReader(ctx, e.In)
	read.Program, read.Warn = e.Program, func(warning string) { e.Print("note: %s", warning) }
	return read
}

// Getenv returns the value of an environment variable, empty if it is not set.
func (e Env) Getenv(name string) string {
	for i := len(e.Environ) - 1; i >= 0; i-- {
		if key, value, _ := strings.Cut(e.Environ[i], "="); key == name {
			return value
		}
	}
	return ""
}

// PrintError prints an error to standard error. Since its text may come from a cluster or a
// file, PrintError replaces secrets and control characters.
func (e Env) PrintError(err error) {
	for line := range strings.Lines("error: " + redact.Text(err.Error())) {
		fmt.Fprintln(e.Err, text.Line(strings.TrimSuffix(line, "\n")))
	}
}

// Print prints one line to standard error, and replaces secrets and control characters.
func (e Env) Print(format string, args ...any) {
	fmt.Fprintln(e.Err, text.Line(redact.Text(fmt.Sprintf(format, args...))))
}

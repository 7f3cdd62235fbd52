package cli

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
)

// ReportClosedPipes makes writes to a closed pipe return an error instead of ending the process.
// It affects standard output and standard error, until done is called.
func ReportClosedPipes() (done func()) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGPIPE)
	return func() { signal.Stop(signals) }
}

// IsClosedPipe reports whether an error means that standard output or standard error is a closed
// pipe.
func IsClosedPipe(err error) bool {
	write, ok := errors.AsType[*fs.PathError](err)
	return ok && errors.Is(write, syscall.EPIPE) && (write.Path == os.Stdout.Name() || write.Path == os.Stderr.Name())
}

// WithoutPipeErrors returns the environment with streams that ignore closed pipes, so that
// records and reports are completed. Terminals are not changed.
func (e Env) WithoutPipeErrors() Env {
	e.Out, e.Err = ignorePipeErrors(e.Out), ignorePipeErrors(e.Err)
	return e
}

func ignorePipeErrors(out io.Writer) io.Writer {
	if g, ok := out.(*guard); ok {
		return withGuard(ignorePipeErrors(g.out))
	}
	if IsTerminal(out) {
		return out
	}
	return &pipeErrorIgnorer{out: out}
}

// A pipeErrorIgnorer ignores writes to a closed pipe.
type pipeErrorIgnorer struct {
	out    io.Writer
	closed atomic.Bool
}

// Write writes p, or discards it if the pipe is closed.
func (w *pipeErrorIgnorer) Write(p []byte) (int, error) {
	if w.closed.Load() {
		return len(p), nil
	}
	n, err := w.out.Write(p)
	if err != nil && IsClosedPipe(err) {
		w.closed.Store(true)
		return len(p), nil
	}
	return n, err
}

package cli

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"

	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/internal/crash"
)

// A SignalError is the signal that ends the process, and the exit code for it.
type SignalError struct {
	signal os.Signal
	Code   exit.Code
}

// Error returns the name of the signal.
func (e *SignalError) Error() string { return e.signal.String() }

// signalBurst is how long further signals count as the first signal. Many programs, such as
// timeout and CI runners, signal a process and then its process group.
const signalBurst = time.Second

// UntilSignal returns a context that ends at the first SIGINT or SIGTERM, with a SignalError as
// its cause. One second later the signals have their usual effect again, so that the next signal
// ends the process. The caller must call done.
func UntilSignal(parent context.Context) (ctx context.Context, done func()) {
	ctx, cancel := context.WithCancelCause(parent)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	ended := make(chan struct{})
	finished, finish := context.WithCancel(context.Background())
	crash.Go(func() {
		defer close(ended)
		select {
		case got := <-signals:
			code := exit.Interrupted
			if got == syscall.SIGTERM {
				code = exit.Terminated
			}
			cancel(&SignalError{got, code})
			select {
			case <-time.After(signalBurst):
				signal.Stop(signals)
			case <-finished.Done():
			}
		case <-ctx.Done():
		}
	})
	return ctx, func() {
		signal.Stop(signals)
		finish()
		cancel(nil)
		<-ended
	}
}

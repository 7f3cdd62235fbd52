package cli

import (
	"context"
	"errors"
	"fmt"
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

// CutShort returns an error with the exit code of the signal that has ended ctx while objects were
// looked up. Other errors stay as they are.
func CutShort(ctx context.Context, err error) error {
	s, ok := errors.AsType[*SignalError](context.Cause(ctx))
	if err == nil || !ok {
		return err
	}
	return &exit.Error{Code: s.Code, Err: fmt.Errorf("%w while the objects were looked up", s)}
}

// signalBurst is how long further signals count as the first signal. Many programs, such as
// timeout and CI runners, signal a process and then its process group.
const signalBurst = time.Second

// UntilSignal returns a context that ends at the first SIGINT, SIGTERM or SIGHUP, with a SignalError
// as its cause. A SIGHUP that is ignored stays so, as with nohup. One second later the signals have their usual effect again, so that the next signal
// ends the process. The caller must call done.
func UntilSignal(parent context.Context) (ctx context.Context, done func()) {
	return untilSignal(parent, func() <-chan time.Time { return time.After(signalBurst) })
}

// untilSignal is UntilSignal with a clock for the end of the burst.
func untilSignal(parent context.Context, burst func() <-chan time.Time) (ctx context.Context, done func()) {
	ctx, cancel := context.WithCancelCause(parent)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) {
		signal.Notify(signals, syscall.SIGHUP)
	}
	ended := make(chan struct{})
	finished, finish := context.WithCancel(context.Background())
	crash.Go(func() {
		defer close(ended)
		select {
		case got := <-signals:
			code := exit.Interrupted
			switch got {
			case syscall.SIGTERM:
				code = exit.Terminated
			case syscall.SIGHUP:
				code = exit.HungUp
			}
			cancel(&SignalError{got, code})
			select {
			case <-burst():
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

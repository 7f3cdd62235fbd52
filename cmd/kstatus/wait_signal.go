package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// A signalError says that the process was asked to end.
type signalError struct {
	signal os.Signal
	code   exitCode
}

func (e *signalError) Error() string { return e.signal.String() }

// untilSignal returns a context that ends at the first SIGINT or SIGTERM, with
// a signalError as its cause. After that the signals have their usual effect
// again, so that a second one ends the process at once. done must be called.
func untilSignal(parent context.Context) (ctx context.Context, done func()) {
	ctx, cancel := context.WithCancelCause(parent)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		select {
		case got := <-signals:
			signal.Stop(signals)
			code := exitInterrupted
			if got == syscall.SIGTERM {
				code = exitTerminated
			}
			cancel(&signalError{got, code})
		case <-ctx.Done():
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		cancel(nil)
		<-ended
	}
}

//go:build unix

package cli

import (
	"context"
	"errors"
	"os/signal"
	"syscall"
	"testing"

	"kstatus.dev/cmd/kstatus/internal/exit"
)

// Without the burst rule, the second signal would end the test process.
func TestSignalBurstCountsOnce(t *testing.T) {
	ctx, done := UntilSignal(t.Context())
	defer done()
	for range 3 {
		if err := syscall.Kill(syscall.Getpid(), syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		<-ctx.Done()
	}
	// The kernel may deliver the last signal after Kill has returned, and done ends the burst.
	signal.Ignore(syscall.SIGTERM)
	t.Cleanup(func() { signal.Reset(syscall.SIGTERM) })
	if got, ok := errors.AsType[*SignalError](context.Cause(ctx)); !ok || got.Code != exit.Terminated {
		t.Errorf("the cause is %v, want a signal with exit code %d", context.Cause(ctx), exit.Terminated)
	}
}

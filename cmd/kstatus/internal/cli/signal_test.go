//go:build unix

package cli

import (
	"context"
	"errors"
	"os/signal"
	"syscall"
	"testing"
	"time"

	"kstatus.dev/cmd/kstatus/internal/exit"
)

// Without the burst rule, the second signal would end the test process. The burst of this test has no
// end, however slow the machine is.
func TestSignalBurstCountsOnce(t *testing.T) {
	ctx, done := untilSignal(t.Context(), func() <-chan time.Time { return nil })
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

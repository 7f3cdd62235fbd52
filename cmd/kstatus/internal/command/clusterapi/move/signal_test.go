//go:build unix

package move

import (
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"

	"kstatus.dev/clusterapi/move"
	"kstatus.dev/cmd/kstatus/internal/cli"
)

// After a signal, the error has no requests that have ended with it, but what may still be paused.
func TestErrorsAfterASignal(t *testing.T) {
	ctx, stop := cli.UntilSignal(t.Context())
	defer stop()
	if err := syscall.Kill(syscall.Getpid(), syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	<-ctx.Done()
	s := &session{ctx: ctx}
	request := errors.New("Get clusters: context canceled")
	for _, row := range []struct {
		it   string
		err  error
		want string
	}{
		{"warns of a pause that may last", &move.InterruptedError{ID: "m1", Phase: move.Pausing, Err: request}, ": move m1 stopped while pausing; Clusters of the source may still be paused"},
		{"names the phase", &move.InterruptedError{ID: "m1", Phase: move.Deleting, Err: request}, ": move m1 stopped while deleting"},
		{"has the first line of another error", fmt.Errorf("the source is as before: interrupt\n%w", request), "the source is as before: interrupt"},
	} {
		if have := s.errorText(row.err); !strings.HasSuffix(have, row.want) {
			t.Errorf("it %s: have %q, want %q at its end", row.it, have, row.want)
		}
	}
}

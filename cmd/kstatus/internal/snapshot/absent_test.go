package snapshot

import (
	"errors"
	"io"
	"testing"
	"time"

	"kstatus.dev/cmd/kstatus/internal/cli"
	"kstatus.dev/cmd/kstatus/internal/connection"
	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/cmd/kstatus/internal/printer"
)

func TestMissingObjectsBesideExistingOnes(t *testing.T) {
	absent := &connection.TypeError{Type: "widget", Object: true}
	for _, c := range []struct {
		errs []error
		want exit.Code
	}{
		{nil, exit.OK},
		{[]error{absent}, exit.Missing},
		{[]error{absent, errors.New("list secrets: no answer")}, exit.Uncertain},
	} {
		f := &Flags{Env: cli.Env{Out: io.Discard, Err: io.Discard}}
		tally := output.Tally{Objects: 1}
		if err := f.ReportPartial(c.errs, true, &tally); err != nil {
			t.Fatal(err)
		}
		if got := exit.CodeOf(f.Finish(printer.NewJSON(io.Discard), &tally, time.Unix(0, 0))); got != c.want {
			t.Errorf("after %v: exit code %d, want %d", c.errs, got, c.want)
		}
	}
}

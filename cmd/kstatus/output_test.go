package main

import (
	"errors"
	"strings"
	"testing"
	"time"

	"kstatus.dev/cmd/kstatus/internal/cli"
	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/cmd/kstatus/internal/printer"
)

const widget = "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\n"

// A fullDisk is a file on a full disk.
type fullDisk struct{ free int }

var errFull = errors.New("no space left on device")

func (f *fullDisk) Write(p []byte) (int, error) {
	if f.free -= len(p); f.free < 0 {
		return 0, errFull
	}
	return len(p), nil
}

func TestGetReportsThatItCannotPrint(t *testing.T) {
	for _, format := range printer.FormatNames() {
		var stderr strings.Builder
		env := cli.Env{In: strings.NewReader(widget), Out: &fullDisk{10}, Err: &stderr, Now: time.Now}
		code := run(t.Context(), env, []string{"kstatus", "get", "--local", "-f", "-", "-o", format})
		if code != exit.Uncertain || stderr.String() != "error: print: no space left on device\n" {
			t.Errorf("-o %s on a full disk: exit code %d, %q", format, code, stderr.String())
		}
	}
}

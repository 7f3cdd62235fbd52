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

// A full is a file on a full disk.
type full struct{ room int }

var errFull = errors.New("no space left on device")

func (f *full) Write(p []byte) (int, error) {
	if f.room -= len(p); f.room < 0 {
		return 0, errFull
	}
	return len(p), nil
}

func TestGetTellsThatItCannotPrint(t *testing.T) {
	for _, format := range printer.FormatNames() {
		var said strings.Builder
		env := cli.Env{In: strings.NewReader(widget), Out: &full{10}, Err: &said, Now: time.Now}
		code := run(t.Context(), env, []string{"kstatus", "get", "--local", "-f", "-", "-o", format})
		if code != exit.Uncertain || said.String() != "error: print: no space left on device\n" {
			t.Errorf("-o %s on a full disk: exit code %d, %q", format, code, said.String())
		}
	}
}

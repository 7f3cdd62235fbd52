package cli

import (
	"errors"
	"strings"
	"testing"
)

func TestErrorsDoNoHarmToTerminals(t *testing.T) {
	var said strings.Builder
	Env{Err: &said}.PrintError(errors.New("no kind \x1b[2Jx\u202e\nand\tmore"))
	if want := "error: no kind \ufffd[2Jx\ufffd\nand more\n"; said.String() != want {
		t.Errorf("it says %q, want %q", said.String(), want)
	}
}

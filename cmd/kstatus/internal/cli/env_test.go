package cli

import (
	"errors"
	"strings"
	"testing"

	"kstatus.dev/cmd/kstatus/internal/exit"
)

func TestErrorsAreEscaped(t *testing.T) {
	var stderr strings.Builder
	Env{Err: &stderr}.PrintError(errors.New("no kind \x1b[2Jx\u202e\nand\tmore"))
	if want := "error: no kind \ufffd[2Jx\ufffd\nand more\n"; stderr.String() != want {
		t.Errorf("it says %q, want %q", stderr.String(), want)
	}
}

func TestHintAtRole(t *testing.T) {
	for code, want := range map[exit.Code]string{
		exit.OK: "", exit.Failed: "", exit.Forbidden: "note: an administrator can print the role for this command line with: kubectl kstatus rbac --secrets -- wait ...\n",
	} {
		var out strings.Builder
		Env{Err: &out}.HintAtRole("kubectl kstatus", "wait", code)
		if out.String() != want {
			t.Errorf("exit %d: have %q, want %q", code, out.String(), want)
		}
	}
}

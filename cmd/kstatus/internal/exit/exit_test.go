package exit

import (
	"errors"
	"fmt"
	"io/fs"
	"testing"
)

func TestWorse(t *testing.T) {
	order := []Code{Failed, Findings, Forbidden, Uncertain, Missing, Timeout, OK}
	for i, worst := range order {
		for _, other := range order[i:] {
			if a, b := Worse(worst, other), Worse(other, worst); a != worst || b != worst {
				t.Errorf("of %d and %d the worse is %d or %d, want %d", worst, other, a, b, worst)
			}
		}
	}
	if got := Worse(Interrupted, WrongUsage); got != Interrupted {
		t.Errorf("of interrupted and usage the worse is %d", got)
	}
}

func TestCodeOf(t *testing.T) {
	for _, c := range []struct {
		err  error
		want Code
	}{
		{nil, OK},
		{errors.New("x"), Uncertain},
		{Usagef("x"), WrongUsage},
		{fmt.Errorf("wrapped: %w", With(Failed)), Failed},
		{With(OK), OK},
	} {
		if got := CodeOf(c.err); got != c.want {
			t.Errorf("code of %v = %d, want %d", c.err, got, c.want)
		}
	}
	if got := Code(99).Outcome(); got != "error" {
		t.Errorf("outcome of an unknown code = %q, want error", got)
	}
	if err := Usage(fs.ErrNotExist); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v hides its cause", err)
	}
}

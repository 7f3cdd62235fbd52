package output

import (
	"testing"

	"kstatus.dev/cmd/kstatus/internal/exit"
	"kstatus.dev/status"
)

func TestTallyCode(t *testing.T) {
	word := func(s status.Status) Verdict { return Verdict{Object: Object{Result: status.Result{Status: s}}} }
	broken := Verdict{Object: Object{Result: status.Result{Status: status.UnknownStatus}, Error: "x"}}
	for _, c := range []struct {
		name string
		all  []Verdict
		want exit.Code
	}{
		{"nothing", nil, exit.Missing},
		{"current", []Verdict{word(status.CurrentStatus)}, exit.OK},
		{"in progress", []Verdict{word(status.CurrentStatus), word(status.InProgressStatus)}, exit.Timeout},
		{"unknown", []Verdict{word(status.UnknownStatus)}, exit.Timeout},
		{"not found", []Verdict{word(status.NotFoundStatus), word(status.InProgressStatus)}, exit.Missing},
		{"unjudged", []Verdict{broken, word(status.NotFoundStatus)}, exit.Uncertain},
		{"failed", []Verdict{broken, word(status.FailedStatus), word(status.NotFoundStatus)}, exit.Failed},
	} {
		var all Tally
		for _, v := range c.all {
			all.Add(v)
		}
		if got := all.Code(); got != c.want {
			t.Errorf("exit code of %s = %d, want %d", c.name, got, c.want)
		}
	}
}

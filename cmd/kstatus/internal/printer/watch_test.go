package printer

import (
	"bytes"
	"testing"
	"time"

	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/status"
)

// Later rows are aligned with the titles, even if their cells are wider.
func TestLaterRowsLineUpWithTheTitles(t *testing.T) {
	var out bytes.Buffer
	now := time.Date(2026, 11, 20, 16, 0, 0, 0, time.UTC)
	p := FormatOf("table").New(&out, Options{Headers: true})
	for _, row := range []struct {
		name string
		word status.Status
	}{{"web-1", status.CurrentStatus}, {"web-2", status.TerminatingStatus}, {"web-with-a-longer-name", status.CurrentStatus}, {"web-3", status.CurrentStatus}} {
		v := output.Verdict{Object: output.Object{ID: status.ID{Kind: status.Kind{Kind: "Pod"}, Name: row.name}, Result: status.Result{Status: row.word, Message: "it runs"}}, Created: now.Add(-time.Minute)}
		if err := p.Object(v); err != nil {
			t.Fatal(err)
		}
		if err := p.(Flusher).Flush(now); err != nil {
			t.Fatal(err)
		}
	}
	const want = `OBJECT      STATUS        AGE     MESSAGE
Pod/web-1   Current       60s     it runs
Pod/web-2   Terminating   60s     it runs
OBJECT                       STATUS        AGE     MESSAGE
Pod/web-with-a-longer-name   Current       60s     it runs
Pod/web-3                    Current       60s     it runs
`
	if out.String() != want {
		t.Errorf("have\n%swant\n%s", out.String(), want)
	}
}

// An object that was not read has no age. An object without a creation time has an unknown age.
func TestAgesOfObjects(t *testing.T) {
	for want, v := range map[string]output.Verdict{
		"-":         {Object: output.Object{Result: status.Result{Status: status.NotFoundStatus}}},
		"<unknown>": {Object: output.Object{Result: status.Result{Status: status.CurrentStatus}}},
	} {
		if have := ageText(v, time.Now()); have != want {
			t.Errorf("the age of %s is %q, want %q", v.Status, have, want)
		}
	}
}

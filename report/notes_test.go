package report

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// Every report for users has the notes about annotations, however many other warnings the object
// has. Markdown and HTML have each note once per kind. The other warnings are with their objects.
func TestNotesOnAnnotations(t *testing.T) {
	const note = "its annotation kstatus.dev/ignore <b>|x was not used"
	var odd []string
	for i := range maxWarnings + 5 {
		odd = append(odd, fmt.Sprintf("odd %d", i))
	}
	result := status.Result{Status: status.CurrentStatus, Reason: "Ready", Warnings: append(odd, note)}
	var steps []step
	for _, name := range []string{"a", "b"} {
		steps = append(steps, step{time.Second, observe.Update{Target: target("", "Pod", "shop", name), Result: result, Progress: observe.ProgressReached}})
	}
	r, b := recordSteps(Start{Time: began}, nil, steps...)
	r.End(b, Result{Time: timeAt(2 * time.Second), Outcome: "ok"})
	for _, c := range []struct {
		format, note string
		times        int
	}{
		{"md", "\n### Annotations of objects\n\n- Pod/shop/a: its annotation kstatus.dev/ignore \\<b>\\|x was not used\n", 1},
		{"html", "<li>Pod/shop/a: its annotation kstatus.dev/ignore &lt;b&gt;|x was not used</li>", 1},
		{"junit", "note: its annotation kstatus.dev/ignore &lt;b&gt;|x was not used\n", 2},
	} {
		t.Run(c.format, func(t *testing.T) {
			var out bytes.Buffer
			if err := formats(r)[c.format](&out); err != nil {
				t.Fatal(err)
			}
			text := out.String()
			if n := strings.Count(text, c.note); n != c.times {
				t.Errorf("%d times %q, want %d, in\n%s", n, c.note, c.times, text)
			}
			if n := strings.Count(text, "current, but odd 0; odd 1; "); n != 2 {
				t.Errorf("it has %d other warnings, want 2:\n%s", n, text)
			}
		})
	}
	without, b := recordSteps(Start{Time: began}, nil, step{time.Second, observe.Update{Target: target("", "Pod", "shop", "a"), Progress: observe.ProgressReached}})
	without.End(b, Result{Time: timeAt(2 * time.Second), Outcome: "ok"})
	for _, format := range []string{"md", "html"} {
		var out bytes.Buffer
		if err := formats(without)[format](&out); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(out.String(), "Annotations of objects") {
			t.Errorf("%s has a heading without notes", format)
		}
	}
}

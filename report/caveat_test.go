package report

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// The caveat of a Current object is in every report.
func TestCaveatsAreInEveryReport(t *testing.T) {
	current := status.Result{Status: status.CurrentStatus, Reason: "Reconciled", Message: "a ClusterIP Service needs nothing more"}
	with := current
	with.Caveat = "selects no Pod: none has <b>|x"
	update := func(name string, r status.Result, p observe.Progress) step {
		return step{time.Second, observe.Update{Target: target("", "Service", "shop", name), Result: r, Progress: p}}
	}
	r, b := recordSteps(Start{Time: began}, nil, update("web", current, observe.ProgressReached), update("web", with, observe.ProgressReached),
		update("quiet", current, observe.ProgressReached), update("ignored", with, observe.ProgressIgnored))
	r.End(b, Result{Time: timeAt(2 * time.Second), Outcome: "ok"})
	for format, want := range map[string]string{
		"md":     "\n### Warnings\n\n- Service/shop/web: current, but selects no Pod: none has \\<b>\\|x\n",
		"html":   "<li>Service/shop/web: current, but selects no Pod: none has &lt;b&gt;|x</li>",
		"junit":  "warning: current, but selects no Pod: none has &lt;b&gt;|x\n",
		"json":   `"caveat": "selects no Pod: none has \u003cb\u003e|x"`,
		"github": "::warning title=Service shop/web is Current%2C with a warning::current, but selects no Pod: none has <b>|x%0ACurrent: a ClusterIP Service needs nothing more\n",
	} {
		t.Run(format, func(t *testing.T) {
			var out bytes.Buffer
			var err error
			if write := formats(r)[format]; write != nil {
				err = write(&out)
			} else {
				err = r.GitHub(&out, "/w", "/w")
			}
			if err != nil {
				t.Fatal(err)
			}
			times := 1
			if format == "json" { // JSON also has the caveat of the ignored object
				times = 2
			}
			if n := strings.Count(out.String(), want); n != times {
				t.Errorf("%d times %q, want %d, in\n%s", n, want, times, out.String())
			}
			if text := out.String(); format != "json" && format != "html" && strings.Contains(text, "Service/shop/ignored: current") {
				t.Errorf("it warns of what is ignored:\n%s", text)
			}
		})
	}
}

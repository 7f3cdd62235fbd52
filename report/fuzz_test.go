package report

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"kstatus.dev/explain"
	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// FuzzReports fills a run with any texts. The JUnit conforms to its schema, there is one
// annotation, and each row of a table has as many cells as the table has columns.
// TestElementsEscapesAsHTMLTemplateDoes has the texts for the page.
func FuzzReports(f *testing.F) {
	for _, text := range []string{"", "plain", hostileText, "%0A::error::", "]]>", "|`\\|", "\xff\xfe", "container api: x"} {
		f.Add(text, text)
	}
	f.Fuzz(func(t *testing.T, name, message string) {
		pod := target("", "Pod", "shop", "x"+name)
		cause := crashing(pod.ID())
		cause.Text, cause.Chain[0].Text, cause.Evidence[0].Value, cause.Evidence[2].Lines[0], cause.Next[0] = message, message, message, message, message
		r, b := recordSteps(Start{Time: began, Goal: []string{message}}, nil, step{time.Second, observe.Update{
			Target: pod, Result: status.Result{Status: status.FailedStatus, Reason: name, Message: message, Failure: status.FailureTerminal}, Progress: observe.ProgressFailed,
		}})
		r.AddExplanation(&explain.Explanation{Causes: []explain.Cause{cause}, Gaps: []explain.Gap{{Subject: name, Reason: message}}})
		r.End(b, Result{Time: timeAt(time.Minute), Outcome: "failed", ExitCode: 3, Error: message})

		written := map[string]string{}
		for format, write := range formats(r) {
			if format == "html" {
				continue
			}
			var out bytes.Buffer
			if err := write(&out); err != nil {
				t.Fatalf("%s: %v", format, err)
			}
			written[format] = out.String()
		}
		if err := checkSchema([]byte(written["junit"])); err != nil {
			t.Errorf("%v\n%s", err, written["junit"])
		}
		if n := strings.Count(written["github"], "\n"); n != 1 {
			t.Errorf("%d lines of annotations:\n%s", n, written["github"])
		}
		for line := range strings.Lines(written["md"]) {
			if strings.HasPrefix(line, "| Failed |") && strings.Count(strings.ReplaceAll(strings.ReplaceAll(line, `\\`, ""), `\|`, ""), "|") != 5 {
				t.Errorf("a row of other columns: %s", line)
			}
		}
	})
}

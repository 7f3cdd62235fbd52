package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"kstatus.dev/observe"
	"kstatus.dev/status"
)

// An elementSchema is the schema of an element.
type elementSchema struct {
	required, optional []string // attributes
	children           []string
	text               bool
}

// The schema junit-10.xsd of Jenkins' xunit plugin, for the elements in our reports:
// https://github.com/jenkinsci/xunit-plugin/blob/master/src/main/resources/org/jenkinsci/plugins/xunit/types/model/xsd/junit-10.xsd
var (
	outcomeSchema = elementSchema{optional: []string{"type", "message"}, text: true}
	junitSchema   = map[string]elementSchema{
		"testsuites": {optional: []string{"name", "time", "tests", "failures", "errors"}, children: []string{"testsuite"}},
		"testsuite": {
			required: []string{"name", "tests", "failures", "errors"},
			optional: []string{"group", "time", "skipped", "timestamp", "hostname", "id", "package", "file", "log", "url"},
			children: []string{"testsuite", "properties", "testcase", "system-out", "system-err"},
		},
		"properties": {children: []string{"property"}},
		"property":   {required: []string{"name", "value"}},
		"testcase": {
			required: []string{"name"}, optional: []string{"time", "classname", "group"},
			children: []string{"skipped", "error", "failure", "system-out", "system-err"},
		},
		"skipped": outcomeSchema, "error": outcomeSchema, "failure": outcomeSchema,
		"system-out": {text: true}, "system-err": {text: true},
	}
	// The pattern for the attribute time of a suite.
	surefireTime = regexp.MustCompile(`^(([0-9]{0,3},)*[0-9]{3}|[0-9]{0,3})*(\.[0-9]*)?$`)
)

// checkSchema checks a document against the schema, and the counts of a suite against its cases.
func checkSchema(document []byte) error {
	decode := xml.NewDecoder(bytes.NewReader(document)) // it rejects characters that XML 1.0 does not have
	var open []string
	have := map[string]int{}
	var want map[string]string
	for {
		token, err := decode.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		switch token := token.(type) {
		case xml.StartElement:
			name := token.Name.Local
			if err := checkElement(open, token); err != nil {
				return err
			}
			open = append(open, name)
			have[name]++
			if name == "testsuite" {
				want = attributes(token)
			}
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			if text := strings.TrimSpace(string(token)); text != "" && (len(open) == 0 || !junitSchema[open[len(open)-1]].text) {
				return fmt.Errorf("text in %v: %s", open, text)
			}
		}
	}
	for attribute, element := range map[string]string{"tests": "testcase", "failures": "failure", "errors": "error", "skipped": "skipped"} {
		if want[attribute] != strconv.Itoa(have[element]) {
			return fmt.Errorf("%s=%q, have %d elements %s", attribute, want[attribute], have[element], element)
		}
	}
	return nil
}

// checkElement checks an element against its shape and its parent.
func checkElement(open []string, e xml.StartElement) error {
	name := e.Name.Local
	s, known := junitSchema[name]
	switch {
	case !known:
		return fmt.Errorf("no element is called %s", name)
	case len(open) == 0 && name != "testsuites", len(open) > 0 && !slices.Contains(junitSchema[open[len(open)-1]].children, name):
		return fmt.Errorf("%s stands in %v", name, open)
	}
	have := attributes(e)
	for _, r := range s.required {
		if _, ok := have[r]; !ok {
			return fmt.Errorf("%s has no attribute %s", name, r)
		}
	}
	for a := range have {
		if !slices.Contains(s.required, a) && !slices.Contains(s.optional, a) {
			return fmt.Errorf("%s has an attribute %s", name, a)
		}
	}
	if t := have["time"]; strings.HasPrefix(name, "testsuite") && !surefireTime.MatchString(t) {
		return fmt.Errorf("%s takes the time %q", name, t)
	}
	return nil
}

func attributes(e xml.StartElement) map[string]string {
	all := map[string]string{}
	for _, a := range e.Attr {
		all[a.Name.Local] = a.Value
	}
	return all
}

func TestJUnitConformsToTheCommonSchema(t *testing.T) {
	for name, r := range map[string]*Run{"failing": failing(), "hostile": hostileRun(), "empty": empty()} {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			if err := r.JUnit(&b); err != nil {
				t.Fatal(err)
			}
			if err := checkSchema(b.Bytes()); err != nil {
				t.Errorf("%v\n%s", err, b.String())
			}
		})
	}
}

// The checker rejects documents that the schema does not allow.
func TestCheckSchemaRejects(t *testing.T) {
	const head, tail = `<testsuites><testsuite name="" tests="1" failures="0" errors="0" skipped="0">`, `</testsuite></testsuites>`
	for what, body := range map[string]string{
		"no name":              `<testcase/>`,
		"an unknown attribute": `<testcase name="a" file="b"/>`,
		"an unknown element":   `<testcase name="a"><log/></testcase>`,
		"a misplaced element":  `<testcase name="a"><property name="a" value="b"/></testcase>`,
		"text":                 `<testcase name="a">text</testcase>`,
		"a wrong number":       `<testcase name="a"/><testcase name="b"/>`,
		"a control character":  "<testcase name=\"a\"><system-out>\x1b</system-out></testcase>",
	} {
		t.Run(what, func(t *testing.T) {
			if checkSchema([]byte(head+body+tail)) == nil {
				t.Errorf("it takes %s", what)
			}
		})
	}
	if err := checkSchema([]byte(head + `<testcase name="a"/>` + tail)); err != nil {
		t.Error(err)
	}
}

// TestJUnitOutcomes checks the outcome of an object's test case by its progress at the end of
// the wait.
func TestJUnitOutcomes(t *testing.T) {
	progress := status.Result{Status: status.InProgressStatus, Reason: "NotAvailable", Message: "0/1 available"}
	gone := status.Result{Status: status.NotFoundStatus, Reason: "NeverSeen", Message: "it does not exist"}
	failed := status.Result{Status: status.FailedStatus, Reason: "BackoffLimitExceeded", Message: "it has failed", Failure: status.FailureTerminal}
	hidden := status.Result{Status: status.UnknownStatus, Reason: "Forbidden", Message: "it cannot be read"}
	for _, c := range []struct {
		it       string
		result   status.Result
		progress observe.Progress
		left     bool
		outcome  string
		want     string // element and type; empty for a passed case, "-" for no case
	}{
		{"has met its goals", progress, observe.ProgressReached, false, "failed", ""},
		{"has failed", failed, observe.ProgressFailed, false, "failed", "failure BackoffLimitExceeded"},
		{"is forbidden", hidden, observe.ProgressUnreadable, false, "forbidden", "error Forbidden"},
		{"was not Current in time", progress, observe.ProgressPending, false, "timeout", "error Timeout"},
		{"was failing when another target timed out", progress, observe.ProgressFailing, false, "timeout", "error Timeout"},
		{"was failing at the timeout", progress, observe.ProgressFailing, false, "failed at the timeout", "failure NotAvailable"},
		{"was not Current in time, after another failed", progress, observe.ProgressPending, false, "failed at the timeout", "error Timeout"},
		{"was missing at the end, after another failed", gone, observe.ProgressMissing, false, "failed at the timeout", "error NotFound"},
		{"was failing when another failed", progress, observe.ProgressFailing, false, "failed", "skipped"},
		{"had a shorter timeout than others", progress, observe.ProgressTimedOut, false, "timeout", "error Timeout"},
		{"is missing, which is a failure", gone, observe.ProgressMissing, false, "missing", "error NotFound"},
		{"is missing at the timeout", gone, observe.ProgressMissing, false, "timeout", "error NotFound"},
		{"is missing when another has failed", gone, observe.ProgressMissing, false, "failed", "skipped"},
		{"is in progress when another has failed", progress, observe.ProgressPending, false, "failed", "skipped"},
		{"is in progress when the wait is interrupted", progress, observe.ProgressPending, false, "interrupted", "skipped"},
		{"is ignored", failed, observe.ProgressIgnored, false, "ok", "skipped"},
		{"has left its selection", gone, observe.ProgressIgnored, true, "ok", "-"},
	} {
		t.Run(c.it, func(t *testing.T) {
			pod := target("", "Pod", "shop", "web")
			r, b := recordSteps(Start{Time: began}, nil, step{time.Second, observe.Update{Target: pod, Result: c.result, Progress: c.progress, Removed: c.left}})
			outcome, timedOut := strings.CutSuffix(c.outcome, " at the timeout")
			r.End(b, Result{Time: timeAt(2 * time.Second), Outcome: outcome, TimedOut: timedOut})
			var out bytes.Buffer
			if err := r.JUnit(&out); err != nil {
				t.Fatal(err)
			}
			var have junitSuites
			if err := xml.Unmarshal(out.Bytes(), &have); err != nil {
				t.Fatal(err)
			}
			if got := outcomeOf(have.Suite.Cases); got != c.want {
				t.Errorf("%q, want %q\n%s", got, c.want, out.String())
			}
		})
	}
}

func outcomeOf(cases []junitCase) string {
	if len(cases) == 0 {
		return "-"
	}
	switch c := cases[0]; {
	case c.Failure != nil:
		return "failure " + c.Failure.Type
	case c.Error != nil:
		return "error " + c.Error.Type
	case c.Skipped != nil:
		return "skipped"
	}
	return ""
}

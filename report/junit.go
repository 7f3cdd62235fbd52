package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"time"

	"kstatus.dev/internal/text"
	"kstatus.dev/observe"
)

// JUnit writes the run as JUnit XML for Jenkins, GitLab and others, with a test case per object,
// named as in kubectl. An object that failed, or was failing at the timeout, is a failure. An
// object that could not be read, or did not meet its goals in time, is an error. An ignored
// object is skipped, and so is an undecided one if the wait ended before its timeout. An object
// that has left its selection has no test case.
func (r *Run) JUnit(w io.Writer) error {
	suite := junitSuite{
		Name: r.name(), Time: seconds(r.waitDuration()), Timestamp: r.Start.Time.Format("2006-01-02T15:04:05"),
		Properties: r.junitProperties(),
	}
	for _, o := range r.Objects {
		if !o.Removed {
			suite.add(r.junitCase(o))
		}
	}
	if r.Result.ExitCode != 0 && suite.Failures+suite.Errors == 0 {
		text := text.Safe(r.Result.Error)
		if text == "" {
			text = r.summary()
		}
		suite.add(junitCase{Class: "kstatus", Name: strings.TrimPrefix(r.name(), "kstatus "), Time: suite.Time, Error: &junitOutcome{Type: r.Result.Outcome, Message: text}})
	}
	all := junitSuites{
		Name: suite.Name, Tests: suite.Tests, Failures: suite.Failures, Errors: suite.Errors, Time: suite.Time, Suite: suite,
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	encode := xml.NewEncoder(w)
	encode.Indent("", "  ")
	if err := encode.Encode(all); err != nil {
		return fmt.Errorf("report as JUnit: %w", err)
	}
	_, err := io.WriteString(w, "\n")
	return err
}

type junitSuites struct {
	XMLName  xml.Name   `xml:"testsuites"`
	Name     string     `xml:"name,attr"`
	Tests    int        `xml:"tests,attr"`
	Failures int        `xml:"failures,attr"`
	Errors   int        `xml:"errors,attr"`
	Time     string     `xml:"time,attr"`
	Suite    junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name       string          `xml:"name,attr"`
	Tests      int             `xml:"tests,attr"`
	Failures   int             `xml:"failures,attr"`
	Errors     int             `xml:"errors,attr"`
	Skipped    int             `xml:"skipped,attr"`
	Time       string          `xml:"time,attr"`
	Timestamp  string          `xml:"timestamp,attr"`
	Properties []junitProperty `xml:"properties>property"`
	Cases      []junitCase     `xml:"testcase"`
}

type junitProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Time    string        `xml:"time,attr"`
	Failure *junitOutcome `xml:"failure"`
	Error   *junitOutcome `xml:"error"`
	Skipped *junitOutcome `xml:"skipped"`
	Out     junitText     `xml:"system-out"`
}

// A junitText is text that has been escaped.
type junitText struct {
	Text string `xml:",innerxml"`
}

type junitOutcome struct {
	Type    string `xml:"type,attr,omitempty"`
	Message string `xml:"message,attr"`
	Text    string `xml:",innerxml"`
}

func (s *junitSuite) add(c junitCase) {
	s.Tests++
	switch {
	case c.Failure != nil:
		s.Failures++
	case c.Error != nil:
		s.Errors++
	case c.Skipped != nil:
		s.Skipped++
	}
	s.Cases = append(s.Cases, c)
}

func (r *Run) junitProperties() []junitProperty {
	all := []junitProperty{{"outcome", r.Result.Outcome}, {"exitCode", fmt.Sprint(r.Result.ExitCode)}}
	add := func(name, value string) {
		if value != "" {
			all = append(all, junitProperty{name, text.Safe(value)})
		}
	}
	add("goal", r.goal())
	add("timeout", r.Start.Timeout)
	add("contexts", strings.Join(r.Start.Contexts, " "))
	add("command", strings.Join(r.Start.Command, " "))
	return all
}

// junitCase returns the test case of an object.
func (r *Run) junitCase(o *Object) junitCase {
	class := o.ID.Kind.Kind
	if o.ID.Group != "" {
		class = o.ID.Group + "/" + class
	}
	if o.ID.Cluster != "" {
		class = o.ID.Cluster + ": " + class
	}
	_, name, _ := strings.Cut(o.String(), "/")
	c := junitCase{Class: text.Safe(class), Name: text.Safe(name), Time: seconds(r.durationOf(o)), Out: junitText{escape(r.history(o))}}
	outcome := junitOutcome{Type: text.Safe(o.Reason), Message: o.word() + ": " + o.text()}
	switch o.Progress {
	case observe.ProgressReached:
		return c
	case observe.ProgressIgnored:
		c.Skipped = &junitOutcome{Message: outcome.Message}
		return c
	}
	if r.isUndecided(o) {
		c.Skipped = &junitOutcome{Message: "the wait ended before this was decided; " + outcome.Message}
		return c
	}
	outcome.Message, outcome.Text = o.word()+": "+r.reasonText(o), escape(r.explanationText(o))
	if r.hasFailed(o) {
		c.Failure = &outcome
		return c
	}
	switch o.Progress {
	case observe.ProgressMissing:
		outcome.Type = "NotFound"
	case observe.ProgressPending, observe.ProgressFailing, observe.ProgressTimedOut:
		outcome.Type = "Timeout"
	}
	c.Error = &outcome
	return c
}

// durationOf returns the time until the object was decided.
func (r *Run) durationOf(o *Object) time.Duration {
	switch {
	case !o.ReachedAt.IsZero():
		return o.ReachedAt.Sub(r.Start.Time)
	case !o.FailedAt.IsZero():
		return o.FailedAt.Sub(r.Start.Time)
	}
	return r.waitDuration()
}

// history returns the changes of an object, one per line.
func (r *Run) history(o *Object) string {
	var b strings.Builder
	if o.Source != nil {
		fmt.Fprintf(&b, "read from %s\n", text.Safe(o.Source.String()))
	}
	if warning := o.warning(); warning != "" {
		fmt.Fprintf(&b, "warning: %s\n", warning)
	}
	for _, note := range o.notes() {
		fmt.Fprintf(&b, "note: %s\n", note)
	}
	for i, c := range o.Changes {
		if i == keptFirstChanges && o.Omitted > 0 {
			fmt.Fprintf(&b, "… %d changes left out\n", o.Omitted)
		}
		fmt.Fprintf(&b, "%s %-11s %s\n", r.clock(c.Time), c.word(), c.text())
	}
	return b.String()
}

// escape returns lines of text as XML, with characters that XML does not permit replaced.
func escape(text string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(text)) // fails only if the writer fails
	return strings.ReplaceAll(b.String(), "&#xA;", "\n")
}

// seconds returns a duration in the format of JUnit.
func seconds(d time.Duration) string { return fmt.Sprintf("%.3f", max(0, d).Seconds()) }

package casefile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"kstatus.dev/internal/decoded"
	"kstatus.dev/internal/text"
	"kstatus.dev/redact"
	"kstatus.dev/status"
	"kstatus.dev/status/schema"
)

// Now is the time of all cases: an object is as old in its case as it was when it was read.
var Now = time.Date(2026, time.January, 1, 12, 0, 0, 0, time.UTC)

// ErrSecret is the error for a Secret.
var ErrSecret = errors.New("a Secret has no status, and its values must not be published")

// A Case is a copy of an object for a public issue, with its verdict.
type Case struct {
	Object   map[string]any // small, and without private values
	Expected status.Status  // the verdict that the user expects
	Because  string         // why, in the words of the user; may be empty
	Version  string         // the version of kstatus
	Verdict  status.Result  // on the original object
	Alone    status.Result  // on Object, without rules of users and without other objects

	profile string   // the name of the profile
	expect  []string // what the schema of the kind declares
}

// New returns the case of an object. verdict is the verdict on it. e is the evaluator of that
// verdict, with the time in e.Now. Expected, Because and Version are empty.
//
// If the verdict on the small copy differs from verdict, New copies more. If that does not help,
// Alone differs from Verdict, and the case describes that.
func New(obj status.Object, e status.Evaluator, verdict status.Result) (*Case, error) {
	root := obj.UnstructuredContent()
	version, kind := decoded.Text(root, "apiVersion"), decoded.Text(root, "kind")
	if version == "v1" && kind == "Secret" {
		return nil, ErrSecret
	}
	for _, name := range []string{version, kind} {
		if len(name) > maxText {
			return nil, fmt.Errorf("make a case: the apiVersion or kind has %d bytes, want at most %d", len(name), maxText)
		}
	}
	_, reads, err := e.Explain(obj)
	if err != nil {
		return nil, fmt.Errorf("make a case: %w", err)
	}
	c := &Case{profile: e.Profile.Name()}
	if e.Expect != nil {
		c.expect = promisesOf(e.Expect(version, kind))
	}
	now := time.Now()
	if e.Now != nil {
		now = e.Now()
	}
	for _, whole := range []bool{false, true} {
		m := newCopier(root, reads, Now.Sub(now))
		candidate := m.object(root, whole)
		alone, err := c.judge(candidate, status.Evaluator{})
		if err != nil {
			return nil, fmt.Errorf("make a case: %w", err)
		}
		if isSame := sameVerdict(*alone, verdict); isSame || !whole {
			c.Object, c.Alone, c.Verdict = candidate, *alone, m.result(verdict)
			if isSame {
				break
			}
		}
	}
	return c, nil
}

// sameVerdict reports whether two verdicts are the same, except for their texts.
func sameVerdict(a, b status.Result) bool {
	return a.Status == b.Status && a.Reason == b.Reason && a.Confidence == b.Confidence && a.Failure == b.Failure && a.Suspended == b.Suspended
}

// Judge returns the verdict on the object of the case. It uses the rules and hints of e, and the
// time, the profile and the schema of the case.
func (c *Case) Judge(e status.Evaluator) (*status.Result, error) { return c.judge(c.Object, e) }

func (c *Case) judge(obj map[string]any, e status.Evaluator) (*status.Result, error) {
	profile, err := status.ParseProfile(c.profile)
	if err != nil {
		return nil, err
	}
	expectation, err := parsePromises(c.expect)
	if err != nil {
		return nil, err
	}
	e.Profile = profile
	e.Now = func() time.Time { return Now }
	e.Expect = func(string, string) schema.Expectation { return expectation }
	return e.Compute(status.Map(obj))
}

const preface = `# Read this file before you publish it. kstatus has replaced names, addresses, IDs and
# secrets, but it cannot recognize each private word. Then open an issue of kstatus with it.
`

// Format returns the case as a file.
func (c *Case) Format() ([]byte, error) {
	var b bytes.Buffer
	b.WriteString(preface)
	for _, row := range [][2]string{
		{"version ", c.Version}, {"verdict ", describe(c.Verdict)}, {"expected", string(c.Expected)}, {"because ", c.Because},
	} {
		if row[1] != "" {
			fmt.Fprintf(&b, "# %s  %s\n", row[0], text.Line(redact.Text(row[1])))
		}
	}
	if !sameVerdict(c.Alone, c.Verdict) {
		fmt.Fprintf(&b, "# alone     %s\n", text.Line(describe(c.Alone)))
		b.WriteString("# The verdict above also depends on other objects, a rule, a flag or a field that is not in this file.\n")
	}
	fmt.Fprintf(&b, "#base {}\n#case %s is %s\n#want %s\n", text.Line(decoded.Text(c.Object, "kind")), c.Expected, c.Expected)
	if c.profile != (status.Profile{}).Name() {
		fmt.Fprintf(&b, "#profile %s\n", c.profile)
	}
	if len(c.expect) > 0 {
		fmt.Fprintf(&b, "#expect %s\n", strings.Join(c.expect, " "))
	}
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(c.Object); err != nil {
		return nil, fmt.Errorf("format a case: %w", err)
	}
	return b.Bytes(), nil
}

// describe formats a verdict as the tests of package status do.
func describe(r status.Result) string {
	var notes []string
	for _, note := range []string{string(r.Failure), string(r.Suspended)} {
		if note != "" {
			notes = append(notes, note)
		}
	}
	if r.Confidence != status.ConfidenceExplicit {
		notes = append(notes, string(r.Confidence))
	}
	out := string(r.Status) + " " + r.Reason
	if len(notes) > 0 {
		out += " [" + strings.Join(notes, ", ") + "]"
	}
	return out + ": " + r.Message
}

// Parse reads a case. Only Object, Expected and what [Case.Judge] needs are set.
func Parse(file []byte) (*Case, error) {
	c := &Case{profile: (status.Profile{}).Name()}
	var object strings.Builder
	n := 0
	for line := range strings.Lines(string(file)) {
		n++
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch word {
		case "#want":
			want, _, _ := strings.Cut(rest, " ")
			expected, err := ParseStatus(want)
			if err != nil {
				return nil, fmt.Errorf("line %d: %w", n, err)
			}
			c.Expected = expected
		case "#profile":
			c.profile = rest
		case "#expect":
			c.expect = strings.Fields(rest)
		}
		if !strings.HasPrefix(line, "#") {
			object.WriteString(line)
		}
	}
	if c.Expected == "" {
		return nil, errors.New(`want a line such as "#want Current", have none`)
	}
	if err := json.Unmarshal([]byte(object.String()), &c.Object); err != nil {
		return nil, fmt.Errorf("want one object in JSON after the lines with #: %w", err)
	}
	return c, nil
}

// ParseStatus returns the status that a user may expect of an object that exists.
func ParseStatus(word string) (status.Status, error) {
	for _, s := range Expectable() {
		if string(s) == word {
			return s, nil
		}
	}
	return "", fmt.Errorf("want one of %v, have %q", Expectable(), word)
}

// Expectable returns the statuses that a user may expect of an object that exists.
func Expectable() []status.Status {
	return []status.Status{status.CurrentStatus, status.InProgressStatus, status.FailedStatus, status.TerminatingStatus, status.UnknownStatus}
}

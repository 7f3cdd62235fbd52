package status_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kstatus.dev/status"
	"kstatus.dev/status/schema"
)

// noon is the time of all cases.
var noon = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

func noonClock() time.Time { return noon }

// A testCase is one case of a file under testdata. The head of testdata/rules/deployment.cases
// describes the format.
type testCase struct {
	file string
	line int
	name string
	want string
	obj  map[string]any

	profile string // the name of the profile; empty: default
	expect  string // what the schema of the kind declares, in words; see promises
	related string // a related object, as JSON
}

// evaluator returns the Evaluator for the case.
func (c testCase) evaluator(t testing.TB) status.Evaluator {
	t.Helper()
	e := status.Evaluator{Now: noonClock}
	if c.profile != "" {
		p, err := status.ParseProfile(c.profile)
		if err != nil {
			t.Fatalf("%s:%d: %v", c.file, c.line, err)
		}
		e.Profile = p
	}
	if c.expect != "" {
		e.Expect = func(string, string) schema.Expectation { return parseExpectation(t, c.expect) }
	}
	if c.related != "" {
		e.Related = lookupOf(t, c.related)
	}
	return e
}

// lookupOf returns a Lookup that returns one object, by its kind, namespace and name.
func lookupOf(t testing.TB, text string) status.Lookup {
	t.Helper()
	var known struct {
		APIVersion, Kind string
		Metadata         struct{ Namespace, Name string }
	}
	var root map[string]any
	for _, into := range []any{&known, &root} {
		if err := json.Unmarshal([]byte(text), into); err != nil {
			t.Fatalf("related %s: %v", text, err)
		}
	}
	group, _, grouped := strings.Cut(known.APIVersion, "/")
	if !grouped {
		group = "" // the core group
	}
	return func(kind status.Kind, namespace, name string) status.Object {
		if kind != (status.Kind{Group: group, Kind: known.Kind}) || namespace != known.Metadata.Namespace || name != known.Metadata.Name {
			return nil
		}
		return status.Map(root)
	}
}

// parseExpectation parses an expectation.
func parseExpectation(t testing.TB, words string) (e schema.Expectation) {
	t.Helper()
	e.Source = "CRD widgets.example.com"
	for _, w := range strings.Fields(words) {
		switch w {
		case "status":
			e.Status = schema.TristateYes
		case "no-status":
			e.Status = schema.TristateNo
		case "observedGeneration":
			e.ObservedGeneration = schema.TristateYes
		case "conditions":
			e.Conditions = schema.TristateYes
		case "no-subresource":
			e.Subresource = schema.TristateNo
		case "subresource":
			e.Subresource = schema.TristateYes
		case "others-observedGeneration":
			e.Peers.ObservedGeneration, e.Peers.Example = schema.TristateYes, "Widget shop/a"
		case "others-status":
			e.Peers.Status, e.Peers.Example = schema.TristateYes, "Widget shop/a"
		case "others-no-status":
			e.Peers.Status = schema.TristateNo
		case "summary":
			e.SummaryCondition = "Ready"
		default:
			t.Fatalf("expect %q: unknown word %s", words, w)
		}
	}
	return e
}

// defaultCases are the files of cases for the default profile.
var defaultCases = []string{"testdata/rules/*.cases", "testdata/generic/*.cases", hintCases}

const hintCases = "testdata/hints/*.cases"

// eachCase runs test for every case of the files that match the patterns. Each file is a subtest
// with the name of its folder and itself. Each case is a subtest of that with the name of its
// kind and its title:
//
//	go test ./status -run 'TestCases/deployment/waits'
func eachCase(t *testing.T, patterns []string, test func(t *testing.T, c testCase)) {
	t.Helper()
	for _, file := range caseFiles(t, patterns...) {
		name := filepath.Base(filepath.Dir(file)) + "_" + strings.TrimSuffix(filepath.Base(file), ".cases")
		t.Run(name, func(t *testing.T) {
			for _, c := range casesOf(t, file) {
				t.Run(fmt.Sprint(c.obj["kind"], " ", c.name), func(t *testing.T) { test(t, c) })
			}
		})
	}
}

// cases reads all cases of the files that match the patterns.
func cases(t testing.TB, patterns ...string) (all []testCase) {
	t.Helper()
	for _, file := range caseFiles(t, patterns...) {
		all = append(all, casesOf(t, file)...)
	}
	return all
}

// caseFiles returns the files that match the patterns. It fails if a pattern matches none.
func caseFiles(t testing.TB, patterns ...string) (all []string) {
	t.Helper()
	for _, pattern := range patterns {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("no cases match %s: %v", pattern, err)
		}
		all = append(all, files...)
	}
	return all
}

func casesOf(t testing.TB, file string) (all []testCase) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var base map[string]any
	var now testCase
	var doc strings.Builder
	flush := func() {
		if doc.Len() == 0 {
			return
		}
		var patch map[string]any
		if err := json.Unmarshal([]byte(doc.String()), &patch); err != nil {
			t.Fatalf("%s:%d: %v", file, now.line, err)
		}
		doc.Reset()
		if now.name == "" {
			base = patch
			return
		}
		now.obj = merged(base, patch)
		all = append(all, now)
	}
	for i, line := range strings.Split(string(data), "\n") {
		if !strings.HasPrefix(line, "# ") {
			line = strings.TrimPrefix(line, "#") // as kstatus report-verdict writes the words
		}
		word, rest, _ := strings.Cut(line, " ")
		switch {
		case strings.HasPrefix(line, "#"):
		case word == "base":
			flush()
			now = testCase{file: file, line: i + 1}
			doc.WriteString(rest)
		case word == "case":
			flush()
			now = testCase{file: file, line: i + 1, name: rest}
		case word == "want":
			now.want = rest
		case word == "profile":
			now.profile = rest
		case word == "expect":
			now.expect = rest
		case word == "related":
			now.related = rest
		default:
			doc.WriteString(strings.TrimSpace(line))
		}
	}
	flush()
	return all
}

// merged applies a JSON merge patch to a copy of an object.
func merged(base, patch map[string]any) map[string]any {
	out := maps.Clone(base)
	if out == nil {
		out = map[string]any{}
	}
	for k, v := range patch {
		sub, isMap := v.(map[string]any)
		switch {
		case v == nil:
			delete(out, k)
		case isMap:
			under, _ := out[k].(map[string]any)
			out[k] = merged(under, sub)
		default:
			out[k] = v
		}
	}
	return out
}

// remarks returns what the cases write in brackets: the parts of a result that differ from most
// results.
func remarks(r *status.Result) []string {
	var extra []string
	for _, s := range []string{string(r.Failure), string(r.Suspended)} {
		if s != "" {
			extra = append(extra, s)
		}
	}
	if r.Confidence != status.ConfidenceExplicit {
		extra = append(extra, string(r.Confidence))
	}
	if r.Recheck != 0 {
		extra = append(extra, r.Recheck.String())
	}
	return extra
}

// formatResult formats a result as in the cases.
func formatResult(r *status.Result, err error) string {
	if err != nil {
		return "error: " + err.Error()
	}
	extra := remarks(r)
	out := fmt.Sprintf("%s %s", r.Status, r.Reason)
	if len(extra) > 0 {
		out += " [" + strings.Join(extra, ", ") + "]"
	}
	out += ": " + r.Message
	for _, w := range r.Warnings {
		out += " | " + w
	}
	return out
}

// Every file of hints has cases with another verdict without the hints.
func TestHintsMatter(t *testing.T) {
	byKind := map[string][]testCase{}
	for _, c := range cases(t, hintCases) {
		kind := fmt.Sprint(c.obj["apiVersion"], " ", c.obj["kind"])
		byKind[kind] = append(byKind[kind], c)
	}
	for kind, all := range byKind {
		t.Run(kind, func(t *testing.T) {
			matters := false
			for _, c := range all {
				e := c.evaluator(t)
				with, _ := e.Compute(status.Map(c.obj))
				e.NoHints = true
				without, _ := e.Compute(status.Map(c.obj))
				if with == nil || without == nil {
					t.Fatalf("%s:%d: it %s: cannot be judged", c.file, c.line, c.name)
				}
				matters = matters || with.Status != without.Status || with.Confidence != without.Confidence
			}
			if !matters && status.Hinted(kind) {
				t.Error("no case has another status, or one that is surer, because of the hint for the kind")
			}
		})
	}
}

func TestCases(t *testing.T) {
	eachCase(t, defaultCases, func(t *testing.T, c testCase) {
		if got := formatResult(c.evaluator(t).Compute(status.Map(c.obj))); got != c.want {
			t.Errorf("%s:%d:\n have %s\n want %s", c.file, c.line, got, c.want)
		}
	})
}

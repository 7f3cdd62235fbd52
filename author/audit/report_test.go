package audit

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"kstatus.dev/author/severity"
	"kstatus.dev/status"
)

const dim = `
+0s create kubectl {"spec":{"color":"red"}}
+1s status lamp og=2 Ready=True/On
+9s status lamp og=3 Ready=True/On
+1s spec kubectl {"metadata":{"labels":{"room":"attic"}}}
`

func TestReport(t *testing.T) {
	in2027 := time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name       string
		options    Options
		want       string // findings, suppressed, unused
		wantFailed bool
	}{
		{"it reports each place once", Options{}, "W-02x2 W-03x2 | |", true},
		{"it suppresses accepted findings", Options{Suppress: []Suppression{{Rule: "W-02", Reason: "known"}, {Rule: "condition-observed", Kind: "Lamp", Name: "l*p", Reason: "known"}}},
			"| W-02 W-03 |", false},
		{"it reports suppressions that match nothing", Options{Suppress: []Suppression{{Rule: "W-02", Name: "other", Reason: "known"}}}, "W-02x2 W-03x2 | | W-02", true},
		{"it requires a reason for a suppression", Options{Suppress: []Suppression{{Rule: "W-02"}}}, "W-02x2 W-03x2 | | W-02", true},
		{"it suppresses until the date", Options{Suppress: []Suppression{{Rule: "W-02", Reason: "known", Until: in2027.AddDate(-1, 0, 0)}, {Rule: "W-03", Reason: "known", Until: in2027}}},
			"W-02x2 | W-03 | W-02", true},
		{"it suppresses a place", Options{Suppress: []Suppression{{Path: ".status.conditions*", Reason: "known"}}}, "W-02x2 | W-03 |", true},
		{"it does not run rules that are off", Options{Severities: map[string]severity.Level{"W-02": severity.Off, "condition-observed": severity.Warning}}, "W-03x2 | |", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.options.Rules = []*Rule{observedAhead, conditionObserved}
			a := New(c.options)
			for _, w := range parseStream(t, dim) {
				a.Add(w)
			}
			r := a.Report()
			var b strings.Builder
			for _, f := range r.Findings {
				b.WriteString(f.Rule + "x" + string(rune('0'+f.Count)) + " ")
			}
			b.WriteString("|")
			for _, f := range r.Suppressed {
				b.WriteString(" " + f.Rule)
			}
			b.WriteString(" |")
			for _, s := range r.Unused {
				b.WriteString(" " + s.Rule)
			}
			if have := b.String(); have != c.want || r.Failed() != c.wantFailed {
				t.Errorf("it tells %s and fails: %t; want %s, %t", have, r.Failed(), c.want, c.wantFailed)
			}
		})
	}
}

// Programs read the JSON of a report.
func TestReportAsJSON(t *testing.T) {
	a := New(Options{Rules: []*Rule{observedAhead, noopRequests}})
	for _, w := range parseStream(t, dim) {
		a.Add(w)
	}
	r := a.Report()
	data, err := json.MarshalIndent(r.Findings, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	const file = "testdata/findings.json"
	if *update {
		if err := os.WriteFile(file, append(data, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(file); err != nil || string(want) != string(data)+"\n" {
		t.Errorf("findings (%v):\n%s\nwant:\n%s", err, data, want)
	}
	if r.Coverage.Objects != 1 || r.Coverage.Versions != 4 || len(r.Coverage.NotChecked) != 1 {
		t.Errorf("coverage is %+v, want one object in 4 versions, and one rule blind", r.Coverage)
	}
}

func TestOptionsCheck(t *testing.T) {
	for _, c := range []struct {
		name    string
		options Options
		want    string
	}{
		{"it accepts no options", Options{}, ""},
		{"it requires known measures", Options{Budgets: map[Measure]float64{"writes": 2}}, `unknown measure "writes"`},
		{"it requires known rules", Options{Severities: map[string]severity.Level{"W-99": severity.Off}}, `unknown rule "W-99"`},
		{"it requires reasons", Options{Suppress: []Suppression{{Rule: "W-01"}}}, "want a reason"},
		{"it requires known rules in suppressions", Options{Suppress: []Suppression{{Rule: "flapp", Reason: "known"}}}, `unknown rule "flapp"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := c.options.Check()
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("error is %v, want one with %q", err, c.want)
			}
		})
	}
}

func TestEvidenceIsReadable(t *testing.T) {
	for _, c := range []struct{ it, text, want string }{
		{"replaces control characters", "a\x1b[31mb", "a\ufffd[31mb"},
		{"replaces direction marks, and joins lines", "a\u202eb\nc", "a\ufffdb c"},
		{"cuts a long text", strings.Repeat("ä", 10000), strings.Repeat("ä", 249) + "…"},
	} {
		t.Run(c.it, func(t *testing.T) {
			if have := readable(c.text); have != c.want {
				t.Errorf("have %.40q (%d bytes), want %.40q (%d bytes)", have, len(have), c.want, len(c.want))
			}
		})
	}
}

func TestMatchesPattern(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		want          bool
	}{
		{"", "a", true}, {"a", "a", true}, {"a", "ab", false}, {"*", "", true}, {"a*", "ab", true}, {"*b", "ab", true}, {"a*a", "a", false},
		{"a*b*c", "a-b-c", true}, {"a*b*c", "a-c-b", false}, {"*b*", "abc", true}, {"*b*", "ac", false},
	} {
		t.Run(c.pattern+" "+c.text, func(t *testing.T) {
			if have := matchesPattern(c.pattern, c.text); have != c.want {
				t.Errorf("%q fits %q: %t, want %t", c.pattern, c.text, have, c.want)
			}
		})
	}
}

func TestIDAsJSON(t *testing.T) {
	node := ID{ID: status.ID{Kind: status.Kind{Kind: "Node"}, Name: "worker-1"}}
	lamp := ID{ID: status.ID{Kind: status.Kind{Group: "example.com", Kind: "Lamp"}, Namespace: "shop", Name: "a"}, UID: "1-2"}
	for _, c := range []struct {
		name string
		id   ID
		want string
	}{
		{"it omits an empty namespace and an empty UID", node, `{"group":"","kind":"Node","name":"worker-1"}`},
		{"it has all fields", lamp, `{"group":"example.com","kind":"Lamp","namespace":"shop","name":"a","uid":"1-2"}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			text, err := json.Marshal(c.id)
			if err != nil || string(text) != c.want {
				t.Errorf("have %s, %v, want %s", text, err, c.want)
			}
			var again ID
			if err := json.Unmarshal(text, &again); err != nil || again != c.id {
				t.Errorf("%s is read as %v, %v", text, again, err)
			}
		})
	}
}

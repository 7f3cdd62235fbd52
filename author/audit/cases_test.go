package audit

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestRules runs each rule on the streams of its file in testdata. Streams
// under breaks violate this rule only, and streams under keeps violate none.
func TestRules(t *testing.T) {
	for _, r := range Rules {
		t.Run(r.Name, func(t *testing.T) {
			c := caseOf(t, r)
			for i, stream := range c.breaks {
				t.Run(fmt.Sprint("breaks ", i+1), func(t *testing.T) {
					if got := violatedRules(t, c.options, stream); !slices.Equal(got, []string{r.ID}) {
						t.Errorf("it breaks %v, want %s", got, r.ID)
					}
				})
			}
			for i, stream := range c.keeps {
				t.Run(fmt.Sprint("keeps ", i+1), func(t *testing.T) {
					if got := violatedRules(t, c.options, stream); len(got) != 0 {
						t.Errorf("it breaks %v, want none", got)
					}
				})
			}
		})
	}
}

// A ruleCase is a file of testdata. It begins with comment lines. Its sections
// begin with == breaks or == keeps, a colon and a title. Two optional sections
// apply to all of them. The section == declared has a JSON list of
// [Declaration]. The section == budgets has one budget per line.
type ruleCase struct {
	head          string
	breaks, keeps []string
	also          map[string][]string // titles of sections, by breaks and keeps
	options       Options
}

func caseOf(t testing.TB, r *Rule) (c ruleCase) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", strings.ReplaceAll(r.Name, "-", "_")+".case"))
	if err != nil {
		t.Fatal(err)
	}
	sections := strings.Split("\n"+string(data), "\n== ")
	c.also = map[string][]string{}
	c.head = strings.TrimSpace(sections[0])
	for _, s := range sections[1:] {
		title, body, _ := strings.Cut(s, "\n")
		kind, particular, ok := strings.Cut(title, ": ")
		if ok {
			c.also[kind] = append(c.also[kind], particular)
		}
		switch kind {
		case "breaks":
			c.breaks = append(c.breaks, body)
		case "keeps":
			c.keeps = append(c.keeps, body)
		case "declared":
			if c.options.Declarations, err = ParseDeclarations([]byte(body)); err != nil {
				t.Fatal(err)
			}
		case "budgets":
			for line := range strings.Lines(body) {
				name, most, _ := strings.Cut(strings.TrimSpace(line), "=")
				n, err := strconv.ParseFloat(most, 64)
				if d, isTime := time.ParseDuration(most); err != nil && isTime == nil {
					n, err = d.Seconds(), nil
				}
				if err != nil {
					t.Fatalf("budget %s: %v", line, err)
				}
				if c.options.Budgets == nil {
					c.options.Budgets = map[Measure]float64{}
				}
				c.options.Budgets[Measure(name)] = n
			}
		default:
			t.Fatalf("== %s: want breaks, keeps, declared or budgets", title)
		}
	}
	if c.head == "" || len(c.breaks) == 0 || len(c.keeps) == 0 {
		t.Fatal("want a line that says what goes wrong, then == breaks, then == keeps")
	}
	return c
}

func violatedRules(t *testing.T, o Options, stream string) (ids []string) {
	t.Helper()
	a := New(o)
	for _, w := range parseStream(t, stream) {
		a.Add(w)
	}
	for _, f := range a.Findings() {
		if len(ids) == 0 || ids[len(ids)-1] != f.Rule {
			ids = append(ids, f.Rule)
		}
		t.Logf("%s %s %s: %s", f.Rule, f.Object, f.Path, f.Evidence)
	}
	return ids
}

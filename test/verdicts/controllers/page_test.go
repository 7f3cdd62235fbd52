package controllers

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "write the page about real controllers")

// page is the page with the results.
const page = "../../../docs/reference/real-controllers.md"

// A row is what was seen of one scenario.
type row struct {
	controller, kind, it string
	waiting              string        // the verdict while it could not be ready
	truth, current       time.Duration // from the start or the repair; zero if nothing makes it ready
}

// all lists the controllers in the order of the page.
func all() []*controller {
	return []*controller{certManager(), kustomizeController(), helmController(), argoRollouts(), prometheusOperator()}
}

// The verdicts on the objects of real controllers are never Current before the truth, and always after
// it. The page has what was seen.
func TestControllers(t *testing.T) {
	var mu sync.Mutex
	seen := map[string]string{} // lines of the page, by key
	controllers := all()
	t.Run("of", func(t *testing.T) {
		for _, c := range controllers {
			t.Run(c.name, func(t *testing.T) {
				t.Parallel()
				c.start(t)
				mu.Lock()
				seen[c.name] = c.line()
				mu.Unlock()
				for _, s := range c.scenarios {
					t.Run(s.name(), func(t *testing.T) {
						if !s.late { // others need the controller
							t.Parallel()
						}
						r := s.run(t, c)
						mu.Lock()
						defer mu.Unlock()
						seen[c.key(&s)] = r.line()
					})
				}
			})
		}
	})
	if !t.Failed() {
		comparePage(t, controllers, seen)
	}
}

func (s *scenario) name() string {
	kind, _, _ := strings.Cut(s.target, ".")
	return kind + " " + s.it
}

func (c *controller) key(s *scenario) string { return c.name + ": " + s.name() }

func (c *controller) line() string {
	return fmt.Sprintf("| %s | `%s` | %s |\n", c.name, c.module, c.version)
}

func (r row) line() string {
	seconds := func(d time.Duration) string {
		if r.current == 0 {
			return "never"
		}
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return fmt.Sprintf("| %s | %s | %s | %s | %s |\n", r.kind, r.it, plain(r.waiting), seconds(r.truth), seconds(r.current))
}

// variable is what differs from run to run: names of namespaces, addresses, digests and times.
var variable = regexp.MustCompile(`/[a-z/]+/kustomization-\d+|test[a-z0-9-]+-[a-z0-9]{6}|127\.0\.0\.1:[0-9]+|sha256:[0-9a-f]+|[0-9a-f]{8}-[0-9a-f-]{27}|\d{4}-\d\d-\d\dT[0-9:.]+Z`)

// plain makes a message fit into a cell.
func plain(text string) string {
	text = strings.NewReplacer("|", "\\|", "\n", " ", "<", "\\<").Replace(variable.ReplaceAllString(text, "…"))
	if cut := []rune(text); len(cut) > 170 {
		text = string(cut[:170]) + "…"
	}
	return text
}

const pageHead = `# Verdicts on the objects of real controllers

The tests of ` + "`test/verdicts/controllers`" + ` run released controllers on the test cluster. They create
objects that are good, slow or broken, and compare each verdict with a fact that no condition
reports. Examples are a Secret with a certificate that verifies, and Pods of the new template.

No verdict is Current before the fact is true, in any version of an object, except in rows with the
word *early*. There the object itself reports the new generation as ready too soon. Then wait for
the workload too, or set ` + "`observe.Requirements.Settle`" + `. Each object is Current after the fact is
true. ` + "`go test ./test/verdicts/controllers -update`" + ` checks both and writes this page.

`

// comparePage compares the results with the page, or writes them. Scenarios that were not selected
// keep their rows.
func comparePage(t *testing.T, controllers []*controller, seen map[string]string) {
	t.Helper()
	have, err := os.ReadFile(page)
	if err != nil && !*update {
		t.Fatal(err)
	}
	old := readPage(string(have))
	get := func(key string) string {
		if line, ok := seen[key]; ok {
			return line
		}
		return old[key]
	}
	var b strings.Builder
	b.WriteString(pageHead + "| controller | module | version |\n|---|---|---|\n")
	for _, c := range controllers {
		b.WriteString(get(c.name))
	}
	b.WriteString("\nTimes begin when the object is applied or, for an object that has to wait, when the wait can end.\n")
	for _, c := range controllers {
		fmt.Fprintf(&b, "\n## %s\n\n| kind | scenario | verdict while it waits | fact after | Current after |\n|---|---|---|---|---|\n", c.name)
		for _, s := range c.scenarios {
			b.WriteString(get(c.key(&s)))
		}
	}
	if *update {
		if err := os.WriteFile(page, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if stable(string(have)) != stable(b.String()) {
		t.Errorf("%s is not what was seen; run go test ./test/verdicts/controllers -update\n%s", page, b.String())
	}
}

// readPage returns the lines of the page by their keys.
func readPage(text string) map[string]string {
	lines, in := map[string]string{}, ""
	for line := range strings.Lines(text) {
		cells := strings.Split(strings.Trim(line, "| \n"), " | ")
		switch heading, ok := strings.CutPrefix(line, "## "); {
		case ok:
			in = strings.TrimSpace(heading)
		case !strings.HasPrefix(line, "| "):
		case in == "":
			lines[cells[0]] = line
		case len(cells) > 1:
			lines[in+": "+cells[0]+" "+cells[1]] = line
		}
	}
	return lines
}

// stable leaves out of a page what differs from run to run: times and messages.
func stable(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if cells := strings.Split(line, " | "); len(cells) == 5 {
			status, _, _ := strings.Cut(cells[2], ":")
			line = strings.Join(append(cells[:2], status), " | ") + "\n"
		}
		b.WriteString(line)
	}
	return b.String()
}

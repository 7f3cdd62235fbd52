package growth

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// most is the largest permitted growth of the cost when the input grows by ten. Comparing all pairs
// grows by 100. The limit detects it when it is a 40th of the cost of the small input. That is a
// fifth of the cost of the large one.
const most = 12

// limits are those of cases that may grow by more: a tenth above their measured growth.
var limits = map[string]float64{
	// Each line of a tree is indented by its depth, so the output grows with the square of a
	// chain.
	"get --tree of a chain of owners": 19,
	"explain a chain of owners":       19,
	// The steps of these grow by 10 or 11, their allocations by more.
	"lint versions of a definition, --fix --unsafe":             14,
	"lint versions of a definition, --patch kustomize --unsafe": 14,
	"explain objects that wait for each other":                  15.6,
}

// A measurement is a command with inputs of any size.
type measurement struct {
	it   string
	n    int
	args string // of the command; FILE is the input, and OUT an output file
	// text returns an input of a size.
	text func(n int) []byte
	// prepare is a command to run before, in the format of args.
	prepare string
	code    int // the exit code
}

var (
	only = flag.String("measure", "", "measure only cases with this in their name")
	// The limits of the table above are those of the full sizes. A smaller input grows by less.
	smaller = flag.Int("smaller", 5, "divide the sizes of the inputs by this")
)

// A cost is the cost of one run of the command.
type cost struct {
	steps, bytes float64
	places       []Place // with the most steps
}

// TestGrowth runs each case on inputs of the sizes n and 10n. It subtracts the cost of starting
// the command.
func TestGrowth(t *testing.T) {
	c, err := Build(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	start := costOf(t, c, "version", 0)
	all := measurements()
	rows := make([]string, len(all))
	t.Run("all", func(t *testing.T) {
		for i, m := range all {
			if strings.Contains(m.it, *only) {
				t.Run(m.it, func(t *testing.T) {
					t.Parallel()
					rows[i] = m.grow(t, c, start)
				})
			}
		}
	})
	t.Logf("\n| case | n | steps at n | at 10n | growth | bytes at n | at 10n | growth |\n|---|---|---|---|---|---|---|---|\n%s", strings.Join(rows, ""))
}

// grow checks one case, and returns its row of the table.
func (m measurement) grow(t *testing.T, c *Command, start cost) (row string) {
	t.Helper()
	n := max(m.n / *smaller, 1)
	one, ten := m.run(t, c, n), m.run(t, c, 10*n)
	steps := (ten.steps - start.steps) / (one.steps - start.steps)
	allocated := (ten.bytes - start.bytes) / (one.bytes - start.bytes)
	limit, is := limits[m.it]
	if !is {
		limit = most
	}
	if steps > limit {
		t.Errorf("10 times the input takes %.1f times the steps, want at most %.1f; most are at %v", steps, limit, ten.places)
	}
	if allocated > limit {
		t.Errorf("10 times the input allocates %.1f times the bytes, want at most %.1f", allocated, limit)
	}
	return fmt.Sprintf("| %s | %d | %.2f M | %.1f M | %.1f | %.1f MB | %.0f MB | %.1f |\n", m.it, n,
		(one.steps-start.steps)/1e6, (ten.steps-start.steps)/1e6, steps, (one.bytes-start.bytes)/1e6, (ten.bytes-start.bytes)/1e6, allocated)
}

// run runs the command on an input of a size.
func (m measurement) run(t *testing.T, c *Command, n int) cost {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "input.yaml")
	if err := os.WriteFile(file, m.text(n), 0o600); err != nil {
		t.Fatal(err)
	}
	words := strings.NewReplacer("FILE", file, "OUT", filepath.Join(dir, "out"))
	if m.prepare != "" {
		if _, err := c.Run(strings.Fields(words.Replace(m.prepare))...); err != nil {
			t.Fatal(err)
		}
	}
	return costOf(t, c, words.Replace(m.args), m.code)
}

// costOf runs a command line.
func costOf(t *testing.T, c *Command, line string, code int) cost {
	t.Helper()
	r, err := c.Run(strings.Fields(line)...)
	if err != nil {
		t.Fatal(err)
	}
	if r.Code != code {
		t.Fatalf("%s: exit %d, want %d", line, r.Code, code)
	}
	one := cost{bytes: float64(r.Bytes), places: r.Places[:min(len(r.Places), 8)]}
	for _, p := range r.Places {
		one.steps += float64(p.Steps)
	}
	return one
}

package growth

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// counting is a program that counts its own statements and those of package sort.
const counting = `package main

import "sort"

func main() {
	all := make([]int, 3000)
	for i := range all {
		all[i] = -i
		if i%2 == 0 {
			func() { all[i]++ }()
		}
	}
	sort.Ints(all)
	sort.Slice(all, func(i, j int) bool { return all[i] > all[j] })
}
`

// The toolchain reads the same counters of a program.
func TestCountersMatchToolchain(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	counters, profile := filepath.Join(dir, "counters"), filepath.Join(dir, "profile")
	for name, text := range map[string]string{"main.go": counting, "go.mod": "module counting\n\ngo 1.26.0\n", "counters/.keep": ""} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{
		{"go", "build", "-o", "program", "-cover", "-covermode=count", "-coverpkg=counting,sort", "."},
		{"./program"},
		{"go", "tool", "covdata", "textfmt", "-i=" + counters, "-o=" + profile},
	} {
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOWORK=off", "GOCOVERDIR="+counters, "GOMAXPROCS=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
	}
	read := func(pattern string) []byte {
		files, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil || len(files) != 1 {
			t.Fatalf("want one %s, have %v (%v)", pattern, files, err)
		}
		text, err := os.ReadFile(files[0])
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	meta := read("counters/covmeta.*")
	l, err := readLegend(meta)
	if err != nil {
		t.Fatal(err)
	}
	file := read("counters/covcounters.*")
	have, err := l.steps(file)
	if err != nil {
		t.Fatal(err)
	}
	var want []Place
	for line := range strings.Lines(string(read("profile"))) {
		var p Place
		var statements int64
		if n, _ := fmt.Sscan(line, &p.At, &statements, &p.Steps); n == 3 && p.Steps > 0 {
			p.Steps *= statements
			want = append(want, p)
		}
	}
	byPlace := func(a, b Place) int { return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Steps, b.Steps)) }
	slices.SortFunc(have, byPlace)
	slices.SortFunc(want, byPlace)
	if len(want) < 50 || !slices.Equal(have, want) {
		t.Errorf("have %d places, want %d:\n%v\n%v", len(have), len(want), have, want)
	}
	for n := range len(file) - 16 { // the last part contains only the number of parts
		if _, err := l.steps(file[:n]); err == nil {
			t.Errorf("counters without their end, from byte %d of %d on, are read without an error", n, len(file))
			break
		}
	}
	for n := 0; n < len(meta); n += 7 {
		_, _ = readLegend(meta[:n]) // must not panic
	}
}

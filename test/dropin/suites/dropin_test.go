package main

import (
	"flag"
	"maps"
	"os"
	"os/exec"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write docs/reference/dropin-suites.md")

// root is the root of the repository.
const root = "../../.."

func TestDropinSuitesPageIsUpToDate(t *testing.T) {
	const name = root + "/docs/reference/dropin-suites.md"
	want, err := page(root)
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(name, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if string(have) != want {
		t.Errorf("%s is not up to date; run make generate", name)
	}
}

// The façades have all names of the originals, with the same types.
func TestFacadesAreUpToDate(t *testing.T) {
	cmd := exec.Command("go", "run", "./dropin/internal/gen", "-check")
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// A suite that has run has run in all variants. Each failure has a reason, also one in compat of a
// test that passes with the original. No reason is left of a failure that is gone.
func TestFailuresHaveReasons(t *testing.T) {
	for _, s := range suites {
		t.Run(s.name, func(t *testing.T) {
			r, err := readResults(root, s.name)
			if err != nil {
				t.Fatal(err)
			}
			for _, v := range variants {
				if len(r.Variants) > 0 && len(r.Variants[v]) == 0 {
					t.Errorf("no results for %s: run go run ./test/dropin/suites for it", v)
				}
			}
			for _, problem := range r.problems(s.reasons) {
				t.Error(problem)
			}
		})
	}
}

// The go.mod files of all programs have been compared.
func TestProgramsHaveSizes(t *testing.T) {
	for _, s := range suites {
		kept, ok, err := readSize(root, s.name)
		if err != nil {
			t.Fatal(err)
		}
		if ok != (s.program != "") || ok && kept.Version != s.version {
			t.Errorf("%s: no comparison of version %s: run go run ./test/dropin/suites -sizes %s", s.name, s.version, s.name)
		}
	}
}

func TestProblems(t *testing.T) {
	all := record{
		Uncompiled: []string{"a TestInternal"},
		Variants: map[string]results{
			variantOriginal: {"a TestA": "pass", "a TestA/x": "pass", "a TestHung": "pass", "a TestHung/x": "pass", "a TestInternal": "pass", "b TestB": "fail"},
			variantCompat:   {"a TestA": "pass", "a TestA/x": "pass", "a TestHung": "pass", "a TestHung/x": "pass", "b TestB": "fail"},
			variantRight:    {"a (package)": "fail", "a TestA": "fail", "a TestA/x": "fail", "b TestB": "pass", "b TestNew": "fail"},
		},
	}
	have := strings.Join(all.problems([]reason{
		{variantOriginal, []string{"b TestB"}, "it fails"},
		{variantCompat, []string{"a TestA"}, "it does not fail"},
		{variantRight, []string{"b Test*"}, "it is new"},
	}), "\n")
	const want = `compat: a TestA has a reason and does not fail: remove it from reasons.go
right: a TestA/x fails without a reason: add one to reasons.go
right: a TestHung fails without a reason: add one to reasons.go`
	if have != want {
		t.Errorf("have\n%s\nwant\n%s", have, want)
	}
}

func TestReadTestOutput(t *testing.T) {
	const output = `{"Action":"run","Package":"example.test/m/a","Test":"TestA"}
{"Action":"output","Package":"example.test/m/a","Test":"TestA/x","Output":"    x\n"}
{"Action":"pass","Package":"example.test/m/a","Test":"TestA/x"}
{"Action":"fail","Package":"example.test/m/a","Test":"TestA"}
{"Action":"skip","Package":"example.test/m/a","Test":"TestB"}
{"Action":"run","Package":"example.test/m/a","Test":"TestHung"}
{"Action":"run","Package":"example.test/m/a","Test":"TestHung/x"}
{"Action":"fail","Package":"example.test/m/a"}
{"Action":"pass","Package":"example.test/m","Test":"TestC"}
{"Action":"pass","Package":"example.test/m"}
`
	out, err := suite{module: "example.test/m"}.read(strings.NewReader(output), false)
	if err != nil {
		t.Fatal(err)
	}
	want := results{
		"a TestA": "fail", "a TestA/x": "pass", "a TestB": "skip", "a TestHung": "fail", "a TestHung/x": "fail",
		"a (package)": "fail", ". TestC": "pass",
	}
	if !maps.Equal(out.found, want) {
		t.Errorf("have %v, want %v", out.found, want)
	}
	if have := strings.Join(out.unfinished["a"], " "); have != "TestHung TestHung/x" {
		t.Errorf("unfinished: have %s, want TestHung TestHung/x", have)
	}
	if have := skipping("^TestSlow$", out.unfinished["a"]); have != "^TestSlow$|^(TestHung)$" {
		t.Errorf("to skip: have %s", have)
	}
}

func TestDifferences(t *testing.T) {
	all := record{
		Uncompiled: []string{"a TestInternal"},
		Variants:   map[string]results{variantOriginal: {"a TestA": "pass", "a TestB": "fail", "a TestInternal/x": "pass", "a TestGone": "pass"}},
	}
	have := strings.Join(results{"a TestA": "fail", "a TestB": "fail", "a TestNew": "pass"}.differences(all), "\n")
	const want = "a TestA: original pass, here fail\na TestGone: original pass, here not run"
	if have != want {
		t.Errorf("have\n%s\nwant\n%s", have, want)
	}
}

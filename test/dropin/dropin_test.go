package main

import (
	"flag"
	"os"
	"os/exec"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write docs/reference/dropin-suites.md")

// root is the root of the repository.
const root = "../.."

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

// In compat, no test fails that passes with the original.
func TestCompatFailsNowhere(t *testing.T) {
	for _, s := range suites {
		t.Run(s.name, func(t *testing.T) {
			r, err := readResults(root, s.name)
			if err != nil {
				t.Fatal(err)
			}
			for test, before := range r.Variants[variantOriginal] {
				if now := r.Variants[variantCompat][test]; before == "pass" && now == "fail" {
					t.Errorf("%s passes with the original and fails in compat", test)
				}
			}
		})
	}
}

func TestReadTestOutput(t *testing.T) {
	const output = `{"Action":"run","Package":"example.test/m/a","Test":"TestA"}
{"Action":"output","Package":"example.test/m/a","Test":"TestA/x","Output":"    x\n"}
{"Action":"pass","Package":"example.test/m/a","Test":"TestA/x"}
{"Action":"fail","Package":"example.test/m/a","Test":"TestA"}
{"Action":"skip","Package":"example.test/m/a","Test":"TestB"}
{"Action":"fail","Package":"example.test/m/a"}
{"Action":"pass","Package":"example.test/m","Test":"TestC"}
{"Action":"pass","Package":"example.test/m"}
`
	found, err := suite{module: "example.test/m"}.read(strings.NewReader(output), false)
	if err != nil {
		t.Fatal(err)
	}
	want := results{"a TestA/x": "pass", "a TestA": "fail", "a TestB": "skip", "a (package)": "fail", ". TestC": "pass"}
	for test, result := range want {
		if found[test] != result {
			t.Errorf("%s: have %q, want %q", test, found[test], result)
		}
	}
	if len(found) != len(want) {
		t.Errorf("have %v, want %v", found, want)
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

package main

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"
)

// The modules that a replace line adds require the same oldest versions, and neither CEL nor the
// libraries of the API server. Otherwise they raise versions of importers.
func TestReplacementRequiresTheFloor(t *testing.T) {
	versions := map[string]string{}
	folders := slices.Concat(slices.Collect(maps.Values(originals)), slices.Collect(maps.Values(own)))
	slices.Sort(folders)
	for _, folder := range folders {
		name := filepath.Join(root, folder, "go.mod")
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		file, err := modfile.Parse(name, text, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range file.Require {
			module, now := r.Mod.Path, r.Mod.Version
			if strings.Contains(module, "cel-go") || strings.HasSuffix(module, "apiserver") || module == "k8s.io/kubectl" {
				t.Errorf("%s requires %s", name, module)
			}
			if before, ok := versions[module]; ok && before != now {
				t.Errorf("%s requires %s %s, and another module of the replacement %s", name, module, now, before)
			}
			versions[module] = now
		}
	}
	if have := versions["k8s.io/client-go"]; have != "v0.35.0" {
		t.Errorf("the replacement requires k8s.io/client-go %s, want v0.35.0", have)
	}
}

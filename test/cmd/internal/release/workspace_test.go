package release

import (
	"slices"
	"strings"
	"testing"
)

func TestTagsFollowRequirements(t *testing.T) {
	have := newRepository(t).open().Tags()
	if want := []string{"v0.1.0", "kube/v0.1.0", "cmd/kstatus/v0.1.0"}; !slices.Equal(have, want) {
		t.Errorf("have tags %q, want %q", have, want)
	}
}

func TestModulesRequireEachOtherInOneVersion(t *testing.T) {
	r := newRepository(t)
	r.replace("kube/go.mod", "v0.1.0", "v0.2.0")
	_, err := Open(r.root, func(string) {})
	expectError(t, err, "cmd/kstatus/go.mod: want example.test/kube v0.2.0 as everywhere, have v0.1.0")
}

// A module that mirrors an API has its major and minor version.
func TestMirrorsHaveVersionsOfTheirOwn(t *testing.T) {
	r := newRepository(t)
	r.write("dropin/fluxcd/go.mod", "module example.test/dropin/fluxcd\n\ngo 1.26.0\n\nrequire example.test v0.1.0\n")
	r.replace("go.work", "\t./kube\n", "\t./kube\n\t./dropin/fluxcd\n")
	_, err := Open(r.root, func(string) {})
	expectError(t, err, "go.work: want a replace line for a version of example.test/dropin/fluxcd, have none")

	r.replace("go.work", "replace (\n", "replace (\n\texample.test/dropin/fluxcd v1.3.9 => ./dropin/fluxcd\n")
	r.write("test/go.mod", r.read("test/go.mod")+"\nrequire example.test/dropin/fluxcd v1.3.9\n")
	if have := r.open().Tags(); !slices.Contains(have, "dropin/fluxcd/v1.3.9") || !slices.Contains(have, "kube/v0.1.0") {
		t.Errorf("have tags %q", have)
	}
	r.write("dropin/fluxcd/fluxcd.go", "package fluxcd\n\nimport _ \"example.test/status\"\n")
	r.write("test/fluxcd.go", "package main\n\nimport _ \"example.test/dropin/fluxcd\"\n")
	if err := r.open().Tidy(t.Context(), true); err != nil {
		t.Errorf("a module that requires a mirror cannot be tidied: %v", err)
	}
	if err := r.open().Next("v0.2.0"); err != nil {
		t.Fatal(err)
	}
	if have := r.open().Tags(); !slices.Contains(have, "dropin/fluxcd/v1.3.10") || !slices.Contains(have, "kube/v0.2.0") {
		t.Errorf("have tags %q after the next version", have)
	}
	r.replace("test/go.mod", "v1.3.10", "v1.4.0")
	_, err = Open(r.root, func(string) {})
	expectError(t, err, "test/go.mod: want example.test/dropin/fluxcd v1.3.10 as in go.work, have v1.4.0")
}

func TestProblemsOfModFiles(t *testing.T) {
	for _, row := range []struct {
		name, file, add string
		want            string // nothing: no problem
	}{
		{"none", "kube/go.mod", "", ""},
		{"replace", "kube/go.mod", "\nreplace example.test => ../\n", "kube/go.mod: replaces example.test"},
		{"replace in tests", "test/go.mod", "\nreplace example.test => ../\n", "test/go.mod: replaces example.test"},
		{"exclude", "kube/go.mod", "\nexclude example.org/other v1.0.0\n", "kube/go.mod: excludes example.org/other@v1.0.0"},
		{"exclude in tests", "test/go.mod", "\nexclude example.org/other v1.0.0\n", ""},
		{"requires tests", "kube/go.mod", "\nrequire example.test/test v0.1.0\n", "requires example.test/test, which is never released"},
	} {
		t.Run(row.name, func(t *testing.T) {
			r := newRepository(t)
			r.write(row.file, r.read(row.file)+row.add)
			have := strings.Join(r.open().Problems(), "\n")
			if have == "" != (row.want == "") || !strings.Contains(have, row.want) {
				t.Errorf("have problems %q, want %q", have, row.want)
			}
		})
	}
}

func TestVersionsThatCannotBeReleased(t *testing.T) {
	r := newRepository(t)
	for _, name := range []string{"kube/go.mod", "test/go.mod"} {
		r.replace(name, "v0.1.0", "v0.0.0")
	}
	r.write("cmd/kstatus/go.mod", strings.ReplaceAll(r.read("cmd/kstatus/go.mod"), "v0.1.0", "v0.0.0"))
	if have := strings.Join(r.open().Problems(), "\n"); !strings.Contains(have, "have v0.0.0") {
		t.Errorf("have problems %q, want one of v0.0.0", have)
	}
}

func TestNextVersion(t *testing.T) {
	r := newRepository(t)
	expectError(t, r.open().Next("v0.1.0"), "want a version after v0.1.0")
	expectError(t, r.open().Next("0.2"), "want a version such as")
	if err := r.open().Next("v0.2.0"); err != nil {
		t.Fatal(err)
	}
	if w := r.open(); w.Version != "v0.2.0" {
		t.Errorf("have version %s, want v0.2.0", w.Version)
	}
	for _, name := range []string{"go.work", "kube/go.mod", "cmd/kstatus/go.mod", "test/go.mod"} {
		if text := r.read(name); strings.Contains(text, "v0.1.0") || !strings.Contains(text, "v0.2.0") {
			t.Errorf("%s: want v0.2.0 only, have:\n%s", name, text)
		}
	}
	if _, err := (shell{folder: r.root}).goCommand(t.Context(), "build", "./kube/..."); err != nil {
		t.Error(err)
	}
}

func TestTidy(t *testing.T) {
	r := newRepository(t)
	if err := r.open().Tidy(t.Context(), false); err != nil {
		t.Fatalf("the repository is tidy: %v", err)
	}
	tidy := r.read("kube/go.mod")
	r.replace("kube/go.mod", "\nrequire example.test v0.1.0\n", "")
	expectError(t, r.open().Tidy(t.Context(), false), "kube/go.mod is not tidy")
	if err := r.open().Tidy(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	if have := r.read("kube/go.mod"); have != tidy || r.printed() != "wrote kube/go.mod" {
		t.Errorf("have printed %q, and go.mod:\n%swant:\n%s", r.printed(), have, tidy)
	}
}

package release

import (
	"strings"
	"testing"
)

func TestVersionsThatMayBreak(t *testing.T) {
	for _, row := range []struct {
		last, next string
		want       bool
	}{
		{"v0.1.0", "v0.1.0", false},
		{"v0.1.0", "v0.1.1", false},
		{"v0.1.0", "v0.2.0", true},
		{"v0.9.0", "v1.0.0", true},
		{"v1.0.0", "v1.0.1", false},
		{"v1.0.0", "v1.1.0", false},
		{"v1.0.0", "v2.0.0", true},
	} {
		t.Run(row.last+" "+row.next, func(t *testing.T) {
			if have := permits(row.last, row.next); have != row.want {
				t.Errorf("have %t, want %t", have, row.want)
			}
		})
	}
}

func TestComparisonWithoutRelease(t *testing.T) {
	r := newRepository(t)
	if err := r.open().CompareAPI(t.Context()); err != nil {
		t.Fatal(err)
	}
	if have, want := r.printed(), "nothing is released yet: there is no API to compare with"; have != want {
		t.Errorf("have printed %q, want %q", have, want)
	}
}

func TestComparisonWithTheLastRelease(t *testing.T) {
	const word, cut, unused = "func Word() string", "func Cut(s string) string { return s }", "func Unused() {}"
	for _, row := range []struct {
		name           string
		file, old, new string
		next           string // the version to release
		printed        string
		fails          bool
	}{
		{"the same", "", "", "", "v0.1.1", "example.test: 2 packages since v0.1.0: no incompatible change", false},
		{"more", "status/status.go", word, "func More() {}\n\n" + word, "v0.1.1", "no incompatible change", false},
		{"a changed result in a patch", "status/status.go", word, "func Word() (s string, err error) { return }\n\nfunc word() string", "v0.1.1", "example.test/status: Word: changed from", true},
		{"a changed result in a minor version", "status/status.go", word, "func Word() (s string, err error) { return }\n\nfunc word() string", "v0.2.0", "1 incompatible changes", false},
		{"a changed internal package that another module imports", "internal/text/text.go", cut, "func Cut(s string, n int) string { return s }", "v0.1.1", "example.test/internal/text: Cut: changed from", true},
		{"a changed internal package", "internal/alone/alone.go", unused, "func Unused(int) {}", "v0.1.1", "no incompatible change", false},
		{"the released version once more", "status/status.go", word, "func Other() string", "v0.1.0", "example.test/status: Word: removed", true},
	} {
		t.Run(row.name, func(t *testing.T) {
			r := newRepository(t)
			for _, tag := range r.open().Tags() {
				r.git("tag", tag)
			}
			if row.file != "" {
				r.replace(row.file, row.old, row.new)
			}
			if row.next != "v0.1.0" {
				if err := r.open().Next(row.next); err != nil {
					t.Fatal(err)
				}
			}
			// The other modules need not compile: each is compared by itself.
			w := r.open()
			err := w.compareModule(t.Context(), w.published()[0], "v0.1.0", t.TempDir())
			if (err != nil) != row.fails {
				t.Errorf("have error %v, want one: %t", err, row.fails)
			}
			if !strings.Contains(r.printed(), row.printed) {
				t.Errorf("have printed:\n%s\nwant:\n%s", r.printed(), row.printed)
			}
		})
	}
}

func TestEachModuleIsComparedWithItsHighestTag(t *testing.T) {
	r := newRepository(t)
	for _, tag := range []string{"v0.1.0", "v0.0.9", "kube/v0.1.0", "test/v0.1.0", "other"} {
		r.git("tag", tag)
	}
	r.write("kube/wait/wait.go", "package wait\n")
	if err := r.open().Next("v0.1.1"); err != nil {
		t.Fatal(err)
	}
	err := r.open().CompareAPI(t.Context())
	expectError(t, err, "example.test/kube: v0.1.1 may not change incompatibly what v0.1.0 exports")
	want := `example.test: 2 packages since v0.1.0: no incompatible change
example.test/kube: 1 packages since v0.1.0: 1 incompatible changes
  example.test/kube/wait: Wait: removed
example.test/cmd/kstatus: not released yet`
	if have := r.printed(); have != want {
		t.Errorf("have printed:\n%s\nwant:\n%s", have, want)
	}
}
